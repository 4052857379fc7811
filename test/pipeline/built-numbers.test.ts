import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { anatomyPage, scoreAnatomy } from '../../pipeline/evaluate/anatomist.js';
import { type Body, sweepBodies } from '../../pipeline/evaluate/anatomy-sweep.js';
import { Asked } from '../../pipeline/evaluate/asked.js';
import { ASKED_SUM_SD, scoredGroup, sumErrors } from '../../pipeline/evaluate/joint-sums.js';
import { YEARS } from '../../pipeline/plans/axes.js';
import { isSkeletal } from '../../pipeline/plans/growth-rules.js';
import { SOURCES } from '../../pipeline/raw-tables/source-tables.js';
import { optionalSources } from '../../pipeline/run.js';
import { DESCENDING } from '../../pipeline/verify.js';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS } from '../../src/core/genders.js';
import {
  MEASUREMENT_NAMES,
  MEASUREMENTS,
  type MeasurementName,
  measurementIndex,
} from '../../src/core/measurements.js';
import { projectDir } from '../../src/core/project-dir.js';
import {
  cellIndex,
  correlationIndex,
  curveValue,
  dimensionRow,
  gridSize,
  peopleIndex,
  zOfPercentile,
} from '../../src/lookup/cell.js';
import { correlation } from '../../src/lookup/condition.js';
import { evidenceOf } from '../../src/lookup/evidence.js';
import { Z_MEDIAN } from '../../src/lookup/format.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { stampHolds } from '../../src/lookup/version.js';
import { populationShare } from '../../src/operations/population-share.js';
import { predict } from '../../src/operations/predict.js';
import { PeopleSource } from '../../src/population/people.js';
import { modelOf } from '../support/models.js';
import { residentBytes } from '../support/resident-bytes.js';
import { realArtifacts } from '../support/servers.js';
import { EXPECTED_RHO, LARGEST_STEP } from './correlation-rules.js';
import { dressedFaults, PARTS } from './dressed.js';

// The artifacts that all tests of a run share.

const MIB = 1024 * 1024;
const folder = await realArtifacts();
const model = modelOf(folder);
const joint = model.people();
const { views } = joint.peopleModel;

describe('the artifact', () => {
  it('is stamped and at most 266 MB', () => {
    const files = Object.values(views.manifest.files);
    expect(files.reduce((sum, file) => sum + file.bytes, 0)).toBeLessThan(266e6);
    expect(stampHolds(join(folder, views.manifest.artifactVersion))).toBe(true);
  });

  // Only Linux shows the resident pages of a process in a file.
  it.runIf(process.platform === 'linux')('opens without reading the data', () => {
    const before = residentBytes();
    const opened = openArtifact(folder);
    const more = residentBytes() - before;
    expect(opened.quantiles.byteLength).toBeGreaterThan(100 * MIB);
    // The kernel maps cached pages in larger pieces than the touched page.
    expect(more).toBeLessThan(opened.quantiles.byteLength / 4);
  });

  it('lists its sources with citation, licence and checksum', () => {
    const manifest = views.manifest;
    expect(manifest.sources.map(({ name }) => name)).toEqual(
      [...SOURCES.required, ...optionalSources('data/raw')].sort(),
    );
    for (const source of manifest.sources) {
      expect(source.citation.length).toBeGreaterThan(10);
      expect(source.licence.length).toBeGreaterThan(5);
      expect(source.sha256).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(manifest.losses).toEqual([]);
    expect(manifest.buildEpoch % 86_400).toBe(0);
  });
});

function quantileAt(
  name: MeasurementName,
  gender: number,
  country: number,
  age: number,
  knot: number,
): number {
  const block = views.block[dimensionRow(measurementIndex(name) as number, gender)] as number;
  if (block < 0) return Number.NaN;
  const cell = cellIndex(gridSize(views.manifest), block, country, age);
  return views.quantiles[cell + knot] as number;
}

function medianAt(name: MeasurementName, gender: number, country: number, age: number): number {
  return quantileAt(name, gender, country, age, Z_MEDIAN);
}

/** Knots at z = 5/3 and 7/3, about P95 and P99. */
const [NEAR_P95, NEAR_P99] = [Z_MEDIAN + 5, Z_MEDIAN + 7];

function youngestAge(name: MeasurementName): number {
  return views.ageMinYears[dimensionRow(measurementIndex(name) as number, 0)] as number;
}

/** Every gender and country, with the indices of the age knots from `fromYears` to `toYears`. */
function everywhere(
  fromYears: number,
  toYears: number,
  visit: (gender: number, country: number, age: number) => void,
): void {
  const ages = views.manifest.axes.agesYears;
  for (let gender = 0; gender < GENDERS.length; gender++) {
    for (let country = 0; country < COUNTRY_CODES.length; country++) {
      ages.forEach((years, age) => {
        if (years >= fromYears && years <= toYears) visit(gender, country, age);
      });
    }
  }
}

describe('the built numbers', () => {
  it('keep parts below wholes in every country and age', () => {
    const broken = new Set<string>();
    // Newborns do not sit erect, and AbdominalDepth is measured sitting.
    const belly = ['WholeBodyDepthMax', 'AbdominalDepth', 1] as const;
    for (const [whole, part, fromYears] of [...PARTS, belly]) {
      const youngest = Math.max(fromYears, youngestAge(whole), youngestAge(part));
      everywhere(youngest, 120, (gender, country, age) => {
        const less = medianAt(part, gender, country, age) / medianAt(whole, gender, country, age);
        // At 90, the two ends of the shoulder may cross by 0.3 %: in Indonesia, only the acromion was measured.
        const isShoulder = /^MidShoulder/.test(whole) && /ShoulderHeight$/.test(part);
        const isOld = (views.manifest.axes.agesYears[age] as number) >= 90;
        // A gender without a model has no number.
        if (less >= (isShoulder && isOld ? 1.003 : 1)) {
          broken.add(`${whole} > ${part} (${GENDERS[gender]})`);
        }
      });
    }
    expect([...broken]).toEqual([]);
  });

  it('grow to adulthood', () => {
    const falls: Record<string, string> = {};
    for (const { name } of MEASUREMENTS.filter((one) => isSkeletal(one.name))) {
      let worst = 0;
      everywhere(youngestAge(name), 20, (gender, country, age) => {
        const years = views.manifest.axes.agesYears[age] as number;
        // At 2 years, lying length becomes standing height.
        if (years <= youngestAge(name) || years === 2) return;
        const before = medianAt(name, gender, country, age - 1);
        worst = Math.min(worst, medianAt(name, gender, country, age) / before - 1);
      });
      // Only LowCounterHeight falls, because it is elbow height minus a share of stature.
      if (-100 * worst > 0.5) falls[name] = (-100 * worst).toFixed(2);
    }
    expect(falls).toEqual({});
  });

  it('have girths, breadths and depths that do not shrink between 14 and 25 years', () => {
    const falls: Record<string, string> = {};
    for (const { name, kind } of MEASUREMENTS) {
      if (!['circumference', 'breadth', 'depth', 'face'].includes(kind)) continue;
      // LegRoom is what the belly leaves free, and EyeBodyCentreDistance what the deepening chest leaves.
      if (name === 'LegRoom' || name === 'EyeBodyCentreDistance') continue;
      for (const z of [Z_MEDIAN, NEAR_P95, NEAR_P99]) {
        let worst = 0;
        everywhere(15, 25, (gender, country, age) => {
          const before = quantileAt(name, gender, country, age - 1, z);
          worst = Math.min(worst, quantileAt(name, gender, country, age, z) / before - 1 || 0);
        });
        if (-100 * worst > 1) falls[`${name} ${z}`] = (-100 * worst).toFixed(2);
      }
    }
    expect(falls).toEqual({});
  });

  it('keep orders, sums, aliases and signs under every clothing and posture', () => {
    expect([...dressedFaults(views, 13)]).toEqual([]);
  });

  it('let few more old women reach a shelf of 1,800 mm in shoes', () => {
    const ask = {
      groups: [{ countries: ['PL'], gender: 'Female' as const, ageMin: 60, ageMax: 100 }],
    };
    const limits = [{ measurement: 'VerticalGripReachStanding' as const, min: 1800 }];
    const [bare, flat, heeled] = (['nude', 'shoes', 'heels'] as const).map(
      (clothing) => populationShare.run({ population: ask, limits, clothing }, model).share,
    ) as [number, number, number];
    expect(flat - bare).toBeGreaterThan(0.035);
    expect(flat - bare).toBeLessThan(0.05);
    // The difference had this size when the shoes of women had heels.
    expect(heeled - bare).toBeGreaterThan(0.05);
  });
});

describe('other years', () => {
  it('are known for adults only, with the year of the grid in between', () => {
    const { population, referenceYear } = views.manifest;
    expect(population.years).toEqual(YEARS);
    expect(population.years).toContain(referenceYear);
    expect(population.yearsFromAge).toBe(18);
  });
});

describe('the people of an artifact', () => {
  it('are those of 2022, and its derived dimensions are no free ones', () => {
    const people = views.population.people;
    const us = COUNTRY_CODES.indexOf('US');
    const ofUs = people.slice(peopleIndex(us, 0, 0), peopleIndex(us + 1, 0, 0));
    expect(ofUs.reduce((sum, count) => sum + count, 0) / 1e6).toBeCloseTo(338.29, 1);
    const derived = views.manifest.population.derived.map(({ measurement }) => measurement);
    expect(derived).toContain('LegLength');
    expect(derived).not.toContain('Stature');
  });
});

describe('people drawn from the artifact', () => {
  const PEOPLE = 8000;

  it('have people of every age and gender with finite, ordered values', () => {
    for (const gender of [0, 1]) {
      for (const ageYears of [0.5, 3.5, 9.5, 16.5, 30.5, 70.5, 90.5, 100.5, 119.5]) {
        const market = {
          cohorts: [{ country: COUNTRY_CODES.indexOf('NG'), gender, ageYears, year: 2022 }],
          weights: Float64Array.of(1),
        };
        const source = new PeopleSource(joint, market, [], 3);
        for (let i = 0; i < 50; i++) {
          const { values } = source.person(i);
          expect(values.every((value) => Number.isNaN(value) || (value > 0 && value < 4000))).toBe(
            true,
          );
        }
      }
    }
  });

  it('keep sums and orders, and have the percentiles and correlations of the artifact', () => {
    const { peopleModel } = joint;
    const cohort = { country: COUNTRY_CODES.indexOf('JP'), gender: 1, ageYears: 40.5, year: 2022 };
    const market = { cohorts: [cohort], weights: Float64Array.of(1) };
    const source = new PeopleSource(joint, market, [], 11);
    const values = peopleModel.names.map(() => new Float64Array(PEOPLE));
    for (let i = 0; i < PEOPLE; i++) {
      source.person(i).values.forEach((value, quantity) => {
        (values[quantity] as Float64Array)[i] = value;
      });
    }
    const of = (name: string) => values[peopleModel.indexOf(name)] as Float64Array;
    const [stature, sitting, leg] = [of('Stature'), of('SittingHeight'), of('LegLength')];
    const pairs = [...DESCENDING.flatMap((chain) => chain.slice(1).map((b, i) => [chain[i], b]))];
    for (let i = 0; i < PEOPLE; i++) {
      const sum = (sitting[i] as number) + (leg[i] as number);
      expect(Math.abs(sum - (stature[i] as number))).toBeLessThan(1e-6);
    }
    for (const [above, below] of pairs) {
      const [high, low] = [of(above as string), of(below as string)];
      expect(high.every((value, i) => value >= (low[i] as number))).toBe(true);
    }
    // The sampling error of P5 and P95 of 8,000 people is 0.023 SD.
    const curves = joint.curves();
    curves.at(cohort);
    for (const name of ['Stature', 'LegLength', 'HipCircumferenceMax', 'BodyMass', 'EyeHeight']) {
      const sorted = of(name).slice().sort();
      const knots = curves.of(peopleModel.indexOf(name)) as Float64Array;
      const { sd } = curves.middle(peopleModel.indexOf(name));
      for (const percentile of [5, 50, 95]) {
        const found = sorted[Math.floor((percentile / 100) * PEOPLE)] as number;
        const error = (found - curveValue(knots, zOfPercentile(percentile))) / sd;
        expect(Math.abs(error), `${name} P${percentile}`).toBeLessThan(0.1);
      }
    }
    const again = new PeopleSource(joint, market, [], 11).person(77);
    expect(again.values[peopleModel.stature]).toBe(stature[77]);
  });
});

describe('the evidence', () => {
  const evidence = (name: MeasurementName, country: string, ageYears: number) => {
    const [measurement, index] = [measurementIndex(name), COUNTRY_CODES.indexOf(country as never)];
    const key = { measurement: measurement as number, gender: 0, country: index, ageYears };
    return evidenceOf(views, { ...key, clothing: 0, posture: 0 });
  };

  it('has an error and a grade for every model, and none without', () => {
    const wrong: string[] = [];
    everywhere(0, 120, (gender, country, age) => {
      const ageYears = views.manifest.axes.agesYears[age] as number;
      for (const name of ['Stature', 'LegRoom', 'FemaleChestCircumferenceBelowBreasts'] as const) {
        const measurement = measurementIndex(name) as number;
        const key = { measurement, gender, country, ageYears, clothing: 0, posture: 0 };
        const found = evidenceOf(views, key);
        const row = dimensionRow(measurement, gender);
        const known = (views.block[row] as number) >= 0;
        const modelled = known && ageYears >= (views.ageMinYears[row] as number);
        const isRight = modelled ? (found?.lnMedianSd ?? 0) > 0 : found === undefined;
        if (!isRight) wrong.push(`${name} ${gender} ${country} ${ageYears}`);
      }
    });
    expect(wrong).toEqual([]);
  });

  it('is best where a survey of the country measured adults', () => {
    expect(evidence('HipCircumferenceMax', 'US', 30)?.grade).toBe('A');
    expect(evidence('Stature', 'US', 30)?.grade).toBe('A');
    // National samples of one country differ by more than the limit of A.
    expect(evidence('Stature', 'DE', 30)?.grade).toBe('B');
    expect(evidence('SittingHeight', 'TD', 30)?.grade).not.toBe('A');
    // A proxy is never better known than one survey with another definition.
    expect(evidence('KnuckleHeight', 'US', 30)?.grade).not.toBe('A');
    const [us, chad] = [evidence('SittingHeight', 'US', 30), evidence('SittingHeight', 'TD', 30)];
    expect(us?.lnMedianSd).toBeLessThan(chad?.lnMedianSd ?? 0);
    expect(evidence('HandLength', 'US', 8)?.lnMedianSd).toBeGreaterThan(
      evidence('HandLength', 'US', 30)?.lnMedianSd ?? 1,
    );
  });

  it('has a grade that follows from the error alone', () => {
    for (const name of [
      'SittingHeight',
      'HeadBreadth',
      'KnuckleHeight',
      'WaistCircumferenceAbdominal',
    ] as const) {
      for (const ageYears of [6, 25, 60, 80]) {
        const found = COUNTRY_CODES.flatMap((country) => evidence(name, country, ageYears) ?? []);
        found.sort((a, b) => a.lnMedianSd - b.lnMedianSd);
        expect(found).toHaveLength(COUNTRY_CODES.length);
        // The error has one unit in all countries, so a wider interval never gets a better grade.
        const grades = found.map(({ grade }) => grade).join('');
        expect(grades).toMatch(/^A*B*C*D*$/);
      }
    }
  });

  it('names the surveys with year and people', () => {
    const surveys = views.manifest.population.surveys;
    const ansur2 = surveys.find(({ name }) => name === 'ansur2');
    expect(ansur2).toMatchObject({ country: 'US', year: 2012, people: [4082, 1986], role: 'base' });
    expect(surveys.filter(({ country }) => country === 'JP').length).toBeGreaterThan(0);
    for (const { year, people, measurements } of surveys) {
      expect(year).toBeGreaterThan(1900);
      expect(Math.max(...people)).toBeGreaterThan(0);
      expect(measurements.length).toBeGreaterThan(0);
    }
  });
});

describe('the first call in README.md', () => {
  it('is answered as the README says', () => {
    const readme = readFileSync(join(projectDir(), 'README.md'), 'utf8');
    const [, body = ''] = /-d '(.*)'$/m.exec(readme) ?? [];
    const [, answer = ''] = /```json\n(.*?)```/s.exec(readme) ?? [];
    expect(JSON.parse(answer)).toEqual({
      ...predict.run(JSON.parse(body), model),
      // It is the first of ten free calls.
      remaining_free_calls: 9,
    });
  });
});

describe('the built correlations', () => {
  const size = MEASUREMENT_NAMES.length;
  const eachMatrix = (visit: (rho: Matrix, gender: number) => void): void => {
    views.manifest.axes.correlationAgesYears.forEach((_, age) => {
      GENDERS.forEach((__, gender) => {
        const from = correlationIndex(size, age, gender, 0, 0);
        visit(Matrix.from1DArray(size, size, views.rho.subarray(from, from + size * size)), gender);
      });
    });
  };

  it('are symmetric, 1 on the diagonal, at most 0.995 off it and positive semi-definite', () => {
    let [largest, asymmetry, smallestRoot] = [0, 0, 1];
    eachMatrix((rho) => {
      expect(rho.diagonal().every((value) => value === 1)).toBe(true);
      asymmetry = Math.max(asymmetry, Matrix.sub(rho, rho.transpose()).abs().max());
      largest = Math.max(largest, Matrix.sub(rho, Matrix.eye(size)).abs().max());
      const roots = new EigenvalueDecomposition(rho, { assumeSymmetric: true }).realEigenvalues;
      smallestRoot = Math.min(smallestRoot, ...roots);
    });
    expect(asymmetry).toBe(0);
    expect(largest).toBeLessThan(0.995001);
    // The precision of 32-bit numbers.
    expect(smallestRoot).toBeGreaterThan(-1e-6);
  });

  it('change little from one age to the next', () => {
    let worst = 0;
    const before: Matrix[] = [];
    eachMatrix((rho, gender) => {
      const last = before[gender];
      if (last !== undefined) worst = Math.max(worst, Matrix.sub(rho, last).abs().max());
      before[gender] = rho;
    });
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThan(LARGEST_STEP);
  });

  it.each(EXPECTED_RHO)('of %s and %s are within %d and %d', (a, b, least, most) => {
    for (let gender = 0; gender < GENDERS.length; gender++) {
      const [i, j] = [measurementIndex(a) as number, measurementIndex(b) as number];
      const rho = correlation(views, i, j, gender, 40);
      expect(rho).toBeGreaterThanOrEqual(least);
      expect(rho).toBeLessThanOrEqual(most + 1e-6);
    }
  });
});

describe('sums', () => {
  it('has sums of people that meet the wholes from P1 to P99', () => {
    const countries = ['US', 'JP', 'IN'] as const;
    const asked = new Asked(views);
    const errors = countries.flatMap((country) =>
      sumErrors(asked, { country, ...scoredGroup(country) }),
    );
    expect(errors.length).toBeGreaterThan(10 * countries.length);
    expect(errors.filter(({ errorSd }) => errorSd > ASKED_SUM_SD)).toEqual([]);
  });
});

describe('the page of an anatomist', () => {
  it('lists the bodies outside the bounds', () => {
    const bodies = sweepBodies(new Asked(views), ['US']);
    const us = bodies.get('US');
    if (us === undefined) throw new Error('no US');
    const swollen = (body: Body): Body => ({
      ...body,
      mm: (name) => body.mm(name) * (name === 'WristCircumference' ? 1.4 : 1),
    });
    const changed = new Map([['US' as const, { ...us, Male: us.Male.map(swollen) }]]);
    const wrist = (of: typeof bodies) =>
      scoreAnatomy(of).find(({ rule }) => rule.startsWith('wrist girth'));
    expect(scoreAnatomy(bodies).filter(({ figures }) => figures === 0)).toEqual([]);
    expect(wrist(bodies)?.breaches).toBe(0);
    expect(wrist(changed)?.breaches).toBe(us.Male.length);
    expect(wrist(changed)?.worst[0]).toMatchObject({ who: expect.stringMatching(/^US m /) });
    expect(anatomyPage(scoreAnatomy(changed))).toContain('| wrist girth ÷ hand girth | US m');
  });
});
