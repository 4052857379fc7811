import { expect, it } from 'vitest';
import { csvLines } from '../../src/table-formats/csv.js';

it('quotes every line end, and runs no formula, whatever a cell begins with', () => {
  expect(csvLines([['a\nb', 'c\rd', 'e\r\nf', 'g,"h"']])).toBe(
    '"a\nb","c\rd","e\r\nf","g,""h"""\r\n',
  );
  const texts = ['=HYPERLINK("http://a","b")', '+1', '-1', '@SUM(1)', '\t=1', '\r=1'];
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
