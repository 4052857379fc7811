import { isTemporary, Problem } from '../../core/errors.js';
import type { Gender } from '../../core/genders.js';
import { AGE_LIMITS } from '../../core/limits.js';
import { fromMm, toMm, type Unit } from '../../core/units.js';
import { designRanges } from '../../operations/design-ranges.js';
import type { AnswerOf } from '../../operations/operation.js';
import { populationShare } from '../../operations/population-share.js';
import { productFit } from '../../operations/product-fit.js';
import { type ShownUnit, shownUnit } from '../../site/lengths.js';
import type { ExactCall } from '../shared/data-types.js';
import { exactCallOf, type FreeAnswers } from '../shared/free-computations.js';
import { clothingIn, type FitView, limitsOf, productRulesOf } from './address.js';
import type { Design, ExactShare, FitShare, Proposal, SizeRange } from './data-types.js';
import type { KnownPerson } from './known-people.js';
import { type FitProduct, OWN_ID, productById } from './products.js';
import {
  asProposed,
  dimensionsOf,
  isProposed,
  proposedLimits,
  widenedLimits,
  withDesign,
} from './proposal.js';
import { isCrossed, peopleOf, shareCall } from './requests.js';
import { exclusionsOf } from './texts.js';

// What the operations answer for the sizes of a product, or for own limits.

/** A person as `product_fit` takes them, and the ranges of the sizes that they need. */
export interface JudgedKnown {
  readonly gender: Gender;
  readonly age: number;
  readonly country: string;
  readonly sizes: readonly (SizeRange & { readonly id: string; readonly label: string })[];
}

/** The answer for a design. Its people wear the same clothing. */
export interface AskedDesign {
  readonly proposal?: Proposal;
  /** The sizes or limits that are judged. */
  readonly design?: Design;
  readonly overall?: FitShare;
  /** The known people of the view in their order; null for one whom the service refuses to describe. */
  readonly known?: readonly (JudgedKnown | null)[];
  readonly conflicts: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Asks for the sizes that serve the wanted share of all people of the view, and for the share that the sizes of the
 * view fit.
 *
 * @throws Problem of the operations
 */
export function designOf(
  view: FitView,
  free: Pick<FreeAnswers, 'answer'>,
  left?: AbortSignal,
): Promise<AskedDesign> {
  const product = productById(view.product);
  return product === undefined
    ? ownDesign(view, free, left)
    : productDesign(view, product, free, left);
}

type Answer = AnswerOf<typeof productFit>;

async function productDesign(
  view: FitView,
  product: FitProduct,
  { answer }: Pick<FreeAnswers, 'answer'>,
  left?: AbortSignal,
): Promise<AskedDesign> {
  const unit = unitOf(shownUnit(view.unit));
  const known: (JudgedKnown | null)[] = [];
  const ask = async (sizesMm: FitView['sizesMm'], persons: readonly KnownPerson[]) => {
    const call = productCall(view, product, sizesMm, persons);
    return { call, answer: await answer(productFit, call.body, left) };
  };
  /** Asks again without the people whom the service refuses to describe. */
  const withKnown = async () => {
    let persons = [...view.known.keys()];
    for (;;) {
      try {
        const asked = await ask(
          view.sizesMm,
          persons.map((index) => view.known[index] as KnownPerson),
        );
        const judged = asked.answer.persons.map((person) => judgedKnown(person, product, unit));
        known.push(...view.known.map((_, index) => judged[persons.indexOf(index)] ?? null));
        return asked;
      } catch (error) {
        const refused = error instanceof Problem ? personsOf(error) : [];
        if (refused.length === 0) throw error;
        persons = persons.filter((_, place) => !refused.includes(place));
      }
    }
  };
  const judged = await withKnown();
  const asked = isProposed(view) ? judged : await ask({}, []);
  const sizesMm = (one: Answer) =>
    Object.fromEntries(one.sizes.map(({ id, value }) => [id, rounded(toMm(value, unit))]));
  const { people, share, low, high, excluded, conflict } = judged.answer;
  const [most] = asked.answer.excluded;
  const strictest = product.rules.find(({ id }) => id === most?.rule);
  return {
    proposal: {
      call: asked.call,
      ...{ sizesMm: sizesMm(asked.answer), limits: [], share: asked.answer.share },
      needs: Object.fromEntries(asked.answer.sizes.map((one) => [one.id, rangeOf(one, unit)])),
      strictest: product.sizes.find(({ id }) => id === strictest?.size)?.label,
    },
    design: { sizesMm: sizesMm(judged.answer), limits: [] },
    overall: {
      ...{ call: judged.call, people, share, low, high },
      excluded: excluded.map((one) => ({ share: one.share, text: `need ${one.need}` })),
    },
    known,
    conflicts: (conflict?.sizes ?? []).map(({ text }) => text),
    notes: asked.answer.notes.filter((note) => product.notes?.includes(note) !== true),
  };
}

/** The call that returns the sizes of a product for the people of a view. */
function productCall(
  view: FitView,
  product: FitProduct,
  sizesMm: FitView['sizesMm'],
  persons: readonly KnownPerson[],
): ExactCall {
  const unit = unitOf(shownUnit(view.unit));
  const lengths = (mm: Readonly<Record<string, number>>, name: string) =>
    Object.keys(mm).length === 0
      ? {}
      : {
          [name]: Object.fromEntries(
            Object.entries(mm).map(([id, one]) => [id, fromMm(one, unit)]),
          ),
        };
  const own = productRulesOf(view).filter(
    ({ clearance }, index) => clearance !== product.rules[index]?.clearance,
  );
  const [first] = view.populations;
  return exactCallOf(productFit, {
    product: product.id,
    population: peopleOf(view, view.populations).population,
    clothing: first === undefined ? product.clothing : clothingIn(view, first),
    targetPercent: view.targetPercent,
    ...lengths(sizesMm, 'sizes'),
    ...lengths(Object.fromEntries(own.map(({ id, clearance }) => [id, clearance])), 'clearances'),
    ...(persons.length === 0 ? {} : { persons: persons.map((one) => personIn(one, unit)) }),
    ...(unit === 'mm' ? {} : { unit }),
  });
}

function personIn({ name, statureMm, massKg, gender, ageYears }: KnownPerson, unit: Unit) {
  return {
    ...(name === undefined ? {} : { name }),
    known: [
      { measurement: 'Stature', value: fromMm(statureMm, unit) },
      ...(massKg === undefined ? [] : [{ measurement: 'BodyMass', value: massKg }]),
    ],
    ...(gender === undefined ? {} : { gender }),
    // A person of 8 completed years is half a year older on the mean.
    ...(ageYears === undefined ? {} : { age: Math.min(AGE_LIMITS.maximum, ageYears + 0.5) }),
  };
}

/** The places of the people whom a refusal is about; empty if it is about something else. */
function personsOf({ code, extras }: Problem): readonly number[] {
  if (isTemporary(code)) return [];
  return (extras.errors ?? []).flatMap(({ pointer }) => {
    const [, place] = /^\/persons\/(\d+)/.exec(pointer) ?? [];
    return place === undefined ? [] : [Number(place)];
  });
}

function judgedKnown(
  { gender, age, country, sizes }: Answer['persons'][number],
  product: FitProduct,
  unit: Unit,
): JudgedKnown {
  const labelOf = (id: string) => product.sizes.find((one) => one.id === id)?.label ?? id;
  return {
    ...{ gender: gender as Gender, age, country },
    sizes: sizes.map((one) => ({ id: one.id, label: labelOf(one.id), ...rangeOf(one, unit) })),
  };
}

/** The unit in which a page asks for lengths. */
function unitOf(unit: ShownUnit): Unit {
  return unit === 'ft-in' ? 'in' : unit;
}

function rangeOf(
  { atLeast, atMost }: { readonly atLeast?: number; readonly atMost?: number },
  unit: Unit,
): SizeRange {
  return {
    ...(atLeast === undefined ? {} : { leastMm: rounded(toMm(atLeast, unit)) }),
    ...(atMost === undefined ? {} : { mostMm: rounded(toMm(atMost, unit)) }),
  };
}

/** A length without the digits that a conversion leaves. */
function rounded(mm: number): number {
  return Math.round(1000 * mm) / 1000;
}

/** Most times that own limits are widened. The numerical error of ranges can make them fit too few people. */
const WIDENED_MAX = 3;

async function ownDesign(
  view: FitView,
  { answer }: Pick<FreeAnswers, 'answer'>,
  left?: AbortSignal,
): Promise<AskedDesign> {
  const unit = shownUnit(view.unit);
  const empty = { ...view, ...asProposed(view) };
  const call = exactCallOf(designRanges, {
    ...peopleOf(view, view.populations),
    targetShare: Math.round(view.targetPercent * 1000) / 1e5,
    dimensions: [...dimensionsOf(view)],
  });
  const { ranges } = await answer(designRanges, call.body, left);
  let limits = proposedLimits(view, ranges, unit);
  let found: ExactShare | undefined;
  for (let widened = 0; !limits.some(isCrossed); widened++) {
    const shown = limitsOf(withDesign(empty, { sizesMm: {}, limits }));
    const call = shareCall(view, view.populations, shown);
    found = { call, answer: await answer(populationShare, call.body, left) };
    if (found.answer.share >= view.targetPercent / 100 || widened === WIDENED_MAX) break;
    limits = widenedLimits(view, limits, unit);
  }
  const needs = view.limits.flatMap(({ measurement }, index) => {
    const range = ranges.find((one) => one.measurement === measurement);
    return [
      [`${index}-reach`, { mostMm: range?.min }],
      [`${index}-room`, { leastMm: range?.max }],
    ] as const;
  });
  const design = { sizesMm: {}, limits };
  return {
    proposal: {
      ...{ ...design, call, needs: Object.fromEntries(needs) },
      ...(found === undefined ? {} : { share: found.answer.share }),
    },
    design,
    ...(found === undefined || !isProposed(view) ? {} : { overall: ownShare(view, found) }),
    conflicts: [],
    notes: [],
  };
}

/** The share that own limits fit. */
export function ownShare(view: FitView, { call, answer }: ExactShare): FitShare {
  const { people, share, low, high, limits } = answer;
  const excluded = exclusionsOf(view, limits, shownUnit(view.unit)).toSorted(
    (one, other) => other.share - one.share,
  );
  return {
    ...{ call, people, share, low, high },
    excluded: excluded.map(({ share: part, text }) => ({ share: part, text })),
  };
}

/** Whether the view has a value for each of its sizes, or for one of its limits. */
export function isWhole(view: FitView): boolean {
  if (view.product === OWN_ID) return limitsOf(view).length > 0;
  return (
    productById(view.product)?.sizes.every(({ id }) => view.sizesMm[id] !== undefined) === true
  );
}
