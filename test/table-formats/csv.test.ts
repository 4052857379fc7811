import { expect, it } from 'vitest';
import { csvOf } from '../../src/screens/widgets/save-file.js';
import { csvLines } from '../../src/table-formats/csv.js';

it('quotes every line end, and runs no formula, whatever a cell begins with', () => {
  expect(csvLines([['a\nb', 'c\rd', 'e\r\nf', 'g,"h"']])).toBe(
    '"a\nb","c\rd","e\r\nf","g,""h"""\r\n',
  );
  const texts = ['=HYPERLINK("http://a","b")', '+A1', '-A1', '@SUM(1)', '\t=1', '\r=1'];
  for (const text of texts) {
    expect(
      csvLines([[text]])
        .replaceAll('"', '')
        .startsWith("'"),
      text,
    ).toBe(true);
  }
  // Numbers stay numbers.
  expect(csvLines([[-5, 0.5, 'NA']])).toBe('-5,0.5,NA\r\n');
});

/** Texts that a spreadsheet would run, here or if another sign separates cells. Each has its plain form. */
const FORMULAS = [
  ['＝1+1', "'＝1+1"],
  [' =1+1', "' =1+1"],
  ['\n=1+1', "'\n'=1+1"],
  ['Pilots;=1+1;', "Pilots;'=1+1;"],
  ['Pilots\t@SUM(1)', "Pilots\t'@SUM(1)"],
  ['Pilots; ＋1', "Pilots;' ＋1"],
] as const;

it('runs no formula where another mark separates cells; texts with such signs inside stay', () => {
  for (const [text, plain] of FORMULAS) {
    expect(
      csvLines([[text]])
        .trimEnd()
        .replaceAll('"', ''),
      text,
    ).toBe(plain);
    // The files of pages are made in the browser.
    expect(csvOf({ head: ['a'], rows: [[text]] }).replaceAll('"', ''), text).toBe(
      `\ufeffa\r\n${plain}\r\n`,
    );
  }
  const plain = ['18-65', 'a = b; c', 'Men DE 18–65; Women DE 18–65', 'https://a.example/?p=a~-1'];
  expect(csvLines([plain])).toBe(`${plain.join()}\r\n`);
  expect(csvOf({ head: ['a', 'b'], rows: [[-5, plain[1] as string]] })).toContain(
    '\r\n-5,a = b; c',
  );
  const numbers = ['-2', '+1.5', '-1,5', '-1e3', '-'];
  expect(csvLines([[...numbers, "'=1"]], { delimiter: ';' })).toBe(`${numbers.join(';')};'=1\r\n`);
  expect(csvLines([['=1+1', '-2+3', 'a;=1']], { keepFormulas: true })).toBe('=1+1,-2+3,a;=1\r\n');
});
