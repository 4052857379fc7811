import { describe, expect, it } from 'vitest';
import { parseAllowance } from '../../pipeline/fit/profiles.js';
import { evaluate, parseFormula } from '../../pipeline/plans/formula.js';

describe('a formula', () => {
  it('is read into its terms', () => {
    expect(parseFormula('ShoulderHeight - 0.48 HandLength + 2 Span - 50')).toEqual([
      { coefficient: 1, of: 'ShoulderHeight' },
      { coefficient: -0.48, of: 'HandLength' },
      { coefficient: 2, of: 'Span' },
      { coefficient: -50 },
    ]);
  });

  it('adds medians, and scales lone numbers with size', () => {
    const medianMm = (name: string) => ({ Span: 1800, HandLength: 190 })[name] ?? Number.NaN;
    expect(evaluate(parseFormula('0.5 Span - 2 HandLength - 50'), medianMm, 0.6)).toBe(490);
  });

  it.each(['', 'Stature -', 'Stature * 2', 'Statur', '- 5', 'Stature + -5', 'Stature  Span'])(
    'is refused: %j',
    (formula) => expect(() => parseFormula(formula)).toThrow(/formula|dimension/),
  );
});

describe('a published allowance', () => {
  it.each([
    ['25', 25, 0],
    ['-40', -40, 0],
    ['up to 40', 40, 0],
    ['up to -40', -40, 0],
    ['8..10', 9, 2 / Math.sqrt(12)],
    ['20..30', 25, 10 / Math.sqrt(12)],
    ['-1..-1.5 %', -22, 8.8 / Math.sqrt(12)],
    ['2 %', 35.2, 0],
  ])('%s of 1760 mm shifts by %d and spreads by %d', (text, shift, sd) => {
    const allowance = parseAllowance(text, 1760);
    expect(allowance.shift).toBeCloseTo(shift, 9);
    expect(allowance.sd).toBeCloseTo(sd, 9);
  });

  it.each(['', 'reduced by sink', '+60 % of hand length', '10 or 20', '1..2..3'])(
    'is refused: %j',
    (text) => expect(() => parseAllowance(text, 1000)).toThrow(/allowance/),
  );
});
