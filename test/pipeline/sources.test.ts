import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSource, SourceError } from '../../pipeline/sources.js';
import { newFolder } from '../support/folders.js';

const rawDir = newFolder('sources');

function refusal(name: string, text?: string): string {
  mkdirSync(join(rawDir, name), { recursive: true });
  if (text !== undefined) writeFileSync(join(rawDir, name, 'SOURCE.md'), text);
  try {
    readSource(rawDir, name);
  } catch (error) {
    expect(error).toBeInstanceOf(SourceError);
    return (error as Error).message;
  }
  throw new Error('it was read');
}

it('a source says all lines at once that its SOURCE.md lacks', () => {
  const all = /- Citation: .*\n- Licence: .*\n- Imported: <YYYY-MM-DD>$/;
  expect(refusal('none')).toMatch(all);
  expect(refusal('empty', '# A study\n')).toMatch(all);
  const some = refusal('some', '# A study\n\n- Citation: Ada 2026\n- Imported: soon\n');
  expect(some).toContain('these lines:\n- Licence: <terms of the data>\n- Imported: <YYYY-MM-DD>');
  expect(some).not.toContain('Citation');
});

it('a source with all lines is read', () => {
  mkdirSync(join(rawDir, 'good'));
  const lines = '- Citation: Ada 2026\n- Licence: CC0\n- Imported: 2026-01-02\n';
  writeFileSync(join(rawDir, 'good', 'SOURCE.md'), lines);
  expect(readSource(rawDir, 'good')).toMatchObject({ citation: 'Ada 2026', licence: 'CC0' });
});
