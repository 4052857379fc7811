import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Cell } from '../../../pipeline/import/importer.js';
import { csvText, replaceSource } from '../../../pipeline/import/output.js';
import { ImportRefusal, runImport, runImporter } from '../../../pipeline/import/run-import.js';
import {
  makePeople,
  parseCsv,
  peopleCsv,
  readDirectory,
  scratchDirectory,
  syntheticImporter,
  writeInput,
} from './synthetic.js';

const COUNT = 300;
const IMPORTER = syntheticImporter(COUNT);
const GOOD = peopleCsv(makePeople(COUNT));
const ABOUT = '# Made up\n\n- Citation: nobody\n- Licence: none\n\nAll are made up.\n';

let scratch: string;
let to: string;
const options = (): { to: string; date: string; log: () => void } => ({
  to,
  date: '2026-01-02',
  log: () => {},
});

beforeEach(async () => {
  scratch = await scratchDirectory();
  to = join(scratch, 'raw');
  await mkdir(join(to, 'synthetic'), { recursive: true });
  await writeFile(join(to, 'synthetic/SOURCE.md'), ABOUT);
});

async function importText(name: string, text: string): Promise<void> {
  await runImporter(IMPORTER, [await writeInput(scratch, name, text)], options());
}

describe('runImporter', () => {
  it('writes the tables and SOURCE.md with the digest of the file', async () => {
    await importText('good.csv', GOOD);
    const files = new Map(await readDirectory(join(to, 'synthetic')));
    expect([...files.keys()]).toEqual(['SOURCE.md', 'covariances.csv', 'moments.csv']);
    expect(files.get('SOURCE.md')).toMatch(/good\.csv \| \d+ \| `[0-9a-f]{64}`/);
    expect(files.get('SOURCE.md')).toContain(
      ABOUT.replace('none\n', 'none\n- Imported: 2026-01-02, with `npm run import -- synthetic`\n'),
    );
    const men = makePeople(COUNT).filter((person) => person.sex === 'M');
    const mean = men.reduce((sum, person) => sum + person.stature, 0) / men.length;
    const row = parseCsv(files.get('moments.csv') ?? '').find(
      (candidate) => candidate.gender === 'Male' && candidate.variable === 'Stature',
    );
    // The file has a column WEIGHT. It must not be used as the sample weight.
    expect(Number(row?.mean)).toBeCloseTo(mean, 3);
    expect(row?.n).toBe(String(men.length));
  });

  it('gives identical bytes for identical files, and leaves no temporary directory behind', async () => {
    await importText('good.csv', GOOD);
    const first = await readDirectory(join(to, 'synthetic'));
    await importText('good.csv', GOOD);
    expect(await readDirectory(join(to, 'synthetic'))).toEqual(first);
    expect(await readdir(to)).toEqual(['synthetic']);
  });

  const lines = GOOD.trimEnd().split('\n');
  const inCentimetres = lines.map((line, index) => {
    if (index === 0) return line;
    const [sex, stature, ...rest] = line.split(',');
    return [sex, Number(stature) / 10, ...rest].join(',');
  });
  const faults: readonly (readonly [name: string, text: string, says: RegExp])[] = [
    ['short.csv', `${lines.slice(0, 200).join('\n')}\n`, /short\.csv: has 199 rows, not 300/],
    ['broken.csv', GOOD.slice(0, GOOD.lastIndexOf('\n', GOOD.length - 2) + 6), /broken\.csv: /],
    ['columns.csv', GOOD.replace('foot', 'hand'), /columns\.csv: lacks 1 .* \(foot\)/],
    ['units.csv', `${inCentimetres.join('\n')}\n`, /units\.csv: median of Bmi \(Female\) is \d{4}/],
    ['words.csv', GOOD.replace(/\n(M|F),\d+,/, '\n$1,tall,'), /words\.csv: column stature/],
    ['empty.csv', '', /empty\.csv: /],
  ];

  it.each(faults)('refuses %s by name and keeps the old tables', async (name, text, says) => {
    await importText('good.csv', GOOD);
    const before = await readDirectory(join(to, 'synthetic'));
    const refused = importText(name, text);
    await expect(refused).rejects.toThrow(ImportRefusal);
    await expect(refused).rejects.toThrow(says);
    await expect(refused.catch((error: Error) => error.message)).resolves.not.toContain('\n');
    expect(await readDirectory(join(to, 'synthetic'))).toEqual(before);
    expect(await readdir(to)).toEqual(['synthetic']);
  });
});

it('a source without SOURCE.md is refused', async () => {
  await rm(to, { recursive: true });
  await expect(importText('good.csv', GOOD)).rejects.toThrow('synthetic/SOURCE.md: cannot be read');
});

describe('runImport', () => {
  it('refuses an unknown survey, a missing file and a wrong number of files', async () => {
    await expect(runImport('nosuch', [], options())).rejects.toThrow(/nosuch: is not a survey/);
    await expect(runImport('cdc2000', [], options())).rejects.toThrow(/needs 1 file, not 0/);
    const missing = runImport('cdc2000', [join(scratch, 'gone.csv')], options());
    await expect(missing).rejects.toThrow(/gone\.csv: cannot be read \(ENOENT\)/);
  });
});

describe('output', () => {
  it('writes seven significant digits and quotes only where needed', () => {
    const table = (...row: readonly Cell[]) => csvText({ columns: [['a', 'first']], rows: [row] });
    expect(table(1756.2148698, 4082, null, 'a,b "c"')).toBe('a\n1756.215,4082,,"a,b ""c"""\n');
    expect(() => table(Number.NaN)).toThrow();
  });

  it('replaces a source as a whole', async () => {
    await replaceSource(to, 'one', new Map([['old.csv', 'a\n']]));
    await replaceSource(to, 'one', new Map([['new.csv', 'b\n']]));
    expect(await readDirectory(join(to, 'one'))).toEqual([['new.csv', 'b\n']]);
  });
});
