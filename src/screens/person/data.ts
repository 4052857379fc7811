import { DIMENSION_NAMES } from '../../body/dimensions.js';
import { Problem } from '../../core/errors.js';
import { body } from '../../operations/body.js';
import type { BodyPersonInput } from '../../operations/body-request.js';
import { boundaryCases } from '../../operations/boundary-cases.js';
import { completePerson } from '../../operations/complete-person.js';
import type { AnswerOf } from '../../operations/operation.js';
import { percentileLookup } from '../../operations/percentile-lookup.js';
import { samplePeople } from '../../operations/sample-people.js';
import { validateRequest } from '../../operations/validate.js';
import type { PictureOf } from '../../render/picture.js';
import { seriesColour } from '../../site/drawing-colours.js';
import { inWords } from '../../site/labels.js';
import { deviceHeightPx } from '../../site/pictures/addresses.js';
import type { ExactCall } from '../shared/data-types.js';
import { surveysOfAll } from '../shared/evidence.js';
import { type Completed, MEDIAN, wordsOf } from '../shared/found-person.js';
import { exactCallOf, type FreeAnswers } from '../shared/free-computations.js';
import { exactAge, populationsLabel } from '../shared/populations.js';
import { groupsTogether } from '../shared/together.js';
import {
  CASE_DIMENSIONS,
  CASES,
  FILES_FROM_YEARS,
  type KnownValue,
  kindOf,
  PERSON_ADDRESS,
  type PersonView,
} from './address.js';
import type { PersonData } from './data-types.js';

type Answer = FreeAnswers['answer'];

/** A person of a view, in the form of the operation `body`. */
export interface AskedPerson {
  readonly person: BodyPersonInput;
  readonly source: string;
  readonly cases?: readonly string[];
  /** The call that found a drawn or a boundary person. */
  readonly call?: ExactCall;
}

type WholePerson = AnswerOf<typeof samplePeople>['people'][number];

/** Text of the screen for a model without bodies. */
const NO_PERSON =
  'This service has no bodies in three dimensions: its data were built without the mesh of MakeHuman. The other screens show the sizes of people in numbers and charts.';

/** The quantities that determine a body. */
const SHOWN_NAMES: readonly string[] = [...DIMENSION_NAMES, 'BodyMass'];

/**
 * The data of the Person screen: the person's light body with the report of the operation `body`. Nothing is
 * charged.
 *
 * @param left aborted when nobody waits for the data any more
 * @throws Problem of the API
 */
export async function personDataOf(
  view: PersonView,
  free: FreeAnswers,
  artifactVersion: string,
  left?: AbortSignal,
): Promise<PersonData> {
  if (!free.hasBodies()) {
    throw new Problem('model_not_found', NO_PERSON);
  }
  const asked = await askedPerson(view, free.answer, left);
  const { person, source, cases } = asked;
  const { pose } = view;
  const { country = 'US', gender, age } = person;
  const isLying = age < FILES_FROM_YEARS;
  const shown = isLying
    ? await lyingPerson(asked, free.answer, left)
    : await standingPerson(person, pose, free);
  const { note, ...own } = shown;
  return {
    who: wordsOf({ gender, age, country: country as string }),
    source: note === undefined ? source : `${source} ${note}`,
    cases,
    pose,
    ...own,
    percentiles: await percentilesOf(own.readings, { gender, age, country }, free, left),
    picture: free.addresses.page(pictureOfPerson(view, person, own)),
    surveys: await surveysOf(person, free),
    artifactVersion,
  };
}

/** The percentiles of lengths among nude people of a kind. */
async function percentilesOf(
  readings: PersonData['readings'],
  kind: object,
  { answers }: FreeAnswers,
  left?: AbortSignal,
): Promise<PersonData['percentiles']> {
  const bodies = readings.map(({ measurement, asked, achieved }) => ({
    ...{ ...kind, measurement, value: asked ?? achieved },
  }));
  const { found } = await answers({ found: [percentileLookup, bodies] }, left);
  return Object.fromEntries(
    found.flatMap((one) =>
      one instanceof Problem ? [] : [[one.measurement, one.percentile] as const],
    ),
  );
}

/** What the page shows of a person, by the way of finding it. */
type ShownPerson = Pick<
  PersonData,
  'positions' | 'lines' | 'seatMm' | 'readings' | 'massKg' | 'volumeLitres' | 'call'
> & { readonly note?: string | undefined };

/** The light body of a person, as the tape measures it. */
async function standingPerson(
  person: BodyPersonInput,
  pose: PersonView['pose'],
  free: FreeAnswers,
): Promise<ShownPerson> {
  const call = bodyCallOf(person, pose, 'glb');
  validateRequest(body, call.body);
  const { positions, lines, seatMm, report } = await free.body({ person, pose });
  return {
    ...{ positions, lines, seatMm, call },
    readings: report.measurements.filter(({ measurement }) => measurement !== 'BodyMass'),
    massKg: report.mass,
    volumeLitres: report.volume,
    note: report.note,
  };
}

/** The dimensions of a person who lies: those of a drawn person, or the predicted ones. */
async function lyingPerson(
  { person, call }: AskedPerson,
  answer: Answer,
  left?: AbortSignal,
): Promise<ShownPerson> {
  const { gender, age, country, known = [], measurements } = person;
  const predicted = exactCallOf(completePerson, {
    ...{ gender, age, country, wanted: SHOWN_NAMES },
    known: known.length === 0 ? MEDIAN : known,
  });
  const values =
    (measurements as Readonly<Record<string, number>> | undefined) ??
    expectedOf((await answer(completePerson, predicted.body, left)).measurements);
  return {
    lines: [],
    readings: DIMENSION_NAMES.map((measurement) => ({
      measurement,
      ...{ asked: values[measurement] ?? null, achieved: null },
    })),
    massKg: values.BodyMass as number,
    call: call ?? predicted,
  };
}

function expectedOf(measurements: Completed['measurements']): Readonly<Record<string, number>> {
  return Object.fromEntries(
    measurements.map(({ measurement, expected }) => [measurement, expected]),
  );
}

/** Height of the person on a page, CSS pixels. */
const PERSON_PX = 520;

/** A picture of the person. Values that a visitor knows may be those of the visitor's own body. */
function pictureOfPerson(
  view: PersonView,
  { gender, age }: BodyPersonInput,
  { readings, massKg }: ShownPerson,
): PictureOf {
  const valuesMm = Object.fromEntries(
    readings.map(({ measurement, asked, achieved }) => [measurement, asked ?? achieved ?? 0]),
  );
  return {
    person: { gender, ageYears: age, valuesMm, massKg },
    view: view.pose === 'sitting' ? 'sittingSide' : 'standingThreeQuarter',
    suit: seriesColour(0),
    heightPx: deviceHeightPx(PERSON_PX),
    isOwn: PERSON_ADDRESS.isOwn?.(view),
  };
}

/** Surveys behind the medians of the dimensions that determine a body. */
async function surveysOf(
  { gender, age, country = 'US' }: BodyPersonInput,
  free: FreeAnswers,
): Promise<readonly string[] | undefined> {
  const population = {
    gender,
    countries: [country as string],
    ageMin: Math.floor(age),
    ageMax: Math.floor(age),
  };
  return await surveysOfAll(DIMENSION_NAMES, [population], free);
}

/** The call that answers with the full body of a person as a file. */
export function bodyCallOf(person: BodyPersonInput, pose: PersonView['pose'], format: string) {
  return exactCallOf(body, { person, pose, format, detail: 'full' });
}

/**
 * The person of a view. The operation `body` itself completes the person, or another operation finds one.
 *
 * @throws Problem of these operations
 */
export async function askedPerson(
  view: PersonView,
  answer: Answer,
  left?: AbortSignal,
): Promise<AskedPerson> {
  if (view.from === 'values') return completed(view);
  const population = { groups: groupsTogether(view.populations) };
  const label = populationsLabel(view.populations);
  if (view.from === 'sample') {
    const asked = { population, count: 1, seed: view.seed, measurements: SHOWN_NAMES };
    const { people } = await answer(samplePeople, asked, left);
    const source = `Drawn at random from ${label}; person ${view.seed}.`;
    const call = exactCallOf(samplePeople, asked);
    return { person: wholePerson(people[0] as WholePerson), source, call };
  }
  const { measurements, targetPercent, caseNumber } = view;
  if (measurements.length < CASE_DIMENSIONS.least) {
    const message = 'Boundary people differ in two measurements at least. Add another one.';
    throw new Problem('validation_error', message);
  }
  const asked = { population, measurements, targetShare: targetPercent / 100, count: CASES };
  const { cases } = await answer(boundaryCases, asked, left);
  const found = (cases[Math.round(caseNumber) - 1] ?? cases[0]) as (typeof cases)[number];
  const source = `One of ${cases.length} people at the boundary of ${targetPercent} % of ${label}: ${found.name}.`;
  const names = cases.map(({ name }) => name);
  return {
    person: wholePerson(found),
    source,
    cases: names,
    call: exactCallOf(boundaryCases, asked),
  };
}

function completed(view: PersonView): AskedPerson {
  const { gender, age: completedYears, country } = kindOf(view);
  const age = exactAge(completedYears);
  const known = view.known.map(({ measurement, value, percentile }) =>
    value === undefined ? { measurement, percentile } : { measurement, value },
  );
  const person = { gender, age, country, known } as BodyPersonInput;
  const source =
    known.length === 0
      ? 'The median person of this gender, age and country.'
      : `The most probable person with ${view.known.map(knownWords).join(', ')}.`;
  return { person, source };
}

function knownWords({ measurement, value, percentile }: KnownValue): string {
  const words = inWords(measurement).toLowerCase();
  if (value === undefined) return `${words} at P${percentile}`;
  return `${words} ${value} ${measurement === 'BodyMass' ? 'kg' : 'mm'}`;
}

function wholePerson({
  country,
  gender,
  age: completed,
  measurements,
}: WholePerson): BodyPersonInput {
  const age = exactAge(completed);
  const own = Object.entries(measurements).filter(([name]) => SHOWN_NAMES.includes(name));
  return { gender, age, country, measurements: Object.fromEntries(own) } as BodyPersonInput;
}
