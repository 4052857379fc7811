import { Problem } from '../../core/errors.js';
import { isMeasurementName } from '../../core/measurements.js';
import { BODY_QUANTITIES } from '../../operations/fields.js';
import type { AnswerOf } from '../../operations/operation.js';
import { samplePeople } from '../../operations/sample-people.js';
import { sizeChart } from '../../operations/size-chart.js';
import type { Box } from '../../render/drawing.js';
import { frameOf } from '../../render/frames.js';
import { viewsOf } from '../../render/marks.js';
import { RUNS } from '../../render/runs.js';
import { seriesColour } from '../../site/drawing-colours.js';
import { deviceHeightPx } from '../../site/pictures/addresses.js';
import type { PartsOf } from '../shared/data-types.js';
import { surveysOfAll } from '../shared/evidence.js';
import { foundPersons, type Known } from '../shared/found-person.js';
import { allAnswered, exactCallOf, type FreeAnswers } from '../shared/free-computations.js';
import {
  clothingOf,
  populationBody,
  populationLabel,
  populationsLabel,
} from '../shared/populations.js';
import { groupsTogether, SAME_CLOTHING } from '../shared/together.js';
import { countsOf, dimensionsOf, type SizesView } from './address.js';
import { leastSizes } from './least-sizes.js';
import { OWN_ID, type SizedDimension } from './products.js';

/** The answer in mm. Without people in common, each population is one group. */
type SizeChartAnswer = AnswerOf<typeof sizeChart>;

/** A size with its share of the people, and its range of each dimension in mm. */
type ChartSize = SizeChartAnswer['sizes'][number];

/** The data of the Sizes screen for a view. */
export type SizesData = Awaited<ReturnType<typeof sizesDataOf>>;

/** What the parts of the screen draw. */
export type SizesParts = PartsOf<SizesView, SizesData>;

/** A person in the middle of a size. */
export type SizePerson = NonNullable<SizesData['persons']>[number];

/** Number of people drawn as dots. The seed always draws the same people. */
const DOTS = { count: 300, seed: 1 } as const;
/** Drawings of each person. */
const VIEWS_MAX = 2;

/**
 * The data of the Sizes screen: answers of `size_chart` for some numbers of sizes, people as dots, and three
 * drawn people. Nothing is charged.
 *
 * @param left aborted when nobody waits for the data any more
 * @throws Problem of the API
 */
export async function sizesDataOf(
  view: SizesView,
  free: FreeAnswers,
  artifactVersion: string,
  left?: AbortSignal,
) {
  const dimensions = dimensionsOf(view);
  refuseMasses(dimensions);
  const asked = peopleOf(view);
  const isOfProduct = view.product !== OWN_ID && view.dimensions.length === 0;
  const callFor = (sizes: number) =>
    exactCallOf(sizeChart, {
      ...asked,
      ...(isOfProduct
        ? { product: view.product }
        : {
            measurements: dimensions.map(({ measurement, toleranceMm }) => ({
              measurement,
              tolerance: toleranceMm,
            })),
          }),
      sizes,
    });
  const names = dimensions.map(({ measurement }) => measurement);
  const { populations } = view;
  const isApart = countsOf(view) !== undefined;
  const { counts: _, ...dressed } = asked;
  const samples = populations.map((population) => ({
    ...{ ...dressed, population: populationBody(population), measurements: names },
    ...{ count: Math.ceil(DOTS.count / populations.length), seed: DOTS.seed },
  }));
  const charts = new Map<number, SizeChartAnswer>();
  const chartOf = (sizes: number) => charts.get(sizes) as SizeChartAnswer;
  let people: readonly AnswerOf<typeof samplePeople>[] = [];
  /** Asks for charts in one turn of a thread. The first turn also samples the people for the dots. */
  const sharesOf = async (counts: readonly number[]): Promise<readonly number[]> => {
    const wanted = [...new Set([...counts, ...(view.sizes === undefined ? [] : [view.sizes])])];
    const open = wanted.filter((sizes) => !charts.has(sizes));
    const isFirst = charts.size === 0;
    const found = await free.answers(
      {
        charts: [sizeChart, open.map((sizes) => callFor(sizes).body)],
        people: [samplePeople, isFirst ? samples : []],
      },
      left,
    );
    const answered = allAnswered(found.charts);
    for (const [index, sizes] of open.entries()) {
      charts.set(sizes, answered[index] as SizeChartAnswer);
    }
    if (isFirst) people = allAnswered(found.people);
    return counts.map((sizes) => {
      const { shareServed, groups } = chartOf(sizes);
      return isApart ? Math.min(...groups.map((group) => group.shareServed)) : shareServed;
    });
  };
  const { curve, least } = await leastSizes(sharesOf, view.targetPercent / 100);
  const count = view.sizes ?? least ?? (curve.at(-1)?.sizes as number);
  const chart = chartOf(count);
  const counts = [...new Set([...curve.map(({ sizes }) => sizes), count])].sort((a, b) => a - b);
  return {
    /** All populations in words. */
    label: populationsLabel(populations),
    /** The populations in words with the shares served. Empty if there is one, or if people belong to two. */
    populations: isApart
      ? populations.map((one, index) => ({
          label: populationLabel(one),
          shareServed: chart.groups[index]?.shareServed ?? 0,
        }))
      : [],
    dimensions,
    /** The share that each number of sizes serves, and of each population if no people belong to two. */
    curve: counts.map((sizes) => {
      const { shareServed, groups } = chartOf(sizes);
      const shares = isApart ? groups.map((group) => group.shareServed) : [];
      return { sizes, share: shareServed, shares };
    }),
    /** The smallest number of sizes that serves the wanted share of each population; undefined if none does. */
    least,
    chart,
    call: callFor(count),
    dots: people.flatMap((one, index) => dotsOf(one.people, index, names, chart.sizes)),
    /** People in a small, a middle and a large size. */
    persons: await personsOf(view, chart.sizes, free, left),
    hasBodies: free.hasBodies(),
    /** Titles of the surveys behind the medians, as on the Fit screen; undefined if unknown. */
    surveys: await surveysOfAll(names, populations, free),
    artifactVersion,
  };
}

/** Refuses masses, because their tolerances have other units than the page. */
function refuseMasses(dimensions: readonly SizedDimension[]): void {
  const mass = dimensions.find(({ measurement }) => BODY_QUANTITIES.includes(measurement));
  if (mass === undefined) return;
  const message = `${mass.measurement} is no length. Choose a measurement in mm.`;
  throw new Problem('validation_error', message);
}

/** The people of all populations. A call of the API allows only one clothing. */
function peopleOf(view: SizesView) {
  const { populations } = view;
  const clothes = [...new Set(populations.map(clothingOf))];
  if (clothes.length > 1) throw new Problem('validation_error', SAME_CLOTHING);
  const [clothing = 'nude'] = clothes;
  const counts = countsOf(view);
  const groups = [...groupsTogether(populations)];
  return {
    population: { groups },
    ...(counts === undefined ? {} : { counts: [...counts] }),
    ...(clothing === 'nude' ? {} : { clothing }),
  };
}

/** People drawn at random: the first two dimensions to 0.1 mm, and the best size, −1 if none serves the person. */
function dotsOf(
  people: AnswerOf<typeof samplePeople>['people'],
  population: number,
  names: readonly string[],
  sizes: readonly ChartSize[],
) {
  return people.flatMap(({ measurements }) => {
    const values = names.map((name) => measurements[name] ?? Number.NaN);
    if (values.some(Number.isNaN)) return [];
    // Whole millimetres would put small dimensions on a grid.
    const valuesMm = values.slice(0, 2).map((mm) => Math.round(10 * mm) / 10);
    return [{ valuesMm, population, size: bestSize(values, sizes) }];
  });
}

/**
 * Index of the size that serves a person best; −1 if no size does. If several sizes serve the person, the
 * best one has the nearest centre. Distances are in widths of the size, as in `size_chart`.
 *
 * @param valuesMm the person's dimensions in the order of the ranges
 */
export function bestSize(valuesMm: readonly number[], sizes: readonly ChartSize[]): number {
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  sizes.forEach(({ ranges }, index) => {
    let square = 0;
    for (const [d, { from, centre, to }] of ranges.entries()) {
      const value = valuesMm[d] ?? Number.NaN;
      if (!(value >= from && value <= to)) return;
      // A range that would begin below zero begins at zero.
      square += ((value - centre) / (to - centre)) ** 2;
    }
    if (square < least) [best, least] = [index, square];
  });
  return best;
}

/** People in the middle of a small, a middle and a large size; of several populations, at least one of each. */
async function personsOf(
  { populations }: SizesView,
  sizes: readonly ChartSize[],
  free: FreeAnswers,
  left?: AbortSignal,
) {
  if (!free.hasBodies()) return undefined;
  const names = (sizes[0]?.ranges ?? [])
    .map(({ measurement }) => measurement)
    .filter(isMeasurementName);
  const views = viewsOf(names).slice(0, VIEWS_MAX);
  if (views.length === 0) return undefined;
  const count = Math.max(Math.min(PERSONS_LEAST, sizes.length), populations.length);
  const shown = spreadOf(sizes, count);
  const known = shown.map(
    ({ ranges }) =>
      ranges.map(({ measurement, centre }) => ({ measurement, value: centre })) as [
        Known,
        ...Known[],
      ],
  );
  const found = await Promise.all(
    populations.map(async (population, index) => {
      const own = known.flatMap((values, at) =>
        at % populations.length === index ? [{ at, values }] : [],
      );
      const values = own.map((one) => one.values);
      const persons = await foundPersons(population, values, clothingOf(population), free, left);
      return persons.flatMap((one, k) =>
        one === undefined ? [] : [{ ...one, population: index, at: own[k]?.at ?? 0 }],
      );
    }),
  );
  const inOrder = found.flat().sort((one, other) => one.at - other.at);
  const heights = views.map((view) =>
    rowHeightPx(inOrder.map(({ person }) => frameOf(view, person))),
  );
  return inOrder.map(({ at, who, person, population }) => {
    const pictures = views.map((name, row) => {
      const heightPx = heights[row] ?? PERSON_PX;
      const own = names.filter((one) => RUNS[one].view === name);
      const measurements = own.map((one) => ({ name: one, number: names.indexOf(one) + 1 }));
      const lines = { kind: 'plain', measurements } as const;
      const suit = seriesColour(population);
      return free.addresses.page({ person, view: name, suit, heightPx, lines });
    });
    return { size: shown[at]?.name ?? '', who, population, pictures };
  });
}

/** Height of a person on a page at most, and length of a row of people on a usual page, CSS pixels. */
const [PERSON_PX, ROW_PX] = [360, 340];

/** Height of the pictures of a row, device pixels. Rows of heads and hands are low. */
function rowHeightPx(frames: readonly Box[]): number {
  const long = frames.reduce((sum, [left, right]) => sum + right - left, 0);
  // People who lie are as long as they would be tall.
  const tall = Math.max(...frames.flatMap(([l, r, b, t]) => [r - l, t - b]));
  return deviceHeightPx(Math.min(PERSON_PX, (ROW_PX * tall) / long));
}

/** Least number of people in the pictures, if there are enough sizes or populations. */
const PERSONS_LEAST = 3;

/** Sizes at equal steps from the first to the last. A size occurs twice only if there are fewer than `count`. */
export function spreadOf<Size>(sizes: readonly Size[], count: number): readonly Size[] {
  const step = count === 1 ? 0 : (sizes.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => sizes[Math.round(index * step)] as Size);
}
