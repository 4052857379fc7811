import type { VNode } from 'preact';
import { nothingIfRefused } from '../../core/errors.js';
import { capital } from '../../site/in-sentence.js';
import { percent } from '../../site/labels.js';
import { shownUnit } from '../../site/lengths.js';
import { SCENE_SIZE } from '../../site/paths.js';
import type { ShareContent } from '../../site/share-card.js';
import { addressOf } from '../shared/address-fields.js';
import type { ScreenProblem } from '../shared/data-types.js';
import { GRID_MM } from '../shared/scene.js';
import type { ScreenPage } from '../shared/screen.js';
import { Field, PopulationFields } from '../shared/screen-page.js';
import {
  atRest,
  isEmpty,
  MOST,
  REACH_ADDRESS,
  type ReachView,
  sceneTexts,
  seatText,
  viewOfTemplate,
} from './address.js';
import { reachAnswersOf, reachDataOf, reachDrawnOf } from './data.js';
import type { AnsweredScene, DrawnScene, EmptyScene, ReachData } from './data-types.js';
import {
  figuresOf,
  layoutOf,
  type Panel,
  ReachPanels,
  type ShownFigure,
  TargetMarks,
} from './drawing.js';
import { proposals } from './moves.js';
import { Demands, Headline, People, SeatPlaces, Sources } from './results.js';
import { TEMPLATES } from './templates.js';
import { demandsOf, EMPTY_TEXT, faultAt, lackText, reachTitle, WORN_NOTE } from './texts.js';

/** The people of a refused scene at rest, and the answer to the view before it, if the page knows that. */
interface RefusedScene extends DrawnScene {
  readonly before?: AnsweredScene | undefined;
}

/** Longest query of a view that a form sends along, in characters: longer ones do not fit an address. */
const BEFORE_MAX = 2000;

function beforeOf(view: ReachView): string {
  const query = REACH_ADDRESS.query(view);
  return query.length > BEFORE_MAX ? '' : query;
}

/** Scale of the picture without JavaScript. */
const MM_PER_PX = 3;

/** The Reach screen shows who reaches, sees and has room in a scene. */
export const PAGE: ScreenPage<ReachView, ReachData | EmptyScene> = {
  async dataOf(view, { free, model }, left) {
    const { artifactVersion, manifest } = model();
    const stretch = manifest.population.reach;
    return isEmpty(view)
      ? { ...(await reachDrawnOf(view, free, stretch, left)), artifactVersion }
      : reachDataOf(view, free, { artifactVersion, stretch }, left);
  },
  async drawnOf(view, { free, model }, left): Promise<RefusedScene> {
    const stretch = model().manifest.population.reach;
    const drawn = await reachDrawnOf(atRest(view), free, stretch, left);
    const before = REACH_ADDRESS.read(view.before);
    if (view.before === '' || isEmpty(before)) return drawn;
    // Only the answer is asked again, so that both scenes need no more work than one that is not refused.
    return { ...drawn, before: await reachAnswersOf(before, free, left).catch(nothingIfRefused) };
  },
  content: (view, first) => ({
    ...('data' in first ? { sharedAs: reachTitle(view, first.data) } : {}),
    description:
      'See what share of people reach controls, see over edges and have room at once, in a car, at a desk or at a counter.',
    place: 'reach',
    note: WORN_NOTE,
    numbers: (data) =>
      data.answer === undefined ? <p>{EMPTY_TEXT}</p> : <Numbers {...{ view, data }} />,
    plain: {
      text: 'Moving things in the picture needs JavaScript. The numbers do not.',
      picture: (data) => <Drawn view={view} data={data} />,
      refused({ drawn }) {
        if (drawn === undefined) return null;
        const data = drawn as RefusedScene;
        const figures = figuresOf(atRest(view), data);
        return (
          <>
            <Scene {...{ view, data, figures }} title={REACH_ADDRESS.title(view)} />
            {data.before === undefined ? null : (
              <div class="pale">
                <p>The pale numbers are those of the scene before.</p>
                <Numbers view={REACH_ADDRESS.read(view.before)} data={data.before} />
              </div>
            )}
          </>
        );
      },
      form: (
        <>
          <input type="hidden" name="template" value={view.template} />
          <PopulationFields populations={view.populations} />
          <input
            type="hidden"
            name="before"
            value={'data' in first ? beforeOf(view) : view.before}
          />
          <SceneFields view={view} problem={'problem' in first ? first.problem : undefined} />
        </>
      ),
      more: (
        <>
          <ul>
            {TEMPLATES.map(({ id, title }) => (
              <li key={id}>
                <a
                  href={addressOf(REACH_ADDRESS, viewOfTemplate(view, id))}
                  aria-current={id === view.template ? 'page' : undefined}
                >
                  {title}
                </a>
              </li>
            ))}
          </ul>
          <Sources view={view} />
        </>
      ),
    },
  }),
  /** The share, and who fails what. */
  shared: (view, data) => ({
    title: reachTitle(view, data),
    artifactVersion: data.artifactVersion,
    people: data.persons.flatMap((one) => (one?.images === undefined ? [] : [one.images.side])),
    scene: sharedScene(view, data),
    ...(data.answer === undefined
      ? { facts: [EMPTY_TEXT] }
      : {
          headline: percent(data.answer.share),
          facts: [
            `of ${data.label} reach, see and have room`,
            ...demandsOf(view, data).map(
              ({ title, met }) => `${title}: ${percent(met.share)}${lackText(met, 'mm')}`,
            ),
          ],
        }),
  }),
};

function Numbers(props: { readonly view: ReachView; readonly data: AnsweredScene }): VNode {
  const parts = { ...props, unit: shownUnit(props.view.unit) };
  return (
    <>
      <Headline {...parts} />
      <Demands {...parts} />
      <SeatPlaces {...parts} />
    </>
  );
}

/** The lists of a scene: the parameter of each, the name of an entry, its parts, and the most entries. */
const LISTS = [
  ['targets', 'target', 'target', 'forward, to the left and up in mm; by; side; lean'],
  ['see', 'see', 'sight', 'forward, to the left and up in mm; edge; most degrees up and down'],
  ['clear', 'clear', 'thing', 'two corners: forward, to the left and up in mm; part of the body'],
] as const;

/** A field for the seat and for each demand, and one for a further demand of each kind. */
function SceneFields(props: { view: ReachView; problem: ScreenProblem | undefined }): VNode {
  const { view, problem } = props;
  const faults = problem?.errors ?? [];
  const texts = sceneTexts(view);
  const examples = sceneTexts({ ...view, ...proposals(view) });
  return (
    <>
      {view.seat === undefined ? null : (
        <Field
          name="seat"
          label="Seat: height; degrees of its back and its surface; travel back, forward, down and up, unless it is fixed"
          value={seatText(view.seat)}
          fault={faultAt(faults, '/seat')}
        />
      )}
      {LISTS.flatMap(([list, name, what, parts]) => {
        const own = texts[list].map((value, index) => [`${what} ${index + 1}`, value] as const);
        const more = [`Add a ${what}, such as ${examples[list].at(-1)} (name; ${parts})`] as const;
        const all = own.length < MOST[list] ? [...own, more] : own;
        return all.map(([label, value], index) => (
          <Field
            key={name + index}
            {...{ name, id: `${name}-${index}`, value }}
            label={capital(label)}
            fault={faultAt(faults, `/${list}/${index}`)}
          />
        ));
      })}
    </>
  );
}

/** The scene from the side, with its targets and the whole space that people reach, in a share image. */
function sharedScene(
  view: ReachView,
  data: ReachData | EmptyScene,
): NonNullable<ShareContent['scene']> {
  const { seat, targets, clear } = view;
  const [side] = layoutOf(view, true).panels as [Panel];
  const figures = figuresOf(view, data);
  const middle = figures.find(({ person }) => person.percentile === 50)?.figure;
  const reached = (data.answer === undefined ? [] : (data.envelope?.side ?? []))
    .flat()
    .flatMap((point) => middle?.toRoom(point)[2] ?? []);
  const [left, right, floor, high] = side.box;
  // If all targets and things are above the seat, the picture leaves out the feet.
  const lowest = Math.min(...targets.map(({ at }) => at.z), ...clear.map(({ from }) => from.z));
  const isCut = seat !== undefined && lowest >= seat.heightMm && lowest < Infinity;
  const bottom = isCut ? Math.max(floor, seat.heightMm - 3 * GRID_MM) : floor;
  const top = isCut ? high : Math.max(high, ...reached.map((z) => z + 2 * GRID_MM));
  const height = top - bottom;
  // The grid fills a wide place, so texts beside the scene have room.
  const width = Math.max(right - left, (SCENE_SIZE.width / SCENE_SIZE.height) * height);
  const middleX = (left + right) / 2;
  const box = [middleX - width / 2, middleX + width / 2, bottom, top] as const;
  const texts = data.answer?.targets.map(({ name, share }) => `${name}: ${percent(share)}`);
  return {
    box,
    draw: (place, textScale) => {
      const mmPerPx = textScale * Math.max(width / place.width, height / place.height);
      return (
        <svg
          class="scene"
          role="img"
          aria-label={REACH_ADDRESS.title(view)}
          viewBox={`0 0 ${width} ${height}`}
          {...place}
        >
          <ReachPanels
            {...{ view, data, mmPerPx, figures, hasImages: true }}
            layout={{ panels: [{ ...side, box }], width, height }}
            hasLimbs={false}
          >
            {() => (
              <TargetMarks {...{ view, data, figures, mmPerPx, texts }} panel={{ ...side, box }} />
            )}
          </ReachPanels>
        </svg>
      );
    },
  };
}

interface SceneProps {
  readonly view: ReachView;
  readonly data: DrawnScene;
  readonly figures: readonly ShownFigure[];
  /** The picture in words. */
  readonly title: string;
}

function Scene({ view, data, figures, title }: SceneProps): VNode {
  const layout = layoutOf(view, true);
  return (
    <svg
      class="reach-picture figure"
      role="img"
      aria-label={title}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
    >
      <ReachPanels
        {...{ view, data, layout, figures }}
        mmPerPx={MM_PER_PX}
        hasImages
        hasLimbs={false}
      />
    </svg>
  );
}

function Drawn({ view, data }: { view: ReachView; data: ReachData | EmptyScene }): VNode {
  const figures = figuresOf(view, data);
  return (
    <>
      <Scene {...{ view, data, figures }} title={reachTitle(view, data)} />
      <People {...{ view, figures }} unit={shownUnit(view.unit)} />
    </>
  );
}
