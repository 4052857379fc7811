import fc from 'fast-check';
import { expect, it } from 'vitest';
import { numberText } from '../../src/core/number-text.js';
import { parseLength } from '../../src/core/typed-values.js';
import { differenceText, formatLength, SHOWN_UNITS, shownUnit } from '../../src/site/lengths.js';

it('lengths have the digits that their size and unit need', () => {
  const shown = (mm: number) => SHOWN_UNITS.map((unit) => formatLength(mm, unit));
  expect(shown(1750.4)).toEqual(['1,750 mm', '175.0 cm', '68.9 in', '5 ft 8.9 in']);
  expect(shown(15.26)).toEqual(['15.3 mm', '1.53 cm', '0.60 in', '0.60 in']);
  // A length is rounded before it is split into feet, so 5 ft 12.0 in cannot occur.
  expect(formatLength(1828.7, 'ft-in')).toBe('6 ft 0.0 in');
  expect(formatLength(-120, 'ft-in')).toBe('−4.7 in');
});

it('numbers have separators of thousands and the digits that are asked for', () => {
  const shown = [
    numberText(1234567.5),
    numberText(999.96, 1),
    numberText(3, 1, 1),
    numberText(-0.04, 1),
  ];
  expect(shown).toEqual(['1,234,567.5', '1,000', '3.0', '0']);
});

it('a length that is shown can be typed again', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1, max: 3000, noNaN: true }),
      fc.constantFrom(...SHOWN_UNITS),
      (mm, unit) => {
        const again = parseLength(formatLength(mm, unit), unit) ?? Number.NaN;
        expect(Math.abs(again - mm)).toBeLessThan(1.3);
      },
    ),
  );
});

it('reads lengths as people type them', () => {
  expect(parseLength('1,750', 'mm')).toBe(1750);
  expect(parseLength(' 175 ', 'cm')).toBe(1750);
  expect(parseLength('175 cm', 'mm')).toBe(1750);
  expect(parseLength('1.75 m', 'in')).toBe(1750);
  // A single comma that cannot separate thousands is a decimal comma.
  expect(parseLength('8,5', 'cm')).toBe(85);
  expect(parseLength('1,75 m', 'mm')).toBe(1750);
  expect(parseLength('1.750,5', 'mm')).toBe(1750.5);
  expect(parseLength('1 750', 'mm')).toBe(1750);
  expect(parseLength('1,633.017', 'mm')).toBe(1633.017);
  expect(parseLength('12,345,678', 'mm')).toBe(12_345_678);
  expect(parseLength('0,125 m', 'mm')).toBe(125);
  for (const text of ['5 ft 10 in', `5'10"`, '5-10', '5′ 10″', '5 feet 10', '70', '70"']) {
    expect(parseLength(text, 'ft-in')).toBeCloseTo(1778, 9);
  }
  expect(parseLength('5 ft', 'mm')).toBeCloseTo(1524, 9);
  for (const text of ['', 'tall', '5 stone', '1.2.3']) {
    expect(parseLength(text, 'mm')).toBeUndefined();
  }
  expect([shownUnit('ft-in'), shownUnit('furlong'), shownUnit(null)]).toEqual([
    'ft-in',
    'mm',
    'mm',
  ]);
});

it('has a minus sign, and none where it is rounded to zero', () => {
  expect(formatLength(-50, 'mm')).toBe('−50.0 mm');
  expect(formatLength(-0.01, 'mm')).toBe('0.0 mm');
  expect(parseLength('−50.0', 'mm')).toBe(-50);
});

it('differ by what the shown numbers differ by', () => {
  expect(differenceText(1822.6, 1823.4, 'mm')).toBe('0');
  expect(differenceText(1001.5, 1000.4, 'mm')).toBe('+2');
  expect(differenceText(1042.9, 1045.1, 'cm')).toBe('−0.2');
  expect(differenceText(99.6, 100.2, 'mm')).toBe('−0.4');
  expect(differenceText(1750.4, 1745.3, 'ft-in')).toBe('+0.2 in');
});
