import { Problem } from '../../core/errors.js';
import { BODY_COST } from '../../operations/body.js';
import type { AskedStance } from '../../operations/body-stance.js';
import type { AnswerOf } from '../../operations/operation.js';
import { populationPercentiles } from '../../operations/population-percentiles.js';
import { reachEnvelope } from '../../operations/reach-envelope.js';
import { reachShare } from '../../operations/reach-share.js';
import { sceneById } from '../../products/scenes.js';
import { type HandTip, LEANS, type Stretch } from '../../reach/sitter.js';
import { PERSON_ADDRESS } from '../person/address.js';
import { addressOf } from '../shared/address-fields.js';
import type { ExactCall } from '../shared/data-types.js';
import { type FoundPerson, foundPersons, type KnownValues } from '../shared/found-person.js';
import { allAnswered, exactCallOf, type FreeAnswers } from '../shared/free-computations.js';
import {
  type ChosenPopulation,
  populationBody,
  populationsLabel,
  populationsQuery,
} from '../shared/populations.js';
import { groupsTogether, SAME_CLOTHING } from '../shared/together.js';
import { clothingIn, type MOST, type ReachView } from './address.js';
import {
  type AnsweredScene,
  type Curves,
  type DrawnPerson,
  type DrawnScene,
  type Percentiles,
  type ReachData,
  SHOWN,
  type ShownEnvelope,
} from './data-types.js';
import { sceneOf } from './drawing.js';
import { figureMeasurements, withBothFeet } from './figure.js';
import { imagesOf } from './images.js';
import type { Point, ShownArm } from './scene-types.js';
import { templateById } from './templates.js';

/** A version without the model of the shoulder is refused by the operation. */
const NO_STRETCH: Stretch = { stretchShare: 0, stretchSdMm: 0 };

/**
 * The data of a scene that asks something: the answers, and three people. Nothing is charged.
 *
 * @throws Problem of the API
 */
export async function reachDataOf(
  view: ReachView,
  free: FreeAnswers,
  model: { readonly artifactVersion: string; readonly stretch: Stretch | undefined },
  left?: AbortSignal,
): Promise<ReachData> {
  return {
    ...(await reachAnswersOf(view, free, left)),
    ...(await reachDrawnOf(view, free, model.stretch, left)),
    artifactVersion: model.artifactVersion,
  };
}

/**
 * The answers of `reach_share` and of `reach_envelope` to a scene that asks something.
 *
 * @throws Problem of the API
 */
export async function reachAnswersOf(
  view: ReachView,
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<AnsweredScene> {
  const people = peopleOf(view);
  const call = exactCallOf(reachShare, { ...people, ...sceneBody(view) });
  const envelope = envelopeCallOf(view);
  const found = await free.answers(
    {
      share: [reachShare, [call.body]],
      around: [reachEnvelope, envelope === undefined ? [] : [envelope.body]],
    },
    left,
  );
  const [answer] = allAnswered(found.share);
  const [around] = allAnswered(found.around);
  return {
    answer: answer as AnsweredScene['answer'],
    call,
    label: populationsLabel(view.populations),
    ...(envelope && around && { envelope: shownEnvelope(envelope, around) }),
    ...(stanceOfView(view) && free.hasBodies() ? { stanceCredits: BODY_COST } : {}),
  };
}

/**
 * The people in the picture of a view.
 *
 * @throws Problem of the API
 */
export async function reachDrawnOf(
  view: ReachView,
  free: FreeAnswers,
  stretch = NO_STRETCH,
  left?: AbortSignal,
): Promise<DrawnScene> {
  const { population, clothing = 'nude' } = peopleOf(view);
  const asked = { population, clothing, measurements: ['Stature'], percentiles: [...SHOWN] };
  const statures = await free.answer(populationPercentiles, asked, left);
  const staturesMm = staturesIn(statures).map(({ value }) => value);
  const known = staturesMm.map(
    (value): KnownValues => [{ measurement: 'Stature', value: Math.round(value) }],
  );
  const nearest = await populationsNearest(view, staturesMm, clothing, free, left);
  const drawnPeople: (FoundPerson | undefined)[] = [];
  for (const population of new Set(nearest)) {
    const own = known.flatMap((one, index) =>
      nearest[index] === population ? [[index, one] as const] : [],
    );
    const lists = own.map(([, one]) => one);
    const persons = await foundPersons(population, lists, clothing, free, left);
    for (const [i, [index]] of own.entries()) drawnPeople[index] = persons[i];
  }
  const needed = figureMeasurements(templateById(view.template).pose);
  const persons = SHOWN.map((percentile, index): DrawnPerson | null => {
    const one = drawnPeople[index];
    if (one === undefined) return null;
    const { valuesMm, ageYears } = one.person;
    const drawn: DrawnPerson = {
      ...{ percentile, who: one.who, ageYears },
      valuesMm: Object.fromEntries(
        needed.flatMap((name) => (name in valuesMm ? [[name, valuesMm[name] as number]] : [])),
      ),
    };
    if (!free.hasBodies()) return drawn;
    const isTurned = view.turnDegrees !== undefined;
    const options = { stretch, addresses: free.addresses, isTurned };
    return { ...drawn, images: imagesOf(sceneOf(view), drawn, one.person, options) };
  });
  const medianPersonAddress = personAddressOf(view, known[SHOWN.indexOf(50)]);
  return { persons, stretch, medianPersonAddress };
}

/** The Person screen with a person of the first population. */
function personAddressOf(view: ReachView, known?: KnownValues): string {
  const person = medianViewOf(view);
  return addressOf(PERSON_ADDRESS, {
    ...person,
    known: known ?? person.known,
    pose: templateById(view.template).pose,
  });
}

/** For each stature, the population whose median is nearest. */
async function populationsNearest(
  { populations }: ReachView,
  staturesMm: readonly number[],
  clothing: string,
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<readonly ChosenPopulation[]> {
  const [only] = populations;
  if (populations.length === 1 && only !== undefined) return staturesMm.map(() => only);
  const body = { clothing, measurements: ['Stature'], percentiles: [50] };
  const bodies = populations.map((one) => ({ ...body, population: populationBody(one) }));
  const { medians: found } = await free.answers({ medians: [populationPercentiles, bodies] }, left);
  const medians = allAnswered(found).map((one) => staturesIn(one)[0]?.value ?? 0);
  return staturesMm.map((stature) => {
    const apart = medians.map((median) => Math.abs(median - stature));
    return populations[apart.indexOf(Math.min(...apart))] as ChosenPopulation;
  });
}

const staturesIn = (answer?: AnswerOf<typeof populationPercentiles>) =>
  answer?.measurements[0]?.values ?? [];

/** The scene of a view in the form of the operation: that of the product and the parts that the visitor changed, or all parts. */
function sceneBody(view: ReachView) {
  const template = templateById(view.template);
  const [own, usual] = [partsOf(view), partsOf(template)];
  if (sceneById(template.id) === undefined) return { pose: template.pose, ...own };
  const changed = Object.entries(own).filter(
    ([name, part]) => JSON.stringify(part) !== JSON.stringify(usual[name as keyof typeof own]),
  );
  return { scene: template.id, ...Object.fromEntries(changed) };
}

function partsOf({ seat, targets, see, clear }: Pick<ReachView, 'seat' | keyof typeof MOST>) {
  const travel = { x: seat?.travelX ?? [0, 0], z: seat?.travelZ ?? [0, 0] };
  return {
    ...(seat === undefined
      ? {}
      : {
          seat: {
            ...{ height: seat.heightMm, backAngle: seat.backAngle, panAngle: seat.panAngle },
            travel,
          },
        }),
    targets: targets.map(({ name, at, by, hand, lean }) => ({ name, at, by, hand, lean })),
    see: [...see],
    clear: clear.map(({ name, from, to, by }) => ({ name, box: { from, to }, by })),
  };
}

/** The arm whose envelope is shown: that of the first target for a hand. */
function shownArm({ targets }: ReachView): ShownArm | undefined {
  const target = targets.find(({ by }) => by !== 'foot');
  if (target === undefined || target.by === 'foot') return undefined;
  const { by, hand, lean } = target;
  return {
    by,
    hand: hand === 'left' ? 'left' : 'right',
    lean,
  };
}

/**
 * The stance of a scene: each hand and foot at the first target of its side, a single foot with the other beside it;
 * undefined if nothing is asked of a body.
 *
 * @param moved how far the seat stands from the middle of its travel: forward and up, mm. The origin of the stance lies
 * below the seat
 */
export function stanceOfView(
  { template, seat, targets }: ReachView,
  [forward, up]: readonly [number, number] = [0, 0],
): AskedStance | undefined {
  const { pose } = templateById(template);
  const placed = ({ x, y, z }: Point): Point => ({ x: x - forward, y, z });
  const on = (side: 'left' | 'right', isFoot: boolean) =>
    withBothFeet(targets).find(({ by, hand, at }) => {
      const own = hand === 'either' ? (at.y > 0 ? 'left' : 'right') : hand;
      return own === side && (by === 'foot') === isFoot;
    });
  const both = <Place>(of: (side: 'left' | 'right') => Place | undefined) => {
    const [left, right] = [of('left'), of('right')];
    return { ...(left && { left }), ...(right && { right }) };
  };
  const hands = both((side) => {
    const target = on(side, false);
    return target && { at: placed(target.at), by: target.by as HandTip };
  });
  const feet = both((side) => {
    const target = pose === 'sitting' ? on(side, true) : undefined;
    return target && { at: placed(target.at) };
  });
  const leans = targets.map(({ lean }) => LEANS.indexOf(lean));
  const stance: AskedStance = {
    ...{ base: pose, lean: LEANS[Math.max(0, ...leans)] ?? 'none' },
    ...(seat && {
      seat: { height: seat.heightMm + up, backAngle: seat.backAngle, panAngle: seat.panAngle },
    }),
    ...(Object.keys(hands).length > 0 && { hands }),
    ...(Object.keys(feet).length > 0 && { feet }),
  };
  return stance.seat || stance.hands || stance.feet ? stance : undefined;
}

/** Where the seat stands of the median of those for whom all holds, from the middle of its travel, mm. */
export async function seatMovedOf(
  view: ReachView,
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<readonly [number, number]> {
  const { seat } = view;
  if (seat === undefined) return [0, 0];
  const asked = { ...peopleOf(view), ...sceneBody(view) };
  const { seat: found } = await free.answer(reachShare, asked, left);
  const from = (place: Percentiles | undefined, [least, most]: readonly [number, number]) =>
    place === undefined ? 0 : place.p50 - (least + most) / 2;
  return [from(found?.x, seat.travelX), from(found?.z, seat.travelZ)];
}

/** The median person of the first population of a view. */
export function medianViewOf({ populations }: ReachView) {
  return PERSON_ADDRESS.read(populationsQuery(populations.slice(0, 1)));
}

/** Usual places of the shoulder, in mm: its height above the seat or the floor, and half the width between both. */
const SHOULDER_Z = { sitting: 570, standing: 1370 } as const;
const SHOULDER_Y = 180;

/** The call for the envelope of the first hand of a scene; undefined without a hand. */
export function envelopeCallOf(view: ReachView): ExactCall | undefined {
  const arm = shownArm(view);
  if (arm === undefined) return undefined;
  const { pose } = templateById(view.template);
  const y = arm.hand === 'left' ? SHOULDER_Y : -SHOULDER_Y;
  return exactCallOf(reachEnvelope, {
    ...{ ...peopleOf(view), pose, ...arm },
    ...{ percentiles: [...SHOWN], planes: [{ y }, { z: SHOULDER_Z[pose] }] },
  });
}

/**
 * The people of a view as operations take them.
 *
 * @throws Problem `validation_error` if their clothing differs
 */
function peopleOf(view: ReachView) {
  const clothes = new Set(view.populations.map((one) => clothingIn(view, one)));
  const [clothing = 'nude'] = clothes;
  if (clothes.size > 1) throw new Problem('validation_error', SAME_CLOTHING);
  const population = { groups: [...groupsTogether(view.populations)] };
  return { population, ...(clothing === 'nude' ? {} : { clothing }) };
}

function shownEnvelope(
  call: ShownEnvelope['call'],
  { curves }: AnswerOf<typeof reachEnvelope>,
): ShownEnvelope {
  const [side = [], above = []] = curves.map(
    ({ percentiles }): Curves =>
      percentiles.map(({ points }) =>
        points.map(({ x, y, z }) => [Math.round(x), Math.round(y), Math.round(z)] as const),
      ),
  );
  return { side, above, call };
}
