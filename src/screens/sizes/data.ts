import { Problem } from '../../core/errors.js';
import { MEASUREMENT_NAMES, type MeasurementName } from '../../core/measurements.js';
import { BODY_QUANTITIES } from '../../operations/fields.js';
import { samplePeople } from '../../operations/sample-people.js';
import { sizeChart } from '../../operations/size-chart.js';
import { viewsOf } from '../../render/marks.js';
import { RUNS } from '../../render/runs.js';
import { NEUTRAL_SUIT } from '../../site/drawing-colours.js';
import { deviceHeightPx, pagePicture } from '../../site/pictures/addresses.js';
import { evidenceOfAll } from '../shared/evidence.js';
import { foundPersons, type Known } from '../shared/found-person.js';
import { exactCallOf, type FreeAnswers } from '../shared/free-computations.js';
import { clothingOf, populationLabel } from '../shared/populations.js';
import { groupsTogether } from '../shared/together.js';
import { dimensionsOf, type SizesView } from './address.js';
import type {
  ChartSize,
  CurvePoint,
  SampledDot,
  SizeChartAnswer,
  SizePerson,
  SizesData,
} from './data-types.js';
import { leastSizes } from './least-sizes.js';
import type { SizedDimension } from './products.js';

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
): Promise<SizesData> {
  const dimensions = dimensionsOf(view);
  refuseMasses(dimensions);
  const asked = peopleOf(view);
  const callFor = (sizes: number) =>
    exactCallOf(sizeChart, {
      ...asked,
      measurements: dimensions.map(({ measurement, toleranceMm }) => ({
        measurement,
        tolerance: toleranceMm,
      })),
      sizes,
    });
  const names = dimensions.map(({ measurement }) => measurement);
  const sample = { ...asked, measurements: names, ...DOTS };
  const charts = new Map<number, SizeChartAnswer>();
  let people: Sample['people'] = [];
  /** Asks for charts in one turn of a thread. The first turn also samples the people for the dots. */
  const sharesOf = async (counts: readonly number[]): Promise<readonly number[]> => {
    const wanted = [...new Set([...counts, ...(view.sizes === undefined ? [] : [view.sizes])])];
    const open = wanted.filter((sizes) => !charts.has(sizes));
    const isFirst = charts.size === 0;
    const found = await free.answers(
      [
        ...open.map((sizes) => ({ operation: sizeChart.name, body: callFor(sizes).body })),
        ...(isFirst ? [{ operation: samplePeople.name, body: sample }] : []),
      ],
      left,
    );
    const refused = found.find((one) => one instanceof Problem);
    if (refused !== undefined) throw refused;
    for (const [index, sizes] of open.entries()) charts.set(sizes, found[index] as SizeChartAnswer);
    if (isFirst) ({ people } = found.at(-1) as Sample);
    return counts.map((sizes) => (charts.get(sizes) as SizeChartAnswer).shareServed);
  };
  const { curve, least } = await leastSizes(sharesOf, view.targetPercent / 100);
  const count = view.sizes ?? least ?? (curve.at(-1) as CurvePoint).sizes;
  const chart = charts.get(count) as SizeChartAnswer;
  const points = curve.some(({ sizes }) => sizes === count)
    ? curve
    : [...curve, { sizes: count, share: chart.shareServed }].sort((a, b) => a.sizes - b.sizes);
  const known = await evidenceOfAll(names, view.populations, free);
  return {
    label: view.populations.map(populationLabel).join('; '),
    dimensions,
    curve: points,
    least,
    chart,
    call: callFor(count),
    dots: dotsOf(people, names, chart.sizes),
    persons: await personsOf(view, chart.sizes, free, artifactVersion, left),
    hasBodies: free.hasBodies(),
    ...(known === undefined ? {} : { surveys: known.surveys }),
    artifactVersion,
  };
}

/** Refuses masses, because their tolerances have other units than the page. */
function refuseMasses(dimensions: readonly SizedDimension[]): void {
  const mass = dimensions.find(({ measurement }) => BODY_QUANTITIES.includes(measurement));
  if (mass === undefined) return;
  const message = `${mass.measurement} is no length. Choose a dimension that is measured in mm.`;
  throw new Problem('validation_error', message);
}

/** The people of all populations. A call of the API allows only one clothing. */
function peopleOf({ populations }: SizesView) {
  const clothes = [...new Set(populations.map(clothingOf))];
  if (clothes.length > 1) {
    const message =
      'Sizes are placed for people who wear the same. Choose the same clothing for all populations.';
    throw new Problem('validation_error', message);
  }
  const [clothing = 'nude'] = clothes;
  const groups = groupsTogether(populations);
  return { population: { groups }, ...(clothing === 'nude' ? {} : { clothing }) };
}

interface Sample {
  readonly people: readonly { readonly measurements: Readonly<Record<string, number>> }[];
}

/** People drawn at random, each with the best size. */
function dotsOf(
  people: Sample['people'],
  names: readonly string[],
  sizes: readonly ChartSize[],
): readonly SampledDot[] {
  return people.flatMap(({ measurements }) => {
    const values = names.map((name) => measurements[name] ?? Number.NaN);
    if (values.some(Number.isNaN)) return [];
    // Whole millimetres would put small dimensions on a grid.
    const valuesMm = values.slice(0, 2).map((mm) => Math.round(10 * mm) / 10);
    return [{ valuesMm, size: bestSize(values, sizes) }];
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

/** The people in the middle of a small, a middle and a large size. */
async function personsOf(
  { populations }: SizesView,
  sizes: readonly ChartSize[],
  free: FreeAnswers,
  artifactVersion: string,
  left?: AbortSignal,
): Promise<SizesData['persons']> {
  if (!free.hasBodies()) return undefined;
  const [population] = populations;
  const names = (sizes[0]?.ranges ?? []).map(({ measurement }) => measurement).filter(isKnown);
  const views = viewsOf(names).slice(0, VIEWS_MAX);
  if (population === undefined || views.length === 0) return undefined;
  const clothing = clothingOf(population);
  const shown = threeOf(sizes);
  const known = shown.map(
    ({ ranges }) =>
      ranges.map(({ measurement, centre }) => ({ measurement, value: centre })) as [
        Known,
        ...Known[],
      ],
  );
  const all = await foundPersons(population, known, clothing, free, left);
  const found = all.flatMap((one, index) =>
    one === undefined ? [] : [{ size: shown[index]?.name ?? '', ...one }],
  );
  const heightPx = deviceHeightPx(PERSON_PX);
  return found.map(({ size, who, person }): SizePerson => {
    const pictures = views.map((name) => {
      const own = names.filter((one) => RUNS[one].view === name);
      const measurements = own.map((one) => ({ name: one, number: names.indexOf(one) + 1 }));
      const lines = { kind: 'plain', measurements } as const;
      const picture = { person, view: name, suit: NEUTRAL_SUIT, heightPx, lines };
      return pagePicture(picture, artifactVersion);
    });
    return { size, who, pictures };
  });
}

/** Height of a person on a page, CSS pixels. */
const PERSON_PX = 360;

const isKnown = (name: string): name is MeasurementName =>
  (MEASUREMENT_NAMES as readonly string[]).includes(name);

/** The first, a middle and the last size. If there are fewer than three, all sizes. */
export function threeOf<Size>(sizes: readonly Size[]): readonly Size[] {
  const last = sizes.length - 1;
  const places = new Set([0, Math.round(last / 2), last]);
  return sizes.filter((_, index) => places.has(index));
}
