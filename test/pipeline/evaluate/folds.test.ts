import { describe, expect, it } from 'vitest';
import { makeFolds, scoreFolds } from '../../../pipeline/evaluate/folds.js';
import type { Prediction, PredictorFactory } from '../../../pipeline/evaluate/predictors.js';
import { yearScored } from '../../../pipeline/evaluate/served.js';
import type { Study, StudyRow } from '../../../pipeline/raw-tables/studies.js';

function row(meanMm: number, p5Mm?: number): StudyRow {
  const flags = { match: 'exact', checkDefinition: false, checkFigure: false } as const;
  return { measurement: 'FootLength', meanMm, sdMm: undefined, p5Mm, p95Mm: undefined, ...flags };
}

function study(id: string, family: string, country: string, rows: readonly StudyRow[]): Study {
  const covariates = { statureMm: 1700, statureSdMm: 60, bmi: 22, lnBmiSd: 0.1, ageMean: 25 };
  const about = { year: 1970, people: 'military' };
  return { id, family, country, gender: 'Male', n: 100, rows, ...covariates, ...about };
}

const STUDIES = [
  study('a', 'one', 'FR', [row(260)]),
  study('b', 'one', 'DE', [row(262, 240)]),
  study('c', 'two', 'DE', [row(270)]),
  study('d', 'three', 'JP', [row(250)]),
];

const at = (meanMm: number): Prediction => {
  return { meanMm, sdMm: 10, p5Mm: meanMm - 16, p95Mm: meanMm + 16 };
};

describe('makeFolds', () => {
  it.each(['family', 'country'] as const)('never has a %s or a family on both sides', (kind) => {
    for (const { train, test } of makeFolds(STUDIES, kind)) {
      const families = new Set(train.map(({ family }) => family));
      const countries = new Set(train.map(({ country }) => country));
      expect(test.length).toBeGreaterThan(0);
      for (const { family, country } of test) {
        expect(families.has(family)).toBe(false);
        if (kind === 'country') expect(countries.has(country)).toBe(false);
      }
    }
  });

  it('tests every study once', () => {
    for (const kind of ['family', 'country'] as const) {
      const tested = makeFolds(STUDIES, kind).flatMap(({ test }) => test.map(({ id }) => id));
      expect(tested.sort()).toEqual(['a', 'b', 'c', 'd']);
    }
  });

  it('leaves out the samples of other countries in a family that is left out', () => {
    const france = makeFolds(STUDIES, 'country').find(({ left }) => left === 'FR');
    expect(france?.train.map(({ id }) => id)).toEqual(['c', 'd']);
  });
});

describe('makeFolds with further samples', () => {
  it('learns from them, does not score them, and leaves them out with their country', () => {
    const beside = [study('soldiers', 'survey', 'FR', [row(265)])];
    const folds = makeFolds(STUDIES, 'country', beside);
    expect(folds.flatMap(({ test }) => test.map(({ id }) => id))).not.toContain('soldiers');
    for (const { left, train } of folds) {
      expect(train.some(({ id }) => id === 'soldiers')).toBe(left !== 'FR');
    }
  });
});

describe('scoreFolds', () => {
  it('shows a predictor the training studies only, and scores the rows left out', () => {
    // Predicts the mean of the studies that it learned from: (260 + 262 + 250) / 3 for study c.
    const learner: PredictorFactory = (train) => {
      const seen = train.flatMap(({ rows }) => rows.map(({ meanMm }) => meanMm));
      const mean = seen.reduce((sum, value) => sum + value, 0) / seen.length;
      return () => at(mean);
    };
    const scored = scoreFolds(makeFolds(STUDIES, 'family'), { learner }, () => 10);
    const errors = new Map(scored.map(({ study: s, errors: e }) => [s.id, e.learner]));
    expect(errors.get('c')?.mean).toBeCloseTo((772 / 3 - 270) / 10, 9);
    expect(errors.get('b')?.mean).toBeCloseTo((260 - 262) / 10, 9);
    expect(errors.get('b')?.p5).toBeCloseTo((244 - 240) / 10, 9);
    expect(errors.get('a')?.p5).toBeUndefined();
  });

  it('leaves out for all predictors the rows that one cannot answer', () => {
    const some: PredictorFactory = () => (s) => (s.id === 'a' ? undefined : at(260));
    const every: PredictorFactory = () => () => at(260);
    const scored = scoreFolds(makeFolds(STUDIES, 'family'), { some, every }, () => 10);
    expect(scored.map(({ study: s }) => s.id).sort()).toEqual(['b', 'c', 'd']);
  });
});

describe('studies scored in their own year', () => {
  it('count as of 1990 when they are up to five years older', () => {
    expect(yearScored({ year: 2004 })).toBe(2004);
    expect(yearScored({ year: 1987 })).toBe(1990);
    expect(yearScored({ year: 1984 })).toBeUndefined();
    expect(yearScored({ year: 2040 })).toBe(2035);
  });
});
