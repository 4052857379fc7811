import { Problem } from '../../core/errors.js';
import type { Gender } from '../../core/genders.js';
import { connectedDimension } from '../../operations/connected-dimension.js';
import { evidence } from '../../operations/evidence.js';
import { measuredAges } from '../../operations/evidence-basis.js';
import { DEFAULTS } from '../../operations/fields.js';
import { OPERATIONS, type OperationName } from '../../operations/index.js';
import { predictCompare, predictRange } from '../../operations/predict.js';
import { cellOf, type PredictionModel } from '../../operations/prediction-model.js';
import { validateRequest } from '../../operations/validate.js';
import { coarse, isMass } from '../../site/amounts.js';
import type { ExactCall } from '../shared/data-types.js';
import { type Survey, titlesByUse } from '../shared/evidence.js';
import { exactCallOf, type FreeAnswers } from '../shared/free-computations.js';
import { plainDetail } from '../shared/plain-words.js';
import { exactAge } from '../shared/populations.js';
import { apiUnit, type DimensionView } from './address.js';
import type {
  AgeGap,
  AgeLine,
  ChartData,
  CoarseCurve,
  CountryEvidence,
  ExactAnswer,
  Picture,
} from './data-types.js';
import { BAND, exactMasses } from './mass-data.js';

/** A view that is a chart. */
type ChartView = DimensionView & { readonly kind: Picture['kind'] };

/** Percentiles of a coarse curve. */
export const CURVE_PERCENTILES = [1, 5, 10, 25, 50, 75, 90, 95, 99] as const;
/** Ages of the points in the chart of ages. Where people grow fast, each year has a point. */
const AGES_YEARS: readonly number[] = [
  0, 0.5, 1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 25, 30, 40, 50, 60, 70, 80,
  90, 100, 120,
];

/**
 * The data of a view: the API's answer to one call, and coarse curves for the picture. Nothing is charged.
 *
 * @throws Problem of the API if a name or number is invalid, or if nothing can be drawn
 */
export async function chartDataOf(
  asked: ChartView,
  model: PredictionModel,
  free: FreeAnswers,
  left: AbortSignal,
): Promise<ChartData> {
  // The operations take exact ages.
  const view = { ...asked, age: exactAge(asked.age) };
  if (isMass(view.measurement) && view.kind !== 'connected') {
    refuseManyCountries(view);
    const drawn = { picture: PICTURES[view.kind](view, model), ...evidenceOf(view, model) };
    const exact = await exactMasses(asked, free, left);
    return { ...exact, ...drawn, artifactVersion: model.artifactVersion };
  }
  const call = exactCall(view);
  const operation = operationOf(call);
  const input = validateRequest(operation, call.body);
  refuseManyCountries(view);
  const common = {
    call,
    otherCalls: [],
    picture: PICTURES[view.kind](view, model),
    ...evidenceOf(view, model),
    artifactVersion: model.artifactVersion,
  };
  try {
    return { ...common, answer: shown(operation.run(input, model)) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...common, refusal: { code: error.code, detail: plainDetail(error) } };
  }
}

/**
 * Evidence for the median in each country, and its surveys. Countries without a model are left out. For a
 * connected range, there are only the surveys of both dimensions.
 */
function evidenceOf(
  view: DimensionView,
  model: PredictionModel,
): Pick<ChartData, 'evidence' | 'surveys'> {
  const { kind, measurement, linked, gender, age } = view;
  const isConnected = kind === 'connected';
  const found: CountryEvidence[] = [];
  const used: Survey[] = [];
  for (const name of isConnected ? [measurement, linked] : [measurement]) {
    for (const country of view.countries) {
      const input = validateRequest(evidence, { measurement: name, gender, age, country });
      try {
        const { low, high, grade, basis, surveys } = evidence.run(input, model);
        const error = Number(((high - low) / 2).toPrecision(2));
        found.push({ country, grade, error, basis });
        used.push(...surveys);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    }
  }
  return { evidence: isConnected ? [] : found, surveys: titlesByUse(used) };
}

/**
 * Limits the countries of a view as `predict_compare` does. A call for one country does not check the
 * countries that are only drawn.
 *
 * @throws Problem of the API
 */
function refuseManyCountries(view: DimensionView): void {
  const { gender, age, countries } = view;
  if (countries.length < 2) return;
  // `predict_compare` has lengths only.
  const measurement = isMass(view.measurement) ? 'Stature' : view.measurement;
  validateRequest(predictCompare, { measurement, gender, age, percentile: 50, countries });
}

/** The API call that returns the exact numbers of a view with an exact age. */
export function exactCall(view: DimensionView): ExactCall {
  const { measurement, gender, age, clothing, posture, percentile, countries } = view;
  const [country = ''] = countries;
  const dressed = withoutDefaults({ clothing, posture, unit: apiUnit(view.unit) });
  if (view.kind === 'connected') {
    return callOf('connected_dimension', {
      anchorMeasurement: measurement,
      anchorPercentile: percentile,
      linkedMeasurement: view.linked,
      accommodationPercent: view.cover,
      ...{ gender, age, country, ...dressed },
    });
  }
  const person = { measurement, gender, age };
  if (view.kind === 'distribution' && view.value !== undefined) {
    return callOf('percentile_lookup', { ...person, value: view.value, country, ...dressed });
  }
  if (countries.length > 1) {
    return callOf('predict_compare', { ...person, percentile, countries, ...dressed });
  }
  if (view.kind === 'ages') {
    const percentiles = [...new Set([...BAND, percentile])].sort((a, b) => a - b);
    return callOf('predict_range', { ...person, percentiles, country, ...dressed });
  }
  return callOf('predict', { ...person, percentile, country, ...dressed });
}

function withoutDefaults(options: { clothing: string; posture: string; unit: string }) {
  const known: Readonly<Record<string, string>> = DEFAULTS;
  return Object.fromEntries(Object.entries(options).filter(([name, id]) => id !== known[name]));
}

function callOf(operation: OperationName, body: Record<string, unknown>): ExactCall {
  return exactCallOf(operationNamed(operation), body);
}

function operationOf({ operation }: ExactCall) {
  return operationNamed(operation);
}

function operationNamed(name: string) {
  const found = OPERATIONS.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`operation ${name} is not in OPERATIONS`);
  return found;
}

/** The answer without the points of its distribution. The picture has coarser points. */
function shown(answer: Record<string, unknown>): ExactAnswer {
  const { distributionPoints: _, ...rest } = answer;
  return rest as unknown as ExactAnswer;
}

const PICTURES: Readonly<
  Record<Picture['kind'], (view: DimensionView, model: PredictionModel) => Picture>
> = {
  distribution: (view, model) => ({
    kind: 'distribution',
    curves: view.countries.map((country) => ({
      country,
      ...curve({ ...view, countries: [country] }, model),
    })),
  }),
  ages: agesPicture,
  connected: (view, model) => ({
    kind: 'connected',
    anchor: curve(view, model),
    linked: curve({ ...view, measurement: view.linked }, model),
    given: givenCurve(view, model),
  }),
};

/** Coarse values at these percentiles in the population of the first country. */
function curve(
  view: DimensionView,
  model: PredictionModel,
  percentiles: readonly number[] = CURVE_PERCENTILES,
): CoarseCurve {
  const { measurement, gender, age, clothing, posture, countries, unit } = view;
  const [country] = countries;
  if (isMass(measurement)) {
    const cell = cellOf(validateRequest(evidence, { measurement, gender, age, country }));
    const plain = model.bodyValues(measurement, cell, percentiles);
    const values = plain.map((one) => coarse(one, unit));
    return { percentiles, values };
  }
  const body = { measurement, gender, age, percentiles, country, clothing, posture, unit: 'mm' };
  const { values } = predictRange.run(validateRequest(predictRange, body), model);
  return { percentiles, values: values.map(({ value }) => coarse(value, unit)) };
}

function givenCurve(view: DimensionView, model: PredictionModel): CoarseCurve {
  const body = { ...exactCall(view).body, unit: 'mm' };
  const input = validateRequest(connectedDimension, body);
  const { distributionPoints } = connectedDimension.run(input, model);
  const kept = distributionPoints.filter(({ percentile }) =>
    CURVE_PERCENTILES.some((wanted) => wanted === percentile),
  );
  return {
    percentiles: kept.map(({ percentile }) => percentile),
    values: kept.map(({ value }) => coarse(value, view.unit)),
  };
}

function agesPicture(view: DimensionView, model: PredictionModel): Picture {
  const several = view.countries.length > 1;
  const wanted = view.countries.map((country, index) => ({
    country,
    // A single country has nine centiles. With several countries, only the first has the band. Every country
    // has a line at the chosen percentile.
    percentiles: [...new Set([...bandOf(index, several), view.percentile])],
  }));
  const lines = wanted.flatMap(({ country, percentiles }) =>
    percentiles.map((percentile) => ({ country, percentile, values: [] as (number | null)[] })),
  );
  const gaps: AgeGap[] = [];
  let refused: Problem | undefined;
  for (const age of AGES_YEARS) {
    try {
      const values = wanted.flatMap(({ country, percentiles }) => {
        const at = { ...view, age, countries: [country] };
        return curve(at, model, percentiles).values;
      });
      for (const [index, line] of lines.entries()) line.values.push(values[index] ?? null);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refused ??= error;
      for (const line of lines) line.values.push(null);
      extend(gaps, age, plainDetail(error));
    }
  }
  if (refused !== undefined && lines.every(isEmpty)) throw refused;
  const { measurement, gender, countries } = view;
  const question = { measurement, gender: gender as Gender, country: countries[0] ?? '' };
  const measured = measuredAges(model.manifest, question);
  return { kind: 'ages', agesYears: AGES_YEARS, lines, gaps, measured };
}

function bandOf(index: number, several: boolean): readonly number[] {
  if (!several) return CURVE_PERCENTILES;
  return index === 0 ? BAND : [];
}

function isEmpty({ values }: AgeLine): boolean {
  return values.every((value) => value === null);
}

/** Adds an age without a model to the gap that ends at the previous age. Otherwise starts a new gap. */
function extend(gaps: AgeGap[], age: number, reason: string): void {
  const last = gaps.at(-1);
  const before = AGES_YEARS[AGES_YEARS.indexOf(age) - 1];
  if (last !== undefined && last.toYears === before) {
    gaps[gaps.length - 1] = { ...last, toYears: age };
  } else gaps.push({ fromYears: age, toYears: age, reason });
}
