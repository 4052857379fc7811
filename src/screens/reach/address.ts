import { sceneById } from '../../products/scenes.js';
import type { Seat } from '../../reach/demands.js';
import { LEANS, PARTS, TIPS } from '../../reach/sitter.js';
import { SHOWN_UNITS } from '../../site/lengths.js';
import { ENVELOPE_DOWNLOAD_PATH, SCREEN_PATHS, STANCE_DOWNLOAD_PATH } from '../../site/paths.js';
import {
  type AskedFile,
  choice,
  type Field,
  type Fields,
  formatAddress,
  joined,
  numberIn,
  parameter,
  readField,
  readFields,
  type Say,
  type ScreenAddress,
  shortened,
  UNSAID,
  writeFields,
} from '../shared/address-fields.js';
import {
  type ChosenPopulation,
  NAMES_PEOPLE,
  POPULATIONS,
  visibleText,
} from '../shared/populations.js';
import { TURNS } from './data-types.js';
import type { Clearance, Point, ReachScene, Sight, Target } from './scene-types.js';
import { FIRST_TEMPLATE, TEMPLATES, type Template, templateById } from './templates.js';

/** The view of the Reach screen. Places from an address are within `PLACE`. */
export interface ReachView extends Omit<ReachScene, 'pose'> {
  /** Id of a template. The rest of the scene has what the visitor changed. */
  readonly template: string;
  readonly populations: readonly ChosenPopulation[];
  readonly unit: string;
  /** One of `TURNS`, from which the picture is seen in three dimensions; undefined for the flat pictures. */
  readonly turnDegrees?: number | undefined;
  /** Query of the last view with an answer, which a form sends along; empty otherwise. No address of a view has it. */
  readonly before: string;
}

/** Most targets, sights and clearances of a scene, as the operation takes them. */
export const MOST = { targets: 20, see: 10, clear: 10 } as const;
/** Limits of places in mm: those of targets, and those of what people see. */
export const PLACE = { min: -3000, max: 3000, unit: ' mm' } as const;
export const FAR = { min: -100_000, max: 100_000, unit: ' mm' } as const;
const DEGREES = { min: 0, max: 90, unit: '°' } as const;
export const BACK_ANGLE = { min: 0, max: 30, unit: '°' } as const;
export const PAN_ANGLE = { min: 0, max: 10, unit: '°' } as const;
/** Longest name of a demand, in characters. */
export const NAME_MAX = 60;
const HANDS = ['left', 'right', 'either'] as const;
/** Text in an address for a list that the visitor emptied. */
const NONE = 'none';

const TURN = choice('turn', 'angle', TURNS.map(String));

const FIELDS: Fields<Omit<ReachView, keyof Scene>> = {
  template: choice(
    'template',
    'template',
    TEMPLATES.map(({ id }) => id),
    FIRST_TEMPLATE,
    (text) => sceneById(text)?.product,
  ),
  populations: POPULATIONS,
  unit: choice('unit', 'unit', SHOWN_UNITS, 'mm'),
  turnDegrees: {
    read(params, say) {
      const degrees = TURN.read(params, say);
      return degrees === undefined ? undefined : Number(degrees);
    },
    write: (degrees) => TURN.write(degrees === undefined ? undefined : String(degrees)),
  },
  before: { read: (params) => params.get('before') ?? '', write: () => [] },
};

/** Reads the numbers of one part of a scene. If one is missing or outside its limits, the part is left out. */
class Part {
  private readonly texts: readonly string[];
  private next = 0;
  isWhole = true;

  constructor(
    text: string,
    private readonly what: string,
    private readonly say: Say,
  ) {
    this.texts = text.split('~');
  }

  word(): string {
    return visibleText(this.texts[this.next++] ?? '').trim();
  }

  name(): string {
    return shortened(this.word(), NAME_MAX) || this.what;
  }

  number(range: { readonly min: number; readonly max: number; readonly unit: string }): number {
    const value = this.isWhole ? numberIn(this.word(), this.what, range, this.say) : undefined;
    if (value === undefined) this.isWhole = false;
    return value ?? 0;
  }

  optional(range: Parameters<Part['number']>[0]): number | undefined {
    return (this.texts[this.next] ?? '') === '' ? void this.next++ : this.number(range);
  }

  /** Whether nothing is left of the text. */
  get isRead(): boolean {
    return this.next >= this.texts.length;
  }

  /** Leaves the part out and says why. */
  refuse(why: string): void {
    if (this.isWhole) this.say(`A ${this.what} in the address ${why}. It is left out.`);
    this.isWhole = false;
  }

  place(range: Parameters<Part['number']>[0]): Point {
    return { x: this.number(range), y: this.number(range), z: this.number(range) };
  }

  one<Name extends string>(names: readonly Name[]): Name {
    const given = this.word();
    const found = names.find((name) => name === given);
    if (found === undefined && this.isWhole) {
      this.refuse(
        given === ''
          ? 'has too few parts'
          : `has “${given}”, which is not one of ${names.join(', ')}`,
      );
    }
    return found ?? (names[0] as Name);
  }
}

type Scene = Pick<ReachView, 'seat' | 'targets' | 'see' | 'clear'>;

interface SceneFields extends Fields<Scene> {
  readonly targets: ListField<Target>;
  readonly see: ListField<Sight>;
  readonly clear: ListField<Clearance>;
}

interface ListField<One> extends Field<readonly One[]> {
  /** The entries as texts of an address, before they are encoded. */
  texts(list: readonly One[]): readonly string[];
}

const written = ({ x, y, z }: Point) => [x, y, z];
/** A name in an address. `~` separates the parts. */
const called = (name: string) => name.replaceAll('~', ' ');

/**
 * A list of a scene: one parameter for each entry; `none` for an empty list. Unchanged lists are left out, and so are the
 * empty fields of a form.
 */
function listOf<One>(
  param: string,
  what: string,
  most: number,
  usual: readonly One[],
  read: (part: Part) => One,
  write: (one: One) => readonly (string | number | undefined)[],
): ListField<One> {
  const texts = (list: readonly One[]) =>
    list.map((one) =>
      write(one)
        .map((part) => part ?? '')
        .join('~'),
    );
  return {
    texts,
    read(params, say) {
      const given = params.getAll(param);
      if (given.length === 0) return usual;
      if (given.length > most)
        say(`A page shows at most ${most} of each kind. The others are left out.`);
      return given.slice(0, most).flatMap((one) => {
        if (one === NONE || one === '') return [];
        const part = new Part(one, what, say);
        const found = read(part);
        return part.isWhole ? [found] : [];
      });
    },
    write(list) {
      const own = texts(list);
      if (own.join() === texts(usual).join()) return [];
      return (own.length === 0 ? [NONE] : own).map((text) => parameter(param, text));
    },
  };
}

/** The fields of a scene. What it lacks is as in the template. */
function sceneFields({ pose, seat, targets, see, clear }: Template): SceneFields {
  const isSitting = pose === 'sitting';
  const tips = isSitting ? TIPS : TIPS.filter((tip) => tip !== 'foot');
  const parts = isSitting ? PARTS : PARTS.filter((part) => part === 'head' || part === 'shoulder');
  return {
    seat: {
      read(params, say) {
        const text = params.get('seat');
        if (seat === undefined || text === null) return seat;
        const part = new Part(text, 'seat', say);
        const number = () => part.number(PLACE);
        const ends = (): [number, number] => {
          if (part.isRead) return [0, 0];
          const [one, other] = [number(), number()];
          return [Math.min(one, other), Math.max(one, other)];
        };
        const found: Seat = {
          heightMm: number(),
          backAngle: part.number(BACK_ANGLE),
          panAngle: part.number(PAN_ANGLE),
          travelX: ends(),
          travelZ: ends(),
        };
        return part.isWhole ? found : seat;
      },
      write: (one) => {
        const text = seatText(one);
        return text === seatText(seat) ? [] : [parameter('seat', text)];
      },
    },
    targets: listOf<Target>(
      ...(['target', 'target', MOST.targets, targets] as const),
      (part) => {
        const [name, at, by] = [part.name(), part.place(PLACE), part.one(tips)];
        const [hand, lean] = [part.one(HANDS), part.one(LEANS)];
        return { ...{ name, at, by, hand }, lean: by === 'foot' ? 'none' : lean };
      },
      ({ name, at, by, hand, lean }) => [called(name), ...written(at), by, hand, lean],
    ),
    see: listOf<Sight>(
      ...(['see', 'sight', MOST.see, see] as const),
      (part) => {
        const [name, at] = [part.name(), part.place(FAR)];
        const [x, z] = [part.optional(FAR), part.optional(FAR)];
        const [upMax, downMax] = [part.optional(DEGREES), part.optional(DEGREES)];
        if ((x === undefined) !== (z === undefined)) part.refuse('has an edge without x or z');
        const over = x === undefined || z === undefined ? undefined : { x, z };
        if (over === undefined && upMax === undefined && downMax === undefined) {
          part.refuse('has no edge and no limit of degrees, so everybody would see it');
        }
        return {
          ...{ name, at },
          ...(over === undefined ? {} : { over }),
          ...(upMax === undefined ? {} : { upMax }),
          ...(downMax === undefined ? {} : { downMax }),
        };
      },
      ({ name, at, over, upMax, downMax }) =>
        [called(name), ...written(at), over?.x, over?.z, upMax, downMax] as const,
    ),
    clear: listOf<Clearance>(
      ...(['clear', 'clearance', MOST.clear, clear] as const),
      (part) => ({
        name: part.name(),
        from: part.place(FAR),
        to: part.place(FAR),
        by: part.one(parts),
      }),
      ({ name, from, to, by }) => [called(name), ...written(from), ...written(to), by],
    ),
  };
}

/** The demands of a scene as texts of an address. */
export function sceneTexts(view: ReachView) {
  const { targets, see, clear } = sceneFields(templateById(view.template));
  return {
    targets: targets.texts(view.targets),
    see: see.texts(view.see),
    clear: clear.texts(view.clear),
  };
}

/** The text of a seat in an address. */
export function seatText(seat: Seat | undefined): string {
  if (seat === undefined) return '';
  const { heightMm, backAngle, panAngle, travelX, travelZ } = seat;
  return [heightMm, backAngle, panAngle, ...travelX, ...travelZ].join('~');
}

function read(query: string, say: Say = UNSAID): ReachView {
  const view = readFields(FIELDS, query, say);
  const template = templateById(view.template);
  const { people } = template;
  return {
    ...view,
    ...(readField(NAMES_PEOPLE, query) ? {} : { populations: people }),
    ...readFields(sceneFields(template), query, say),
  };
}

function query(view: ReachView): string {
  return joined(writeFields(FIELDS, view), sceneQuery(view));
}

const sceneQuery = (view: ReachView) =>
  writeFields<Scene>(sceneFields(templateById(view.template)), view);

/** Whether the scene of a product has other places or another seat than the product. */
export function isChanged(view: ReachView): boolean {
  return sceneById(view.template) !== undefined && sceneQuery(view) !== '';
}

/** Whether a view asks nothing of its people. */
export function isEmpty({ targets, see, clear }: ReachView): boolean {
  return targets.length + see.length + clear.length === 0;
}

/** A view whose people do nothing. */
export function atRest(view: ReachView): ReachView {
  return { ...view, targets: [], see: [], clear: [] };
}

/** The view of another template. People whom nobody chose become those for whom such a room is usually made. */
export function viewOfTemplate(before: ReachView, id: string): ReachView {
  const [was, next] = [templateById(before.template), templateById(id)];
  const { seat, targets, see, clear } = next;
  const text = (populations: ReachView['populations']) => POPULATIONS.write(populations).join();
  const isUnchosen = text(before.populations) === text(was.people);
  return {
    ...{ ...before, template: next.id, seat, targets, see, clear },
    populations: isUnchosen ? next.people : before.populations,
  };
}

/** Clothing in the view: that of a population, otherwise that of the template's users. */
export function clothingIn({ template }: ReachView, { clothing }: ChosenPopulation): string {
  return clothing ?? templateById(template).clothing;
}

/**
 * The address of the screen, such as `template=car-seat&p=Both~DE~18-70&target=Lever~500~-300~560~grip~right~none`. What
 * an address lacks is as in the template.
 */
export const REACH_ADDRESS = {
  path: SCREEN_PATHS.reach,
  read,
  query,
  /** All angles share their images. */
  dataQuery: (view: ReachView) =>
    query(view.turnDegrees === undefined ? view : { ...view, turnDegrees: 0 }),
  title: ({ template }: ReachView) =>
    `${templateById(template).title}: who reaches, sees and has room?`,
} satisfies ScreenAddress<ReachView>;

/** Formats of downloaded envelopes and bodies. */
export const REACH_FORMATS = ['glb', 'stl'] as const;

/** A scene of which a file is asked. */
export type AskedReachFile = AskedFile<ReachView, (typeof REACH_FORMATS)[number]>;

const fileAddress = (path: string) => formatAddress(path, REACH_ADDRESS, REACH_FORMATS);

/** The addresses of the pages that download the envelope of a scene, and the median person who acts in it. */
export const ENVELOPE_ADDRESS = fileAddress(ENVELOPE_DOWNLOAD_PATH);
export const STANCE_ADDRESS = fileAddress(STANCE_DOWNLOAD_PATH);
