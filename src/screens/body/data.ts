import { isTemporary, Problem } from '../../core/errors.js';
import { MEASUREMENTS } from '../../core/measurements.js';
import { BODY_COST } from '../../operations/body.js';
import { BODY_QUANTITIES } from '../../operations/fields.js';
import { populationPercentiles } from '../../operations/population-percentiles.js';
import { WHOLE_VIEWS } from '../../render/frames.js';
import { seriesColour } from '../../site/drawing-colours.js';
import { deviceHeightPx } from '../../site/pictures/addresses.js';
import { BANDS } from '../../site/pictures/people-layout.js';
import {
  DOWNLOAD_ADDRESS,
  FILES_FROM_YEARS,
  PERSON_ADDRESS,
  type PersonView,
} from '../person/address.js';
import { addressOf } from '../shared/address-fields.js';
import type { ExactCall } from '../shared/data-types.js';
import { evidenceOf, type Survey, titlesByUse } from '../shared/evidence.js';
import {
  type FoundPerson,
  foundPersons,
  type Known,
  type KnownValues,
} from '../shared/found-person.js';
import { exactCallOf, type FreeAnswers } from '../shared/free-computations.js';
import { plainWords } from '../shared/plain-words.js';
import {
  type ChosenPopulation,
  clothingOf,
  populationBody,
  populationLabel,
} from '../shared/populations.js';
import type { BodyView } from './address.js';
import {
  BODY_PERCENTILES,
  type BodyData,
  type BodyPerson,
  type BodyPopulation,
  type BodyRow,
} from './data-types.js';

/**
 * The data of the Body screen. For each population, they are percentiles of the chosen dimensions from the
 * API, rounded percentiles of the heights in the picture, and three drawn people. Nothing is charged.
 *
 * @param left aborted when nobody waits for the data any more
 * @param personPx height of a person on the page, CSS pixels
 * @throws Problem of the API if every population is refused
 */
export async function bodyDataOf(
  view: DataView,
  free: FreeAnswers,
  artifactVersion: string,
  left?: AbortSignal,
  personPx = PERSON_PX,
): Promise<BodyData> {
  refuseMasses(view.measurements);
  const outcomes: Outcome[] = [];
  const atOnce = free.isIdle() ? AT_ONCE : 1;
  for (let from = 0; from < view.populations.length; from += atOnce) {
    const some = view.populations.slice(from, from + atOnce);
    const outcomeOf = (one: ChosenPopulation, index: number) => {
      const heightPx = deviceHeightPx(personPx);
      const drawn = { heightPx, suit: seriesColour(from + index) };
      return outcomeOfPopulation(view, one, drawn, free, left);
    };
    outcomes.push(...(await Promise.all(some.map(outcomeOf))));
  }
  const answered = outcomes.some((outcome) => 'surveys' in outcome);
  const [first] = outcomes;
  if (!answered && first !== undefined && 'refused' in first) throw first.refused;
  const populations = outcomes.map(({ population }) => population);
  const used = outcomes.flatMap((outcome) => ('surveys' in outcome ? outcome.surveys : []));
  const { posture, side } = view;
  const surveys = titlesByUse(used);
  const hasFiles = populations.some(({ persons }) => persons?.some(({ files }) => files));
  return {
    ...{ populations, hasBodies: free.hasBodies(), posture, side, surveys, artifactVersion },
    ...(hasFiles ? { fileCredits: BODY_COST } : {}),
  };
}

/** The result for a population: its numbers with the surveys behind them, or the reason for a refusal. */
type Outcome = { readonly population: BodyPopulation } & (
  | { readonly surveys: readonly Survey[] }
  | { readonly refused: Problem }
);

/** Number of populations that one page computes at once. A higher number would delay other pages. */
const AT_ONCE = 2;

async function outcomeOfPopulation(
  view: DataView,
  population: ChosenPopulation,
  drawn: Drawn,
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<Outcome> {
  const label = populationLabel(population);
  try {
    const { surveys, ...numbers } = await populationOf(view, population, drawn, free, left);
    return { population: { label, ...numbers }, surveys };
  } catch (error) {
    if (!(error instanceof Problem) || isTemporary(error.code)) throw error;
    const detail = plainWords(error.extras.errors?.[0] ?? error.sentence);
    return { population: { label, refusal: { code: error.code, detail } }, refused: error };
  }
}

/** The parts of a view that decide its data. */
type DataView = Pick<BodyView, 'populations' | 'measurements' | 'posture' | 'side'>;

/** Refuses masses, because the screen has no unit for them. */
function refuseMasses(measurements: readonly string[]): void {
  const mass = measurements.find((name) => BODY_QUANTITIES.includes(name));
  if (mass === undefined) return;
  const message = `${mass} is no length. Choose one of the ${MEASUREMENTS.length} dimensions.`;
  throw new Problem('validation_error', message);
}

/** What the pictures of a population's people need besides the people. */
interface Drawn {
  readonly heightPx: number;
  /** Colour of the suits. */
  readonly suit: string;
}

/** Height of the tallest person on a page, CSS pixels. */
const PERSON_PX = 560;

async function populationOf(
  view: DataView,
  population: ChosenPopulation,
  pictures: Drawn,
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<Omit<BodyPopulation, 'label'> & { readonly surveys: readonly Survey[] }> {
  const { measurements, posture } = view;
  const { answer } = free;
  const exact = await numbersOf(population, measurements, population, free, left);
  const bands = BANDS[posture].map(({ measurement }) => measurement);
  const drawn = callOf(population, [...new Set([...bands, 'Stature', 'BodyMass'])]);
  const heights = await answer(populationPercentiles, drawn.body, left);
  const valuesOf = (name: string, of = heights): number[] =>
    of.measurements
      .find(({ measurement }) => measurement === name)
      ?.values.map(({ value }) => value) ?? [];
  const asPosed =
    posture === 'relaxed'
      ? await answer(
          populationPercentiles,
          { ...callOf(population, bands).body, posture: 'standing_relaxed' },
          left,
        )
      : heights;
  const lossMm = (name: string, index: number): number =>
    (valuesOf(name)[index] ?? 0) - (valuesOf(name, asPosed)[index] ?? 0);
  return {
    ...exact,
    bandsMm: bands.map((name) => valuesOf(name, asPosed).map(Math.round)),
    ...(await personsOf(view, population, pictures, { valuesOf, lossMm }, free, left)),
  };
}

/** The exact numbers of a population, and the surveys behind its medians. */
export interface Numbers extends Pick<BodyPopulation, 'call' | 'people'> {
  readonly rows: readonly BodyRow[];
  readonly surveys: readonly Survey[];
}

/**
 * The API's percentiles of dimensions of a population.
 *
 * @param known the people whose evidence counts
 */
export async function numbersOf(
  population: ChosenPopulation,
  measurements: readonly string[],
  known: ChosenPopulation,
  { answer }: FreeAnswers,
  left?: AbortSignal,
): Promise<Numbers> {
  const call = callOf(population, measurements);
  const exact = await answer(populationPercentiles, call.body, left);
  const rows: BodyRow[] = [];
  const surveys: Survey[] = [];
  for (const { measurement, mean, sd, values } of exact.measurements) {
    const found = await evidenceOf(measurement, known, answer);
    surveys.push(...(found?.surveys ?? []));
    rows.push({
      measurement,
      meanMm: mean,
      sdMm: sd,
      valuesMm: values.map(({ value }) => value),
      ...(found === undefined ? {} : { evidence: found.worst }),
    });
  }
  return { call, people: Number(exact.people.toPrecision(3)), rows, surveys };
}

/** Heights of a population, mm: percentiles of erect people, and what the posture of the picture takes from each. */
interface Heights {
  valuesOf(name: string): readonly number[];
  lossMm(name: string, index: number): number;
}

/** A small, the median and a large person. Stature and body mass at `BODY_PERCENTILES` determine each person. */
async function personsOf(
  { posture, side }: DataView,
  population: ChosenPopulation,
  { heightPx, suit }: Drawn,
  { valuesOf, lossMm }: Heights,
  free: FreeAnswers,
  left?: AbortSignal,
): Promise<Pick<BodyPopulation, 'persons'>> {
  if (!free.hasBodies()) return {};
  const known: KnownValues[] = [];
  for (const [index] of BODY_PERCENTILES.entries()) {
    const [stature, mass] = [valuesOf('Stature')[index], valuesOf('BodyMass')[index]];
    if (stature === undefined) return {};
    known.push([
      { measurement: 'Stature', value: stature },
      ...(mass === undefined ? [] : [{ measurement: 'BodyMass', value: mass }]),
    ]);
  }
  const all = await foundPersons(population, known, clothingOf(population), free, left);
  const found = all.filter((one) => one !== undefined);
  if (found.length < all.length) return {};
  const name = WHOLE_VIEWS[posture][side];
  const persons = found.map((one, index) => {
    const { who, person } = one;
    const { valuesMm } = person;
    const picture = free.addresses.page({ person, view: name, suit, heightPx });
    const heightsMm = BANDS[posture].map(({ measurement, overSeat }) => {
      const mm = valuesMm[measurement] ?? 0;
      if (overSeat === true) return mm + (valuesMm.PoplitealHeight ?? 0);
      return picture.lying === undefined ? mm - lossMm(measurement, index) : mm;
    });
    const files = filesOf(one, known[index] ?? [], population, posture);
    return { who, picture, heightsMm, ...(files && { files }) };
  });
  return { persons };
}

/** The addresses of the pages that download the body of a drawn person; undefined for people who wear something or lie. */
function filesOf(
  { country, person: { gender, ageYears } }: FoundPerson,
  known: readonly Known[],
  population: ChosenPopulation,
  posture: BodyView['posture'],
): BodyPerson['files'] {
  if (ageYears < FILES_FROM_YEARS || clothingOf(population) !== 'nude') return undefined;
  const pose = posture === 'sitting' ? 'sitting' : 'standing';
  const view: PersonView = { ...PERSON_ADDRESS.read(''), gender, ageYears, country, known, pose };
  const file = (format: 'glb' | 'dxf') => addressOf(DOWNLOAD_ADDRESS, { view, format });
  return { glb: file('glb'), dxf: file('dxf') };
}

/** The call that returns the percentiles of these dimensions of a population. */
function callOf(population: ChosenPopulation, measurements: readonly string[]): ExactCall {
  const clothing = clothingOf(population);
  return exactCallOf(populationPercentiles, {
    population: populationBody(population),
    measurements: [...measurements],
    percentiles: [...BODY_PERCENTILES],
    ...(clothing === 'nude' ? {} : { clothing }),
  });
}
