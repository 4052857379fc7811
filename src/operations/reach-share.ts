import Type, { type Static } from 'typebox';
import { type Fault, fault, field, said, wrong } from '../core/errors.js';
import { fromMm, roundShare, toMm, type Unit } from '../core/units.js';
import { PRODUCTS, productById } from '../products/index.js';
import { sceneById } from '../products/scenes.js';
import { aboutMiddle, type Demand, measurementsOf, type Scene } from '../reach/demands.js';
import {
  reachShare as findShare,
  placesTried,
  type ReachShare,
  type Shown,
  TRAVEL_MAX_X,
  TRAVEL_MAX_Z,
} from '../reach/reach-share.js';
import { LEANS, PARTS, REACH_POSES, TIPS } from '../reach/sitter.js';
import type { FoundFault } from './faults.js';
import { answerFields, closedObject, oneOf, paidAnswer, requestFields } from './fields.js';
import { medianError, shareBoundFields, shareBounds } from './median-errors.js';
import { nearOriginFaults } from './near-origin.js';
import { defineOperation, fixedPrice } from './operation.js';
import {
  EMPTY_POPULATION,
  groupFields,
  keptGroups,
  LARGEST_POPULATION,
  ON_PEOPLE,
  peopleFields,
  populationFaults,
  populationField,
} from './population-request.js';
import { productFaults } from './product-request.js';
import {
  COORDINATES,
  coordinate,
  degrees,
  insideBody,
  LEAN_TEXT,
  type NamedPlace,
  notesField,
  notesOf,
  outOfRoom,
  placeField,
  placeInMm,
  reachPeople,
  refuseOutOfSpace,
  seatFields,
  seatInMm,
} from './reach-request.js';
import { groupsFault } from './tool-answers.js';
import { distributionMs, evidenceMs, stepsOf } from './work.js';

const COST = 10;
/** The people of a group are this many times fewer than those of the whole population. */
const GROUP_PART = 4;
const name = Type.String({ minLength: 1, maxLength: 60, description: 'Your name of it.' });
const length = (description: string) => Type.Number({ minimum: -3000, maximum: 3000, description });
const range = (description: string) =>
  Type.Optional(Type.Array(length('An end.'), { minItems: 2, maxItems: 2, description }));

const seat = closedObject(
  {
    ...seatFields,
    travel: Type.Optional(
      closedObject(
        { x: range('Forward: least and most.'), z: range('Up: least and most.') },
        { description: 'How far the seat moves; it does not by default.' },
      ),
    ),
  },
  { description: 'The seat of sitting people.' },
);

const target = closedObject({
  name,
  at: placeField('The target.'),
  by: oneOf(TIPS, { description: 'What touches it: foot is the ball of the foot.' }),
  hand: Type.Optional(
    oneOf(['left', 'right', 'either'] as const, {
      default: 'either',
      description: 'Hand or foot.',
    }),
  ),
  lean: Type.Optional(
    oneOf(LEANS, {
      default: LEANS[0],
      description: LEAN_TEXT,
    }),
  ),
});

const sight = closedObject({
  name,
  at: placeField('What is seen.'),
  over: Type.Optional(
    closedObject(
      { x: coordinate('Forward.'), z: coordinate('Up.') },
      { description: 'An edge from side to side, over which people look.' },
    ),
  ),
  upMax: degrees(90, 'Most degrees above horizontal.'),
  downMax: degrees(90, 'Most degrees below horizontal.'),
});

const clearance = closedObject({
  name,
  box: closedObject(
    { from: placeField('A corner.'), to: placeField('The opposite corner.') },
    { description: 'A thing parallel to the axes.' },
  ),
  by: oneOf(PARTS, { description: 'Part of the body that must not touch it.' }),
});

const request = closedObject({
  population: populationField,
  scene: Type.Optional(
    Type.String({
      maxLength: 80,
      description:
        'Id of a product with a scene, such as desk, instead of `pose`, `seat` and the demands; what is given beside it replaces that part.',
    }),
  ),
  pose: Type.Optional(
    oneOf(REACH_POSES, { description: `Erect; required without \`scene\`. ${COORDINATES}` }),
  ),
  seat: Type.Optional(seat),
  targets: Type.Optional(
    Type.Array(target, { maxItems: 20, description: 'Points that people must touch.' }),
  ),
  see: Type.Optional(
    Type.Array(sight, { maxItems: 10, description: 'Points that people must see.' }),
  ),
  clear: Type.Optional(
    Type.Array(clearance, { maxItems: 10, description: 'Things that people must not touch.' }),
  ),
  unit: requestFields.options.unit,
  clothing: requestFields.options.clothing,
});

type Asked = Static<typeof request>;
type Input = Asked & { readonly pose: (typeof REACH_POSES)[number] };

/** A request with the parts of its scene, in its unit. */
function withScene({ scene, ...asked }: Asked): Input {
  const known = scene === undefined ? undefined : sceneById(scene);
  if (known === undefined) return asked as Input;
  const { pose, seat, targets, see, clear } = known;
  const parts = inUnit({ seat, targets, see, clear }, asked.unit ?? 'mm') as Partial<Asked>;
  // A standing person has no seat, also if the scene has one.
  const { seat: own, ...demands } = parts;
  const isSeated = (asked.pose ?? pose) === 'sitting' && own !== undefined;
  return { pose, ...(isSeated ? { seat: own } : {}), ...demands, ...asked };
}

/** Fields that hold lengths, in mm in the catalogue. */
const LENGTHS: ReadonlySet<string> = new Set(['x', 'y', 'z', 'height']);

function inUnit(part: unknown, unit: Unit): unknown {
  if (Array.isArray(part)) return part.map((one) => inUnit(one, unit));
  if (typeof part !== 'object' || part === null) return part;
  const length = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(length)
      : typeof value === 'number'
        ? fromMm(value, unit)
        : inUnit(value, unit);
  return Object.fromEntries(
    Object.entries(part)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, LENGTHS.has(name) ? length(value) : inUnit(value, unit)]),
  );
}

const percentiles = (description: string) =>
  Type.Optional(
    Type.Object(
      {
        p5: answerFields.number('5th percentile.'),
        p50: answerFields.number('Median.'),
        p95: answerFields.number('95th percentile.'),
      },
      { description },
    ),
  );

const met = Type.Object({
  name: answerFields.text('Name of the demand.'),
  share: answerFields.number('Share of the people for whom it holds.'),
  failsOnlyHere: answerFields.number(
    'Share of the people for whom all the others hold at once, but not with this.',
  ),
  lack: percentiles('What those who fail it lack.'),
});

const response = paidAnswer({
  ...peopleFields,
  share: answerFields.number('Share of the people for whom all holds at once, 0 to 1.'),
  ...shareBoundFields,
  numericalError: answerFields.number('Half width of the 95 % interval of `share`, a fraction.'),
  unit: answerFields.unit('Unit of lengths.'),
  targets: Type.Array(met, { description: 'As asked.' }),
  see: Type.Array(met, { description: 'As asked.' }),
  clear: Type.Array(met, { description: 'As asked.' }),
  seat: Type.Optional(
    Type.Object(
      { x: percentiles('Forward.'), z: percentiles('Up.') },
      { description: 'Where the seat stands in its travel, of the people for whom all holds.' },
    ),
  ),
  groups: Type.Array(
    Type.Object({
      ...groupFields,
      served: answerFields.number('Share of the group for whom all holds, ± 0.03.'),
    }),
    { description: 'The groups in the order asked.' },
  ),
  notes: notesField,
});

/** POST /v1/population/reach: who can reach, see and pass at once. */
export const reachShare = defineOperation({
  name: 'reach_share',
  path: '/v1/population/reach',
  title: 'Share that reaches and sees',
  description:
    'Share of a population that reaches targets, sees over edges and has room at once, standing or on a seat that may move. For people who keep still; not a claim about moving people.',
  toolDescription:
    'Who can reach this lever, see over this edge and sit so that both hold? Give a population, and a scene (desk, car-seat, shelf …) or a pose with targets, sights or clearances as places. The answer has the share, who fails what and by how much, and the places of the seat. Not for single dimensions: population_share.',
  ...fixedPrice(COST),
  command: { name: 'reach', summary: 'share of a population that reaches, sees and has room' },
  ...ON_PEOPLE,
  request,
  response,
  example: {
    population: { groups: [{ countries: ['DE'], ageMin: 18, ageMax: 70 }] },
    pose: 'sitting',
    seat: { height: 300, backAngle: 22, travel: { x: [-120, 120], z: [-25, 25] } },
    targets: [
      { name: 'pedal', at: { x: 870, y: -150, z: 120 }, by: 'foot', hand: 'right' },
      { name: 'lever', at: { x: 560, y: -350, z: 620 }, by: 'grip', hand: 'right' },
    ],
    see: [{ name: 'road', at: { x: 8000, y: 0, z: 0 }, over: { x: 1000, z: 850 } }],
    clear: [
      {
        name: 'roof',
        box: { from: { x: -600, y: -700, z: 1260 }, to: { x: 700, y: 700, z: 1400 } },
        by: 'head',
      },
    ],
  },
  refusals: {
    population_empty: {
      population: EMPTY_POPULATION,
      pose: 'sitting',
      targets: [{ name: 'lever', at: { x: 700, y: -200, z: 560 }, by: 'grip' }],
    },
    target_out_of_space: {
      population: { groups: [{ countries: ['LU'], ageMin: 20, ageMax: 60 }] },
      pose: 'standing',
      targets: [{ name: 'shelf', at: { x: 400, y: 0, z: 3400 }, by: 'grip' }],
    },
    computation_too_large: {
      population: LARGEST_POPULATION,
      pose: 'sitting',
      seat: { height: 300, travel: { x: [-200, 200], z: [-20, 20] } },
      targets: Array.from({ length: 20 }, (_, i) => {
        const at = { x: 600, y: 10 * i, z: 600 };
        return { name: `${i + 1}`, at, by: 'grip' as const, lean: 'trunk' as const };
      }),
    },
  },
  check,
  toolCheck: ({ population }) => groupsFault(population),
  work: {
    ms(input) {
      const steps = stepsOf(input);
      const { cells, sampled, conditions, curveMs, populationMs } = steps;
      const scene = withScene(input);
      const { targets = [], see = [], clear = [] } = scene;
      const quantities = 4 + Math.min(20, 5 * (targets.length + see.length + clear.length));
      const { seat: place } = sceneOf(scene, input.unit ?? 'mm');
      const tried = place === undefined ? 1 : placesTried(place);
      const people = tried === 1 ? 16_384 : 3072;
      // Mean times of one demand of one person at one place, in ms.
      const each = targets.reduce(
        (sum, { by, lean, hand = 'either' }) => {
          const one = by === 'foot' ? 1.5e-3 : 6e-4 * (lean === 'trunk' ? 7 : 1);
          return sum + (hand === 'either' ? 2 : 1) * one;
        },
        2e-4 * (see.length + clear.length),
      );
      const drawn =
        8 * (Math.min(cells, sampled) * quantities * curveMs * 1.2) +
        people * 3e-4 * (quantities + conditions);
      // Targets inside the body are searched in the trunks and thighs of all people.
      const bodies = targets.length === 0 ? 0 : 60 + 0.0095 * people;
      const { length: groups } = input.population.groups;
      const asked = groups === 1 ? 1 : 1 + groups / GROUP_PART;
      // Most people are served by one of the first places. Measured: 0.4 to 1 of the places.
      const places = tried === 1 ? 1 : 0.6 * tried;
      const medians = quantities * (distributionMs(steps, 1) + evidenceMs(steps));
      // A quarter of the people are computed again as larger and as smaller people.
      const again = 0.5 * people * places * each;
      return populationMs + medians + asked * (drawn + bodies + people * places * each) + again;
    },
    less: 'fewer targets, a smaller travel of the seat, or fewer countries or years of age',
  },
  run(asked, model): Static<typeof response> {
    const input = withScene(asked);
    const unit = input.unit ?? 'mm';
    refuseOutOfSpace(targetFaults(input, unit));
    const scene = sceneOf(input, unit);
    const measurements = measurementsOf(scene);
    const shoulders = reachPeople(input, model, measurements);
    refuseOutOfSpace(nearOriginFaults(scene, fieldsOf(input), shoulders, unit));
    const { people, profiles, stretch } = shoulders;
    const errors = new Map(
      measurements.map((measurement) => {
        const quantity = people.quantityOf(measurement, profiles);
        return [measurement, medianError(people, model, quantity, profiles).error];
      }),
    );
    const found = findShare(
      people.kept,
      scene,
      profiles,
      stretch,
      1,
      (measurement) => errors.get(measurement) as number,
    );
    refuseOutOfSpace(bodyFaults(input, unit, found));
    const groups = people.groups.length === 1 ? [] : keptGroups(people);
    const served = groups.map(
      (group) => findShare(group, scene, profiles, stretch, GROUP_PART).share,
    );
    const optional = (field: string, values: Shown, middle = 0) => {
      if (values === undefined) return {};
      const [p5, p50, p95] = values.map((mm) => fromMm(mm + middle, unit));
      return { [field]: { p5, p50, p95 } };
    };
    const ofSeat = (axis: 'x' | 'z', { [axis]: values }: Record<'x' | 'z', Shown>) =>
      optional(axis, values, middleOf(input.seat?.travel?.[axis], unit));
    const names = [input.targets, input.see, input.clear].map((list = []) =>
      list.map((one) => one.name),
    );
    const results = found.demands.map(({ share, failsOnlyHere, lackMm }, d) => ({
      name: names.flat()[d] as string,
      share: roundShare(share),
      failsOnlyHere: roundShare(failsOnlyHere),
      ...optional('lack', lackMm),
    }));
    const [targets = 0, see = 0] = names.map(({ length: count }) => count);
    return {
      ...people.headCount,
      share: roundShare(found.share),
      ...shareBounds(found.share, found.off),
      numericalError: roundShare(found.error),
      unit,
      targets: results.slice(0, targets),
      see: results.slice(targets, targets + see),
      clear: results.slice(targets + see),
      ...(found.seat && { seat: { ...ofSeat('x', found.seat), ...ofSeat('z', found.seat) } }),
      groups: people.groups.map((group, g) => ({
        ...group,
        served: roundShare(served[g] ?? found.share),
      })),
      ...notesOf(input, targets > 0, see > 0 && (input.seat?.backAngle ?? 0) > 0),
    };
  },
});

/** Faults that the schema cannot state. */
function check(input: Asked): FoundFault[] {
  const faults = populationFaults(input.population);
  const { scene } = input;
  if (scene === undefined && input.pose === undefined) {
    faults.push(wrong('/pose')`is required; add it, or name a scene.`);
    return faults;
  }
  const unknown = scene === undefined ? [] : productFaults(scene, '/scene');
  if (unknown.length > 0) return [...faults, ...unknown];
  if (scene !== undefined && productById(scene)?.scene === undefined) {
    const others = PRODUCTS.flatMap((one) => (one.scene === undefined ? [] : [one.id]));
    const at = fault('/scene');
    return [...faults, at`${scene} has no scene; use one of ${others.join(', ')}.`];
  }
  return [...faults, ...sceneFaults(withScene(input))];
}

/** Faults of a scene that its schema cannot state. */
function sceneFaults({
  pose,
  seat: asked,
  targets = [],
  see = [],
  clear = [],
  unit = 'mm',
}: Input): FoundFault[] {
  const faults: FoundFault[] = [];
  if (targets.length + see.length + clear.length === 0) {
    faults.push(fault('')`Nothing is asked: give targets, see or clear with at least one entry.`);
  }
  if (pose === 'standing') {
    if (asked !== undefined) {
      const [seat, pose] = [field('/seat'), field('/pose')];
      faults.push(
        fault('/seat')`${seat} needs the pose sitting; leave it out, or set ${pose} to sitting.`,
      );
    }
    for (const [i, { by }] of targets.entries()) {
      if (by !== 'foot') continue;
      faults.push(wrong(`/targets/${i}/by`)`foot needs the pose sitting.`);
    }
    for (const [i, { by }] of clear.entries()) {
      if (by !== 'knee' && by !== 'thigh') continue;
      const at = wrong(`/clear/${i}/by`);
      faults.push(at`${by} needs the pose sitting; standing people have head and shoulder.`);
    }
  }
  for (const axis of ['x', 'z'] as const) {
    const ends = asked?.travel?.[axis];
    if (ends === undefined) continue;
    const widthMm = toMm((ends[1] as number) - (ends[0] as number), unit);
    const most = axis === 'x' ? TRAVEL_MAX_X : TRAVEL_MAX_Z;
    const pointer = `/seat/travel/${axis}`;
    if (widthMm < 0) faults.push(wrong(pointer)`must begin with its least value.`);
    if (widthMm <= most) continue;
    const at = wrong(pointer);
    faults.push(
      at`is ${fromMm(widthMm, unit)} ${unit} wide; at most ${fromMm(most, unit)} ${unit} are possible.`,
    );
  }
  for (const [i, { over, upMax, downMax }] of see.entries()) {
    if (over !== undefined || upMax !== undefined || downMax !== undefined) continue;
    faults.push(wrong(`/see/${i}`)`needs over, upMax or downMax; without them everybody sees it.`);
  }
  for (const [i, { lean, by }] of targets.entries()) {
    if (by !== 'foot' || lean === undefined || lean === 'none') continue;
    faults.push(wrong(`/targets/${i}/lean`)`is for hands; leave it out for a foot.`);
  }
  return faults;
}

/** Middle of a travel, in mm. */
function middleOf(ends: readonly number[] | undefined, unit: Unit): number {
  return ends === undefined ? 0 : toMm(((ends[0] as number) + (ends[1] as number)) / 2, unit);
}

/** The place of an entry of a list, with the name of the entry. */
function placeOf(list: string, part: string, name: string, i: number): NamedPlace {
  return { pointer: `/${list}/${i}/${part}`, name: said`${field(`/${list}/${i}`)} (${name})` };
}

/** Where the places of each demand stand in a request, in the order of the scene. */
function fieldsOf({ targets = [], see = [], clear = [] }: Input) {
  const of = (list: string, part: string, all: readonly { readonly name: string }[]) =>
    all.map(({ name }, i) => placeOf(list, part, name, i));
  return [...of('targets', 'at', targets), ...of('see', 'at', see), ...of('clear', 'box', clear)];
}

/** Targets outside the room. */
function targetFaults({ pose, targets = [], seat: asked }: Input, unit: Unit): Fault[] {
  const isFromFloor = pose === 'standing' || asked !== undefined;
  return targets.flatMap(({ at, name }, i) => {
    const place = placeOf('targets', 'at', name, i);
    return outOfRoom(placeInMm(at, unit), place, isFromFloor, unit) ?? [];
  });
}

/** Targets inside the bodies of the people. */
function bodyFaults({ targets = [], seat: asked }: Input, unit: Unit, found: ReachShare): Fault[] {
  return targets.flatMap(({ at, name }, i) => {
    const inside = found.demands[i]?.inside;
    if (inside === undefined) return [];
    const place = placeOf('targets', 'at', name, i);
    return insideBody(placeInMm(at, unit), place, inside, asked?.backAngle ?? 0, unit);
  });
}

/** The scene of a request, in mm and in the order targets, sights, clearances. */
function sceneOf(
  { pose, seat: asked, targets = [], see = [], clear = [] }: Input,
  unit: Unit,
): Scene {
  const ends = ([least = 0, most = 0]: readonly number[] = []) =>
    aboutMiddle([toMm(least, unit), toMm(most, unit)]);
  const demands: Demand[] = [
    ...targets.map(({ at, by, hand = 'either', lean = 'none' }): Demand => {
      return { kind: 'target', at: placeInMm(at, unit), by, hand, lean };
    }),
    ...see.map(
      ({ at, over, upMax, downMax }): Demand => ({
        ...{ kind: 'sight', at: placeInMm(at, unit), upMax, downMax },
        over: over === undefined ? undefined : { x: toMm(over.x, unit), z: toMm(over.z, unit) },
      }),
    ),
    ...clear.map(
      ({ box, by }): Demand => ({
        ...{ kind: 'clearance', by },
        box: { from: placeInMm(box.from, unit), to: placeInMm(box.to, unit) },
      }),
    ),
  ];
  const travel = { travelX: ends(asked?.travel?.x), travelZ: ends(asked?.travel?.z) };
  return { pose, demands, seat: asked && seatInMm(asked, unit, travel) };
}
