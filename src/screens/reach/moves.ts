import type { Seat } from '../../reach/demands.js';
import { shortened } from '../shared/address-fields.js';
import { NAME_MAX, PLACE, type ReachView } from './address.js';
import type { Clearance, Point, Sight, Target } from './scene-types.js';

/** A thing of a scene that can be moved in the pictures. */
export interface Movable {
  readonly key: string;
  readonly name: string;
  /** The label in the picture. */
  readonly label: string;
  readonly kind: 'target' | 'sight' | 'edge' | 'clearance';
  readonly at: Point;
  /** The change of the view if the thing moves here. Places that are left out stay. */
  move(to: Partial<Point>): Partial<ReachView>;
}

/** Whether a seat can be moved. */
export const seatMoves = ({ travelX, travelZ }: Seat): boolean =>
  [travelX, travelZ].some(([least, most]) => least !== most);

/** Size of a new thing, mm. */
const NEW_MM = 100;
/** Where eyes are about, mm: before the back, and above the seat or the floor. */
const [EYE_X, EYE_SITTING_Z, EYE_STANDING_Z] = [150, 780, 1550];
/** Most degrees above and below horizontal of a new sight, and below for a thing that is near. */
const [UP_MAX, DOWN_MAX, NEAR_DOWN_MAX] = [20, 40, 60];

const sightOf = (name: string): string => shortened(`Sight of ${name}`, NAME_MAX);

/** The nearest thing that nobody must see yet and that eyes can see; undefined without one. */
function nearestUnseen({ seat, targets, see, clear }: ReachView) {
  const eyeZ = seat === undefined ? EYE_STANDING_Z : seat.heightMm + EYE_SITTING_Z;
  const hands = targets.filter(({ by }) => by !== 'foot');
  const things = [...hands, ...clear.map((one) => ({ name: one.name, at: middleOf(one) }))];
  return things
    .map(({ name, at }) => {
      const [ahead, up] = [at.x - EYE_X, at.z - eyeZ];
      const far = Math.hypot(ahead, at.y);
      const degrees = (Math.atan2(up, far) * 180) / Math.PI;
      const isSeen = ahead > 0 && degrees > -NEAR_DOWN_MAX && degrees < UP_MAX;
      return { name, at, isSeen, farMm: Math.hypot(far, up) };
    })
    .filter(
      ({ name, isSeen }) => isSeen && see.every((one) => ![name, sightOf(name)].includes(one.name)),
    )
    .sort((one, other) => one.farMm - other.farMm)[0];
}

/**
 * The lists of a view with a further entry of each: what a visitor adds, in front of the person. The sight is that of
 * the nearest thing, or of a place below the eyes.
 */
export function proposals(view: ReachView) {
  const { seat, targets, see, clear } = view;
  const near = nearestUnseen(view);
  const z = Math.min((seat?.heightMm ?? 700) + 400, PLACE.max);
  const at: Point = { x: 500, y: 0, z };
  const further = (what: string, { length }: readonly unknown[]) => `${what} ${length + 1}`;
  const target: Target = {
    ...{ name: further('Target', targets), at, by: 'grip', hand: 'either', lean: 'none' },
  };
  const sight: Sight =
    near === undefined
      ? {
          ...{ name: further('Sight', see), at: { ...at, x: 900 } },
          ...{ upMax: UP_MAX, downMax: DOWN_MAX },
        }
      : {
          name: sightOf(near.name),
          at: near.at,
          upMax: UP_MAX,
          downMax: NEAR_DOWN_MAX,
        };
  const from = { ...at, z: z + 400 };
  const thing: Clearance = {
    ...{ name: further('Thing', clear), by: 'head', from },
    to: { x: from.x + NEW_MM, y: NEW_MM, z: from.z + NEW_MM },
  };
  return { targets: [...targets, target], see: [...see, sight], clear: [...clear, thing] };
}

type List = 'targets' | 'see' | 'clear';

/** The change of a view in which one entry of a list is changed. */
export function withEntry<Name extends List>(
  view: ReachView,
  list: Name,
  index: number,
  change: Partial<ReachView[Name][number]>,
): Partial<ReachView> {
  const entries: readonly object[] = view[list];
  return { [list]: entries.map((one, i) => (i === index ? { ...one, ...change } : one)) };
}

/** The change of a view without one entry of a list. */
export function withoutEntry(view: ReachView, list: List, index: number): Partial<ReachView> {
  const entries: readonly object[] = view[list];
  return { [list]: entries.filter((_, i) => i !== index) };
}

const kept = (value: number) => Math.round(Math.min(PLACE.max, Math.max(PLACE.min, value)));
const keptPoint = ({ x, y, z }: Point): Point => ({ x: kept(x), y: kept(y), z: kept(z) });

/** The middle of a thing. */
export function middleOf({ from, to }: Pick<Clearance, 'from' | 'to'>): Point {
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, z: (from.z + to.z) / 2 };
}

/** The ends of a thing whose middle is moved to a place. */
export function boxAt(thing: Pick<Clearance, 'from' | 'to'>, middle: Point) {
  const at = middleOf(thing);
  const moved = ({ x, y, z }: Point): Point => ({
    ...{ x: x + middle.x - at.x, y: y + middle.y - at.y, z: z + middle.z - at.z },
  });
  return { from: moved(thing.from), to: moved(thing.to) };
}

/** All things of a view that can be moved. Places far away, such as a road, cannot. */
export function movablesOf(view: ReachView): readonly Movable[] {
  const target = ({ name, at }: Target, index: number): Movable => ({
    ...{ key: `target-${index}`, kind: 'target', name, label: name, at },
    move: (to) => withEntry(view, 'targets', index, { at: keptPoint({ ...at, ...to }) }),
  });
  const sight = ({ name, at, over }: Sight, index: number): readonly Movable[] => {
    const isNear = Object.values(at).every((value) => value >= PLACE.min && value <= PLACE.max);
    const place: Movable = {
      ...{ key: `sight-${index}`, kind: 'sight', name, label: name, at },
      move: (to) => withEntry(view, 'see', index, { at: keptPoint({ ...at, ...to }) }),
    };
    const edge: Movable | undefined = over && {
      ...{
        key: `edge-${index}`,
        kind: 'edge',
        name: `Edge: ${name}`,
        label: 'Edge',
        at: { ...over, y: 0 },
      },
      move: ({ x = over.x, z = over.z }) =>
        withEntry(view, 'see', index, { over: { x: kept(x), z: kept(z) } }),
    };
    return [...(isNear ? [place] : []), ...(edge === undefined ? [] : [edge])];
  };
  const clearance = ({ name, from, to }: Clearance, index: number): Movable => {
    const at = middleOf({ from, to });
    return {
      ...{ key: `clearance-${index}`, kind: 'clearance', name, label: name, at },
      move(there) {
        const moved = boxAt({ from, to }, { ...at, ...there });
        const box = { from: keptPoint(moved.from), to: keptPoint(moved.to) };
        return withEntry(view, 'clear', index, box);
      },
    };
  };
  return [...view.targets.map(target), ...view.see.flatMap(sight), ...view.clear.map(clearance)];
}
