import { BodyBuilder, type BodyPerson, type BodyReport, REACH_MM } from '../src/body/body.js';
import {
  BODY_DIMENSIONS,
  DIMENSION_NAMES,
  DIMENSIONS,
  type Dimension,
} from '../src/body/dimensions.js';
import { glbOf } from '../src/body-files/glb.js';
import type { Gender } from '../src/core/genders.js';
import { openArtifact } from '../src/lookup/open-artifact.js';
import { PredictionModel } from '../src/operations/prediction-model.js';
import { samplePeople } from '../src/operations/sample-people.js';
import { median } from './load.js';
import { ARTIFACTS_DIR } from './service.js';
import { atLeast, atMost, type Figure, figure } from './table.js';

/** Twenty countries of all regions. */
const COUNTRIES = [
  ...['US', 'DE', 'JP', 'CN', 'IN', 'BR', 'NG', 'NL', 'MX', 'ID'],
  ...['EG', 'ET', 'FR', 'RU', 'TR', 'PH', 'ZA', 'GR', 'PL', 'TH'],
];
const ADULTS = { ageMin: 18, ageMax: 90, count: 200 };
const CHILDREN = { ageMin: 2, ageMax: 17, count: 100 };
const SEED = 11;

/** Breadths and depths that do not fit the girths of the same person. */
const CONTRADICTING: readonly Dimension[] = [
  ...(['ShoulderBreadthBiacromial', 'ShoulderBreadthBideltoid', 'ChestBreadth'] as const),
  ...(['ChestDepth', 'StandingHipBreadth', 'TrunkDepthAtButtocks'] as const),
];
/** What a sitting body keeps of the standing one. */
const SEATED_PARTS: readonly Dimension[] = [
  ...(['ShoulderBreadthBideltoid', 'ShoulderBreadthBiacromial', 'SittingHipBreadth'] as const),
  'UpperArmCircumferenceMidpoint',
];
const SITTING = DIMENSION_NAMES.filter((name) => DIMENSIONS[name] === 'sitting');
const GIRTHS = DIMENSION_NAMES.filter((name) => DIMENSIONS[name] === 'girth');
const LENGTHS = DIMENSION_NAMES.filter((name) => !GIRTHS.includes(name) && !SITTING.includes(name));

interface Built {
  readonly person: BodyPerson;
  readonly bmi: number;
  readonly report: BodyReport;
  /** Processor time of fitting the body. */
  readonly usedMs: number;
}

function draw(model: PredictionModel, ages: typeof ADULTS): { person: BodyPerson; bmi: number }[] {
  const { ageMin, ageMax, count } = ages;
  const groups = COUNTRIES.map((country) => ({ countries: [country], ageMin, ageMax }));
  const answer = samplePeople.run({ population: { groups }, count, seed: SEED }, model);
  return answer.people.map(({ gender, age, measurements }) => ({
    bmi: measurements.BMI as number,
    person: {
      gender: gender as Gender,
      ageYears: age,
      massKg: measurements.BodyMass,
      dimensions: new Map(
        BODY_DIMENSIONS.flatMap((name) => {
          const value = measurements[name];
          return value === undefined ? [] : [[name, value] as const];
        }),
      ),
    },
  }));
}

/**
 * Differences between achieved and asked values, mm. A person who is out of reach counts as a miss in every dimension.
 */
function differences(built: readonly Built[], names: readonly Dimension[]): number[] {
  return built.flatMap(({ report }) =>
    report.readings.flatMap(({ measurement, askedMm, achievedMm }) => {
      if (askedMm === undefined || !names.includes(measurement)) return [];
      return [report.worstMm > REACH_MM ? Infinity : Math.abs(achievedMm - askedMm)];
    }),
  );
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const worstOf = (built: readonly Built[]): number =>
  Math.max(...built.map(({ report }) => report.worstMm));

/** The people whose rank in BMI among their gender lies between two shares. */
function ranked(built: readonly Built[], low: number, high: number): Built[] {
  return built.filter((one) => {
    const same = built.filter(({ person }) => person.gender === one.person.gender);
    const rank = (same.filter(({ bmi }) => bmi < one.bmi).length + 0.5) / same.length;
    return rank >= low && rank <= high;
  });
}

/** Measures how well bodies meet the dimensions of people drawn from the model. */
export async function* bodies(): AsyncGenerator<Figure> {
  const views = openArtifact(ARTIFACTS_DIR);
  if (views.shape === undefined) throw new Error('These artifacts were built without makehuman.');
  const model = new PredictionModel(views);
  const builder = new BodyBuilder(views.shape);
  const build = ({ person, bmi }: Pick<Built, 'person' | 'bmi'>): Built => {
    const before = process.cpuUsage();
    const fitted = builder.fit(person);
    const usedMs = process.cpuUsage(before).user / 1000;
    return { person, bmi, report: fitted.report, usedMs };
  };
  const adults = draw(model, ADULTS).map(build);
  const children = draw(model, CHILDREN).map(build);
  const some = LENGTHS.filter((name) => !CONTRADICTING.includes(name));
  for (const [who, floor, what, built, names, limitMm] of [
    ['adults', 95, 'lengths within 3 mm without six', adults, some, 3],
    ['adults', 85, 'lengths within 3 mm', adults, LENGTHS, 3],
    ['adults', 98, 'girths within 8 mm', adults, GIRTHS, 8],
    ['children', 83, 'lengths within 3 mm', children, LENGTHS, 3],
    ['children', 95, 'girths within 8 mm', children, GIRTHS, 8],
  ] as const) {
    const within = differences(built, names).map((value) => (value <= limitMm ? 100 : 0));
    yield atLeast(floor, `bodies: ${who}, ${what}`, meanOf(within), '%');
  }
  const middle = worstOf(ranked(adults, 0.05, 0.95));
  yield atMost(15, 'bodies: worst residual, BMI P5–P95', middle, 'mm');
  yield atMost(25, 'bodies: worst residual, BMI P1–P99', worstOf(ranked(adults, 0.01, 0.99)), 'mm');
  const all = [...adults, ...children];
  const reached = all.filter(({ report }) => report.worstMm <= REACH_MM);
  const sitting = SITTING.map((name) => differences(reached, [name]));
  const largest = Math.max(...sitting.map(meanOf));
  yield atMost(3, 'bodies: sitting dimensions, largest mean', largest, 'mm');
  yield atMost(12, 'bodies: sitting dimensions, worst', Math.max(...sitting.flat()), 'mm');
  const massPercent = ({
    report,
    person: { massKg = Number.NaN },
  }: Pick<Built, 'report' | 'person'>): number =>
    100 * ((report.volumeLitres * report.densityKgPerLitre) / massKg - 1);
  const masses = all.map(massPercent);
  yield atMost(0.2, 'bodies: mass, mean error', Math.abs(meanOf(masses)), '%');
  yield atMost(1, 'bodies: mass, largest error', Math.max(...masses.map(Math.abs)), '%');
  const seated = [...adults.slice(0, 30), ...children.slice(0, 10)].map(({ person }) => ({
    person,
    report: builder.mesh(builder.fit(person), 'sitting', 'full').report,
  }));
  const seatedMass = Math.max(...seated.map((one) => Math.abs(massPercent(one))));
  yield atMost(1, 'bodies: 40 sitting, largest error of mass', seatedMass, '%');
  const off = (names: readonly Dimension[]): number =>
    Math.max(
      ...seated.flatMap(({ report }) =>
        report.readings.flatMap(({ measurement, askedMm, achievedMm }) =>
          askedMm === undefined || !names.includes(measurement)
            ? []
            : [Math.abs(achievedMm - askedMm)],
        ),
      ),
    );
  yield atMost(10, 'bodies: 40 sitting, breadths and upper arms', off(SEATED_PARTS), 'mm');
  yield atMost(
    25,
    'bodies: 40 sitting, worst',
    Math.max(...seated.map(({ report }) => report.worstMm)),
    'mm',
  );
  const overlaps = (reports: readonly BodyReport[]) =>
    100 * Math.max(...reports.map(({ overlap }) => overlap));
  const stand = overlaps(all.map(({ report }) => report));
  yield atMost(1, 'bodies: standing, largest overlap', stand, '%');
  const sit = overlaps(seated.map(({ report }) => report));
  yield atMost(1, 'bodies: 40 sitting, largest overlap', sit, '%');
  yield figure('bodies: out of reach', all.length - reached.length, 'of 300');
  const usedMs = median(adults.map((one) => one.usedMs));
  yield atMost(150, 'bodies: processor time of one', usedMs, 'ms');
  const first = builder.fit((adults[0] as Built).person);
  const glb = await glbOf(builder.mesh(first, 'standing', 'full'));
  yield atMost(700, 'bodies: GLB', glb.length / 1000, 'kB');
}
