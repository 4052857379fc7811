import { describe, expect, it } from 'vitest';
import { fitHeightLoss } from '../../../pipeline/fit/covariates/height-loss.js';
import { whoStandards } from '../../../pipeline/fit/covariates/who-standards.js';
import { countryCovariates } from '../../../pipeline/model/fitted-model.js';
import { mean, median } from '../../../pipeline/numerics/numbers.js';
import { AGES_YEARS, REFERENCE_YEAR } from '../../../pipeline/plans/axes.js';
import { COUNTRY_CODES } from '../../../src/core/countries.js';
import { GENDERS, type Gender } from '../../../src/core/genders.js';
import { fit, tables } from './fit.js';

const { model } = fit;

const statureMm = (gender: Gender, country: string, age: number) =>
  Math.exp(countryCovariates(model, gender, country, age).lnStature);
const bmi = (gender: Gender, country: string, age: number) =>
  Math.exp(countryCovariates(model, gender, country, age).lnBmi);

describe('height lost with age', () => {
  it('is the least-squares quadratic through the published losses without cohorts', () => {
    const loss = fitHeightLoss({ ...fit.tables, cohorts: undefined });
    // Σxy ÷ Σx² over x = 1505, 841 (29²), 900, 1600: 181262.3 and 250710.4 over 6342306.
    expect(loss('Male', 80)).toBeCloseTo((1600 * 181262.3) / 6342306, 3);
    expect(loss('Female', 80)).toBeCloseTo((1600 * 250710.4) / 6342306, 3);
  });

  it('moves from the published losses towards the age bands of surveys, by its own uncertainty', () => {
    const loss = fitHeightLoss(fit.tables);
    // Old Americans are taller, for their cohorts, than the published losses say. Women differ most.
    expect(loss('Male', 80)).toBeGreaterThan(40);
    expect(loss('Male', 80)).toBeLessThan(46);
    expect(loss('Female', 80)).toBeGreaterThan(50);
    expect(loss('Female', 80)).toBeLessThan(62);
    expect(loss('Male', 40)).toBe(0);
    expect(loss('Male', 18)).toBe(0);
    // Up to 100 years, the loss continues at the rate of 85 years (90 k per year). Then it stops.
    const k = loss('Male', 41);
    expect(loss('Male', 100) - loss('Male', 85)).toBeCloseTo(15 * 90 * k, 9);
    expect(loss('Male', 120)).toBe(loss('Male', 100));
  });
});

describe('covariates of the United States', () => {
  it('agree with CDC’s published figures of adults', () => {
    // CDC, Vital Health Stat 3(39), 2011–2014, ages 20 and over: 175.7 and 161.8 cm.
    const ages = Array.from({ length: 61 }, (_, i) => 20 + i);
    const meanOver = (of: (age: number) => number) =>
      ages.reduce((sum, age) => sum + of(age), 0) / ages.length;
    expect(Math.abs(meanOver((age) => statureMm('Male', 'US', age)) - 1757)).toBeLessThan(12);
    expect(Math.abs(meanOver((age) => statureMm('Female', 'US', age)) - 1618)).toBeLessThan(12);
    // Men of 20–29 were 177.6 cm in the period before, 2003–2006. Those of today are slightly shorter.
    expect(Math.abs(statureMm('Male', 'US', 25) - 1776)).toBeLessThan(20);
    // The same report gives a mean BMI of 28.7 and 29.2. exp(mean of ln) is a little lower.
    expect(Math.abs(meanOver((age) => bmi('Male', 'US', age)) - 28.3)).toBeLessThan(1.2);
    expect(Math.abs(meanOver((age) => bmi('Female', 'US', age)) - 28.6)).toBeLessThan(1.2);
  });

  it('are those of WHO at birth, and of NHANES by month', () => {
    // WHO growth standards 2006: boys 49.9 cm and 3.35 kg, girls 49.1 cm and 3.23 kg.
    const newborns: [Gender, number, number][] = [
      ['Male', 499, 3.35],
      ['Female', 491, 3.23],
    ];
    for (const [gender, mm, kg] of newborns) {
      expect(Math.abs(statureMm(gender, 'US', 0) / mm - 1)).toBeLessThan(0.006);
      const mass = bmi(gender, 'US', 0) * (statureMm(gender, 'US', 0) / 1000) ** 2;
      expect(Math.abs(mass / kg - 1)).toBeLessThan(0.015);
    }
    for (const gender of GENDERS) {
      for (const months of ['m0-2', 'm3-5', 'm6-8', 'm9-11', 'm12-17', 'm18-23']) {
        const group = fit.tables.nhanes.group(gender, `2011-2023/${months}`);
        if (group === undefined) throw new Error(months);
        const age = group.moment('AgeYears').mean;
        const [length, mass] = [group.moment('Stature').p50, group.moment('BodyMass').p50];
        const name = `${gender} ${months}`;
        expect(Math.abs(statureMm(gender, 'US', age) / length - 1), name).toBeLessThan(0.01);
        const measured = mass / (length / 1000) ** 2;
        expect(Math.abs(bmi(gender, 'US', age) / measured - 1), name).toBeLessThan(0.025);
      }
    }
  });

  it('rise to adulthood and fall with age', () => {
    for (const gender of GENDERS) {
      const at = AGES_YEARS.map((age) => statureMm(gender, 'US', age));
      AGES_YEARS.forEach((age, i) => {
        const [before, now] = [at[i - 1] ?? 0, at[i] as number];
        // At 2 years, lying length becomes standing height.
        if (age <= 17 && age !== 2) expect(now).toBeGreaterThan(before);
        if (age > 50) expect(now).toBeLessThanOrEqual(before);
      });
    }
  });
});

describe('spreads of small children in the US', () => {
  it('have the shape of the WHO standards from birth', () => {
    for (const gender of GENDERS) {
      const sd = (age: number) => model.usCovariates(gender, age).lnStatureSd;
      expect(sd(0) / sd(1)).toBeGreaterThan(1.05);
      expect(sd(2.5) / sd(1)).toBeGreaterThan(0.95);
      expect(sd(2.5 - 1e-6) / sd(2.5)).toBeCloseTo(1, 5);
    }
  });
});

describe('small children of other countries', () => {
  const massKg = (gender: Gender, country: string, age: number) =>
    bmi(gender, country, age) * (statureMm(gender, country, age) / 1000) ** 2;
  const newbornKg = (country: string) => mean(GENDERS.map((gender) => massKg(gender, country, 0)));

  it('have the mass at birth that national surveys of newborns found', () => {
    // Bangladesh, National Low Birth Weight Survey 2015: 2,898 g; India, 2.8 kg (neither was read; not fitted).
    expect(Math.abs(newbornKg('BD') - 2.9)).toBeLessThan(0.08);
    expect(Math.abs(newbornKg('IN') - 2.8)).toBeLessThan(0.08);
    // Newborns of Pune weigh 2.7 kg, those of Southampton 3.5 (Yajnik 2003, Int. J. Obes. 27:173; abstract).
    const shorter = statureMm('Male', 'SE', 0) - statureMm('Male', 'IN', 0);
    expect(shorter).toBeGreaterThan(10);
    expect(shorter).toBeLessThan(25);
  });

  it('change without a step from birth over the surveys to the table of children', () => {
    for (const gender of GENDERS) {
      for (const country of ['IN', 'NG', 'EG', 'JP', 'WS', 'BR', 'HK']) {
        const shift = (age: number) => Math.log(bmi(gender, country, age) / bmi(gender, 'US', age));
        for (const age of [0.25, 4, 5, 7]) {
          expect(Math.abs(shift(age + 1e-6) - shift(age - 1e-6)), country).toBeLessThan(1e-4);
        }
      }
    }
  });

  it('are thinner than Americans where many are wasted', () => {
    // Mean z of weight for height is near −0.3 in Nigeria and −0.7 in India, and +0.6 in the US.
    for (const gender of GENDERS) {
      for (const age of [1, 2, 3, 4]) {
        expect(bmi(gender, 'NG', age) / bmi(gender, 'US', age)).toBeLessThan(0.96);
        expect(bmi(gender, 'IN', age) / bmi(gender, 'NG', age)).toBeLessThan(0.99);
      }
    }
  });
});

describe('covariates of every country', () => {
  it('are finite and positive at every age of both genders', () => {
    const odd: string[] = [];
    for (const gender of GENDERS) {
      for (const country of COUNTRY_CODES) {
        for (const age of AGES_YEARS) {
          const { lnStature, lnStatureSd, lnBmi, lnBmiSd, lnBmiSkew, rho } = countryCovariates(
            model,
            gender,
            country,
            age,
          );
          const isPlausible =
            Math.exp(lnStature) > 400 &&
            Math.exp(lnStature) < 1900 &&
            Math.exp(lnBmi) > 9 &&
            Math.exp(lnBmi) < 42 &&
            lnStatureSd > 0.02 &&
            lnStatureSd < 0.08 &&
            lnBmiSd > 0.05 &&
            lnBmiSd < 0.45 &&
            Math.abs(rho) < 0.7 &&
            Number.isFinite(lnBmiSkew);
          if (!isPlausible) odd.push(`${country} ${gender} ${age}`);
        }
      }
    }
    // An `expect` for each number would take longer than the model.
    expect(odd).toEqual([]);
  });

  it('put people born in 1996 between the two vintages of NCD-RisC, but for the bias of samples', async () => {
    const vintages = new Map<string, number[]>();
    const note = (rows: readonly Record<string, unknown>[]) => {
      for (const row of rows) {
        const key = `${row.country}|${row.gender}`;
        vintages.set(key, [...(vintages.get(key) ?? []), Number(row.mean_mm)]);
      }
    };
    const older = await tables.rows('ncdrisc-2016', 'height_by_birth_year', 'country, gender');
    note(older.filter((row) => Number(row.birth_year) === 1996));
    note(await tables.rows('ncdrisc-2020', 'height_at_19', 'country, gender'));
    for (const gender of GENDERS) {
      for (const country of COUNTRY_CODES) {
        if (country === 'US') continue;
        const found = vintages.get(`${country}|${gender}`) ?? [];
        const mm = statureMm(gender, country, REFERENCE_YEAR - 1996);
        // The mean of ln lies 1 mm below ln of the mean. A sample moves a country by less than 16 mm, and the world's
        // gap of the genders by less than 25 mm.
        expect(mm, `${country} ${gender}`).toBeGreaterThan(Math.min(...found) - 42);
        expect(mm, `${country} ${gender}`).toBeLessThan(Math.max(...found) + 42);
      }
    }
  });

  it('have the level of cohorts less the loss, which is no ratio to the United States', () => {
    for (const gender of GENDERS) {
      for (const country of ['JP', 'DE', 'NG'] as const) {
        for (const age of [25, 45, 70]) {
          const { lnStatureSd } = countryCovariates(model, gender, country, age);
          const { meanMm } = model.cohortStature(gender, country, REFERENCE_YEAR - age);
          const mm = (meanMm - model.heightLoss(gender, age)) * Math.exp(-(lnStatureSd ** 2) / 2);
          expect(statureMm(gender, country, age)).toBeCloseTo(mm, 6);
        }
      }
    }
  });

  it('let no country grow after 18 more than its table of children and 5 mm', async () => {
    const rows = await tables.rows('ncdrisc-2020-children', 'height_by_age', 'country, gender');
    const table = new Map(
      rows.map((row) => [`${row.country}|${row.gender}|${row.age_years}`, Number(row.mean_mm)]),
    );
    for (const gender of GENDERS) {
      for (const country of COUNTRY_CODES) {
        const at = (age: number) => table.get(`${country}|${gender}|${age}`) as number;
        const grown = statureMm(gender, country, 20) - statureMm(gender, country, 18);
        expect(grown, `${country} ${gender}`).toBeLessThan(Math.max(0, at(19) - at(18)) + 5);
      }
    }
    // Half of the table's error in the US is subtracted in every country; the gap of the genders moves both.
    for (const country of COUNTRY_CODES) {
      const gaps = GENDERS.map((gender) => {
        const at = (age: number) => table.get(`${country}|${gender}|${age}`) as number;
        return statureMm(gender, country, 10) - (at(9) + at(10)) / 2;
      });
      expect(Math.abs(mean(gaps)), country).toBeLessThan(12);
    }
  });

  it('have boys of 5 years 10 mm shorter to 25 mm taller than girls', () => {
    for (const country of COUNTRY_CODES) {
      const gap = statureMm('Male', country, 5) - statureMm('Female', country, 5);
      expect(gap, country).toBeGreaterThan(-10);
      expect(gap, country).toBeLessThan(25);
    }
  });

  it('do not make the oldest taller again', () => {
    const oldest = AGES_YEARS.filter((age) => age >= 85);
    for (const gender of GENDERS) {
      for (const country of COUNTRY_CODES) {
        const at = oldest.map((age) => statureMm(gender, country, age));
        expect(at, `${country} ${gender}`).toEqual([...at].sort((a, b) => b - a));
      }
    }
  });
});

describe('stature of small children', () => {
  /** Growth in a quarter, mm a year. Where a quarter ends at 24 months, it ends with the lying length. */
  const rate = (gender: Gender, country: string, age: number) =>
    4 * (statureMm(gender, country, age + 0.25 - 1e-9) - statureMm(gender, country, age));
  const everyone = COUNTRY_CODES.flatMap((country) =>
    GENDERS.map((gender) => ({ country, gender })),
  );

  it('grows without bends from 27 months to 10 years, except where surveys of few countries bend it', () => {
    const changes = everyone.map(({ country, gender }) => {
      const rates = Array.from({ length: 31 }, (_, i) => rate(gender, country, 2.25 + i / 4));
      return Math.max(...rates.slice(1).map((now, i) => Math.abs(now - (rates[i] as number))));
    });
    expect(median(changes)).toBeLessThan(8);
    expect(Math.max(...changes)).toBeLessThan(20);
  });

  it('falls by the 7 mm of WHO at 24 months, where height follows lying length', () => {
    for (const { country, gender } of everyone) {
      const step = statureMm(gender, country, 2 - 1e-9) - statureMm(gender, country, 2);
      expect(step, country).toBeGreaterThan(6);
      expect(step, country).toBeLessThan(8);
    }
  });

  it('has the gap of the genders of surveys at 3 and 5 years, and the spread that surveys are read with', () => {
    const gap = (age: number) =>
      median(COUNTRY_CODES.map((c) => statureMm('Male', c, age) - statureMm('Female', c, age)));
    expect(gap(3)).toBeGreaterThan(8);
    expect(gap(3)).toBeLessThan(12);
    expect(gap(5)).toBeGreaterThan(3);
    expect(gap(5)).toBeLessThan(10);
    const { whoHeights } = fit.tables;
    const { median: mm, cv } = whoStandards(whoHeights ?? []).statureMm('Male', 3);
    for (const country of ['NG', 'NO', 'IN']) {
      const { lnStature, lnStatureSd } = countryCovariates(model, 'Male', country, 3);
      const sdMm = lnStatureSd * Math.exp(lnStature);
      expect(sdMm / (cv * mm), country).toBeCloseTo(fit.smallChildren?.sdOfZ ?? 0, 2);
    }
  });
});
