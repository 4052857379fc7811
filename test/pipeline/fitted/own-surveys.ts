import { describe, expect, it } from 'vitest';
import { departuresOf } from '../../../pipeline/fit/calibration/study-regression.js';
import {
  militaryModel,
  predictorValues,
} from '../../../pipeline/model/regressions/military-model.js';
import { adultModelOf } from '../../../pipeline/model/regressions/nhanes-estimator.js';
import { mean } from '../../../pipeline/numerics/numbers.js';
import type { CountryCode } from '../../../src/core/countries.js';
import { GENDERS } from '../../../src/core/genders.js';
import { fit, populationOf } from './fit.js';

const korean = fit.studies.filter(({ family }) => family === 'korea-2015');

describe('Korea', () => {
  it('is served as its own survey of civilians measures, given their stature and BMI', () => {
    const left = departuresOf(fit.samples, korean)
      .filter(({ doubtful }) => !doubtful)
      .map(({ gender, measurement, inSd }) => {
        const today = { gender, country: 'KR', era: 0 };
        const as = (family?: string) =>
          Math.abs(fit.calibration.expected({ ...today, family }, measurement).value - inSd);
        return { followed: as('korea-2015'), pooled: as() };
      });
    expect(left.length).toBeGreaterThan(350);
    expect(mean(left.map(({ followed }) => followed))).toBeLessThan(0.2);
    expect(mean(left.map(({ pooled }) => pooled))).toBeGreaterThan(0.22);
  });

  it('has hands of the length and statures of the spread that were measured', () => {
    for (const { gender, ageMean = 0, statureMm = 1, statureSdMm = 0, rows } of korean) {
      if (ageMean > 50) continue;
      const people = populationOf(gender, 'KR').at(ageMean);
      const known = rows.find(({ measurement }) => measurement === 'HandLength');
      const hand = people.marginal('HandLength');
      const off = (Math.exp(hand.mean) - Number(known?.meanMm)) / Number(known?.sdMm);
      expect(Math.abs(off), `${gender} ${ageMean}`).toBeLessThan(0.6);
      const ratio = people.marginal('Stature').sd / (statureSdMm / statureMm);
      expect(Math.abs(Math.log(ratio)), `${gender} ${ageMean}`).toBeLessThan(0.1);
    }
  });

  it('has longer hands at 65 than at 25 years, at equal measured stature, as its survey says', () => {
    for (const gender of GENDERS) {
      const hand = fit.model.military[gender].get('HandLength');
      if (hand === undefined) throw new Error('no fit of hands');
      const lnMm = (ageYears: number) => {
        const lossMm = fit.model.heightLoss(gender, ageYears);
        const equal = { lnStature: Math.log(gender === 'Male' ? 1700 : 1580), lnBmi: Math.log(23) };
        return militaryModel(hand, predictorValues(equal, ageYears, lossMm), 0).level;
      };
      const published = gender === 'Male' ? 0.023 : 0.042;
      expect(Math.abs(lnMm(65) - lnMm(25) - published), gender).toBeLessThan(0.003);
      expect(lnMm(80) - lnMm(65)).toBeLessThan(0.02); // Only the loss of stature goes on.
    }
  });

  it('has hips that follow BMI and spread as its own survey says, and its neighbours keep those of the US', () => {
    for (const gender of GENDERS) {
      const of = (country: CountryCode) =>
        adultModelOf(fit.model, populationOf(gender, country).at(35), 'HipCircumferenceMax');
      const [korea, japan] = [of('KR'), of('JP')];
      expect(korea.slopeBmi).toBeGreaterThan(0.36);
      expect(korea.slopeBmi).toBeLessThan(0.42);
      expect(korea.residualSd).toBeLessThan(0.03);
      expect(japan.slopeBmi).toBeGreaterThan(0.44);
    }
  });
});

describe('Japan', () => {
  it('has pupils whose sitting height is within 5 mm of their survey, with legs that are the rest', () => {
    for (const row of fit.tables.sittingHeights ?? []) {
      const gender = row.gender as 'Male' | 'Female';
      const pupils = populationOf(gender, 'JP').at(Number(row.age_years));
      const [stature, sitting, crotch, leg] = (
        ['Stature', 'SittingHeight', 'CrotchHeight', 'LegLength'] as const
      ).map((name) => pupils.medianMm(name)) as [number, number, number, number];
      const who = `${gender} ${row.age_years}`;
      expect(Math.abs(sitting - Number(row.ratio) * stature), who).toBeLessThan(5);
      expect(crotch / leg, who).toBeGreaterThan(0.95);
    }
  });

  it('lends a part of the departure of its pupils to its neighbours, and none to the United States', () => {
    const of = (country: CountryCode) =>
      fit.model.childDeparture('Male', country, 'SittingHeight', 13.5);
    expect(of('US')).toBe(0);
    expect(of('KR')).toBeGreaterThan(0.25 * of('JP'));
    expect(of('KR')).toBeLessThan(0.5 * of('JP'));
    expect(of('VN')).toBeLessThan(of('KR'));
  });
});
