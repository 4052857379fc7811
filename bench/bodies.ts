import { BodyBuilder, type BodyPerson, type BodyReport, REACH_MM } from '../src/body/body.js';
import { DIMENSION_NAMES, DIMENSIONS, type Dimension } from '../src/body/dimensions.js';
import { glbOf } from '../src/body-files/glb.js';
import type { Gender } from '../src/core/genders.js';
import { openArtifact } from '../src/lookup/open-artifact.js';
import { PredictionModel } from '../src/operations/prediction-model.js';
import { samplePeople } from '../src/operations/sample-people.js';
import { median } from './compare.js';
import type { Line } from './table.js';

// How well bodies of people who were drawn from the model meet their dimensions.

/** Twenty countries of all regions. */
const COUNTRIES = [
  ...['US', 'DE', 'JP', 'CN', 'IN', 'BR', 'NG', 'NL', 'MX', 'ID'],
  ...['EG', 'ET', 'FR', 'RU', 'TR', 'PH', 'ZA', 'GR', 'PL', 'TH'],
];
const ADULTS = { ageMin: 18, ageMax: 90, count: 200 };
const CHILDREN = { ageMin: 2, ageMax: 17, count: 100 };
const SEED = 11;

/** Breadths and depths that contradict the girths of the same person. */
const CONTRADICTING: readonly Dimension[] = [
  ...(['ShoulderBreadthBiacromial', 'ShoulderBreadthBideltoid', 'ChestBreadth'] as const),
  ...(['ChestDepth', 'StandingHipBreadth', 'TrunkDepthAtButtocks'] as const),
];
const SITTING = DIMENSION_NAMES.filter((name) => DIMENSIONS[name] === 'sitting');
const GIRTHS = DIMENSION_NAMES.filter((name) => DIMENSIONS[name] === 'girth');
const LENGTHS = DIMENSION_NAMES.filter((name) => !GIRTHS.includes(name) && !SITTING.includes(name));

interface Built {
  readonly person: BodyPerson;
  readonly bmi: number;
  readonly report: BodyReport;
  readonly milliseconds: number;
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
        DIMENSION_NAMES.flatMap((name) => {
          const value = measurements[name];
          return value === undefined ? [] : [[name, value] as const];
        }),
      ),
    },
  }));
}

/** Differences of achieved and asked, mm. A person who is out of reach counts as a miss in every dimension. */
function differences(built: readonly Built[], names: readonly Dimension[]): number[] {
  return built.flatMap(({ report }) =>
    report.readings.flatMap(({ measurement, askedMm, achievedMm }) => {
      if (askedMm === undefined || !names.includes(measurement)) return [];
      return [report.worstMm > REACH_MM ? Infinity : Math.abs(achievedMm - askedMm)];
    }),
  );
}

const within = (values: readonly number[], limit: number): number =>
  (100 * values.filter((value) => value <= limit).length) / values.length;
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The people whose BMI ranks between two shares of their gender's. */
function ranked(built: readonly Built[], low: number, high: number): Built[] {
  return built.filter((one) => {
    const same = built.filter(({ person }) => person.gender === one.person.gender);
    const rank = (same.filter(({ bmi }) => bmi < one.bmi).length + 0.5) / same.length;
    return rank >= low && rank <= high;
  });
}

const worstOf = (built: readonly Built[]): number =>
  Math.max(...built.map(({ report }) => report.worstMm));

/** Lines of the bodies. */
export async function bodyLines(artifactsDir: string): Promise<Line[]> {
  const views = openArtifact(artifactsDir);
  if (views.shape === undefined) throw new Error('These artifacts were built without makehuman.');
  const model = new PredictionModel(views);
  const builder = new BodyBuilder(views.shape);
  const build = ({ person, bmi }: { person: BodyPerson; bmi: number }): Built => {
    const before = process.cpuUsage();
    const { report } = builder.fit(person);
    const milliseconds = process.cpuUsage(before).user / 1000;
    return { person, bmi, report, milliseconds };
  };
  const adults = draw(model, ADULTS).map(build);
  const children = draw(model, CHILDREN).map(build);
  const mass = ({ person, report }: Built): number =>
    Math.abs(report.volumeLitres * report.densityKgPerLitre - (person.massKg ?? Number.NaN));
  const some = LENGTHS.filter((name) => !CONTRADICTING.includes(name));
  const sitting = SITTING.map((name) =>
    differences(
      [...adults, ...children].filter(({ report }) => report.worstMm <= REACH_MM),
      [name],
    ),
  );
  const first = adults[0] as Built;
  const glb = await glbOf(builder.mesh(builder.fit(first.person), 'standing', 'full'), {});
  const refused = [...adults, ...children].filter(({ report }) => report.worstMm > REACH_MM);
  return [
    {
      measure: 'bodies: adults, lengths within 3 mm without six',
      value: within(differences(adults, some), 3),
      unit: '%',
      floor: 95,
    },
    {
      measure: 'bodies: adults, lengths within 3 mm',
      value: within(differences(adults, LENGTHS), 3),
      unit: '%',
      floor: 85,
    },
    {
      measure: 'bodies: adults, girths within 8 mm',
      value: within(differences(adults, GIRTHS), 8),
      unit: '%',
      floor: 98,
    },
    {
      measure: 'bodies: children, lengths within 3 mm',
      value: within(differences(children, LENGTHS), 3),
      unit: '%',
      floor: 83,
    },
    {
      measure: 'bodies: children, girths within 8 mm',
      value: within(differences(children, GIRTHS), 8),
      unit: '%',
      floor: 95,
    },
    {
      measure: 'bodies: worst residual, BMI P5–P95',
      value: worstOf(ranked(adults, 0.05, 0.95)),
      unit: 'mm',
      ceiling: 15,
    },
    {
      measure: 'bodies: worst residual, BMI P1–P99',
      value: worstOf(ranked(adults, 0.01, 0.99)),
      unit: 'mm',
      ceiling: 25,
    },
    {
      measure: 'bodies: sitting dimensions, largest mean',
      value: Math.max(...sitting.map(meanOf)),
      unit: 'mm',
      ceiling: 3,
    },
    {
      measure: 'bodies: sitting dimensions, worst',
      value: Math.max(...sitting.flat()),
      unit: 'mm',
      ceiling: 12,
    },
    {
      measure: 'bodies: adults, mass of the volume',
      value: meanOf(adults.map(mass)),
      unit: 'kg',
      ceiling: 1,
    },
    {
      measure: 'bodies: children, mass of the volume',
      value: meanOf(children.map((one) => (100 * mass(one)) / (one.person.massKg ?? Number.NaN))),
      unit: '%',
      ceiling: 5,
    },
    { measure: 'bodies: out of reach', value: refused.length, unit: 'of 300' },
    {
      measure: 'bodies: processor time of one',
      value: median(adults.map(({ milliseconds }) => milliseconds)),
      unit: 'ms',
      ceiling: 150,
    },
    { measure: 'bodies: GLB', value: glb.length / 1000, unit: 'kB', ceiling: 700 },
  ];
}
