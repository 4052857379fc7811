import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { completePerson } from '../../src/operations/complete-person.js';
import { startFaultyService } from '../clients/faulty-service.js';
import { freshEnv, run } from '../support/cli.js';
import { newFolder } from '../support/folders.js';
import { modelOf } from '../support/models.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const ARTIFACTS_DIR = writeTinyArtifact();
const env = freshEnv({ ARTIFACTS_DIR });
const model = modelOf(ARTIFACTS_DIR);
const folder = newFolder('fill');

/** Writes a sheet of people; returns its path. */
function sheet(name: string, text: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const fillText = (text: string, words = '--wanted none') =>
  run(`fill ${sheet('people.csv', text)} ${words}`, env);

const rowsOf = (csv: string) => csv.trimEnd().split('\r\n');

const HEADINGS = 'country,gender,age,Stature (mm),Sitting height (mm)';
/** Rows of Dutch women who are 20, 21, … years old. */
const women = (count: number) =>
  Array.from({ length: count }, (_, i) => `\nNL,f,${20 + i},1700,`).join('');

describe('vitruvia fill', () => {
  it('completes each row as complete_person does', async () => {
    const { code, stdout, stderr } = await fillText(HEADINGS + women(3));
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('3 of 3') });
    const [header, ...lines] = rowsOf(stdout);
    expect(header).toBe(`${HEADINGS},fill_status,fill_known,fill_note`);
    for (const [i, line] of lines.entries()) {
      const known = [{ measurement: 'Stature' as const, value: 1700 }];
      const input = { gender: 'Female', age: 20 + i, country: 'NL', known } as const;
      const { measurements } = completePerson.run(input, model);
      const sitting = measurements.find(({ measurement }) => measurement === 'SittingHeight');
      expect(line).toBe(`NL,f,${20 + i},1700,${sitting?.expected},complete,Stature,`);
    }
  });

  it('adds all measurements, keeps other cells to the letter, and fills its own output again', async () => {
    const text =
      '\ufeffid;country;gender;age;Stature (cm);notes\r\n1;Netherlands;m;40;180,5;"a;""b""\nc"\r\n\r\n2;NL;m;40;18;-5\r\n3;NL;m;4x;;=1+1\r\n';
    const output = join(folder, 'all-filled.csv');
    const first = await fillText(text, `--output ${output} --json`);
    expect(first.code).toBe(3);
    expect(first.json).toMatchObject({
      ...{ code: 'rows_not_completed', rows: 4, complete: 1, asked: 1 },
      message: expect.stringContaining('line 5: Stature of 18 cm is a value that no person'),
    });
    expect(existsSync(`${output}.part`)).toBe(false);
    const written = readFileSync(output, 'utf8');
    expect(written).toContain('1;Netherlands;m;40;180,5;"a;""b""\nc";');
    expect(written).toMatch(/^2;NL;m;40;18;-5;/m);
    expect(written).toMatch(/^3;NL;m;4x;;'=1\+1;/m);
    expect(written).toMatch(/;SittingHeight \(mm\);/);
    expect(written.split('\r\n')[1]).toMatch(/;\d+,\d+;/);
    expect((await run(`fill ${output}`, env)).stdout).toBe(written);
    expect((await fillText(text, '--keep-formulas')).stdout).toBe(written.replace("'=", '='));
  });

  it('sums up a file: headings, missing values, filled cells and the cost; keeps sep=', async () => {
    const text =
      'sep=;\r\nPays;sexe;âge;Foo;Taille;Poids (kg)\r\nNL;f;40;170;?;NA\r\nNL;f;41;-9992;;60\r\n';
    const output = join(folder, 'summed.csv');
    const words = `--wanted none --output ${output} --columns Foo=Stature --columns Taille=none --unit cm`;
    const { code, stderr } = await fillText(text, words);
    expect([code, stderr]).toEqual([0, expect.stringContaining('"Foo" is Stature in cm.')]);
    expect(stderr).toContain('"Taille" is not used: as --columns says.');
    expect(stderr).toContain('Missing values: 2 (NA: 1, -9992: 1).');
    expect(stderr).toContain('Filled: 2 cells in 2 rows. Cost: free.');
    const [first, , row] = rowsOf(readFileSync(output, 'utf8'));
    expect(first).toBe('sep=;');
    expect(row).toMatch(/^NL;f;40;170;\?;\d+,\d+;complete;Stature;$/);
    expect((await fillText(text, `${words} --json`)).json).toMatchObject({
      ...{ rows: 2, complete: 2, asked: 2, filledCells: 2, suspicious: 0, costCredits: 0 },
      missing: { NA: 1, '-9992': 1 },
      columns: { guessed: [], notUsed: [expect.stringContaining('Taille')] },
    });
  });

  it('looks at each row: full ones, those of the other gender, and bad ones', async () => {
    const text = [
      'country,gender,age,height (cm),underbust_cm',
      ...['NL,f,40,170,80', 'NL,m,40,180,92', 'NL,1,40,170,'],
    ].join('\n');
    const { code, stderr } = await fillText(text, '--wanted none --gender Male');
    expect([code, stderr]).toEqual([3, expect.stringContaining('2 of 3 rows are complete. 2 of')]);
    expect(stderr).toContain('--gender Male is only for rows without a gender: 1 row has');
    expect(stderr).toContain('line 4: gender: "1" is neither Female nor Male.');
    expect(stderr).not.toMatch(/known\[|group/);
  });

  it('fills scans of 30 columns from the 20 that tell most, keeps the others and says which', async () => {
    const known = [{ measurement: 'Stature' as const, value: 1700 }];
    const person = { gender: 'Female', age: 40, country: 'NL', known } as const;
    const scan = completePerson
      .run(person, model)
      .measurements.filter(({ measurement: one }) => !one.startsWith('Female'))
      .slice(0, 30);
    const cells = scan.map(({ expected }) => String(expected));
    const text = `country,gender,age,${scan.map(({ measurement }) => measurement)}\nNL,f,40,${cells}`;
    // A row with an empty cell gives a value that the full row only kept.
    const { code, stdout, stderr } = await fillText(
      `${text}\nNL,f,40,,${cells.slice(1)}`,
      '--unit mm',
    );
    expect(code, stderr).toBe(0);
    const [, given = '', kept = ''] =
      /2 rows have more than 20 .*\n {2}Given to the model: (.*)\.\n.* not checked: (.*)\./.exec(
        stderr,
      ) ?? [];
    expect([given, kept].map((names) => names.split(', ').length)).toEqual([21, scan.length - 20]);
    expect(rowsOf(stdout)[1]?.startsWith(`NL,f,40,${cells},`)).toBe(true);
    expect(await fillText(stdout, '--unit mm')).toMatchObject({ code: 0, stdout });
  });

  it('refuses wrong files and options, says which, and writes nothing', async () => {
    const text = HEADINGS + women(1);
    const file = sheet('one.csv', text);
    const part = sheet('two.csv.part', text);
    const link = join(folder, 'link.csv');
    symlinkSync(file, link);
    const cases: readonly [string, number, string][] = [
      [`${join(folder, 'none.csv')}`, 1, 'no such file'],
      [sheet('empty.csv', ''), 1, 'The file is empty'],
      [sheet('latin.csv', Buffer.from('gender,age,Größe (cm)\n', 'latin1')), 1, 'not in UTF-8'],
      [sheet('quote.csv', 'gender,Stature\n"f,170\n'), 1, 'Quote Not Closed'],
      [`${file} --wanted ankle-girth`, 2, 'no measurement'],
      [`${file} --json`, 2, 'add --output'],
      [`${file} --output ${file}`, 2, 'write to another one'],
      // The command writes to this file until the output is complete. It would empty the file that it reads.
      [`${part} --output ${part.replace('.part', '')}`, 2, 'write to another one'],
      [`${link} --output ${file}`, 2, 'write to another one'],
      [`${file} --service http://127.0.0.1:1`, 2, 'VITRUVIA_API_KEY'],
      [`${file} --range-percent 10`, 3, '--range-percent must be at least 50'],
    ];
    for (const [words, expected, message] of cases) {
      const { code, stdout, stderr } = await run(`fill ${words}`, env);
      const printed = expect.stringContaining(message);
      expect([words, code, stdout + stderr]).toEqual([words, expected, printed]);
    }
    for (const read of [file, part]) expect(readFileSync(read, 'utf8')).toBe(text);
  });
});

const faulty = await startFaultyService();

describe('vitruvia fill with a service', () => {
  afterAll(() => faulty.close());

  const fill = (words: string, service: string, apiKey: string) =>
    run(`fill ${words} --service ${service}`, freshEnv({ VITRUVIA_API_KEY: apiKey }));

  it('is charged once for each row that it completes, however often it is cut off and repeated', async () => {
    const rows = `${HEADINGS}${women(45)}\nNL,f,40,17,\nNL,f,40,1700,880\nNL,m,40,1800,`;
    const output = join(folder, 'many-filled.csv');
    const words = `${sheet('many.csv', rows)} --wanted FemaleChestCircumferenceBelowBreasts --output ${output}`;
    const customer = await faulty.service.customer(100);
    // The first batch is answered. The answer to the second batch never arrives.
    const lost = faulty.behind('none', ...Array.from({ length: 5 }, () => 'lose'));
    const cut = await fill(words, lost, customer.apiKey);
    expect(cut.code, cut.stderr).toBe(1);
    expect(cut.stderr).toContain('The service has answered 20 rows. Run the same command again');
    expect(existsSync(output)).toBe(false);
    expect(await customer.balance()).toBe(100 - 2 * 40);

    const again = await fill(words, faulty.behind(), customer.apiKey);
    expect(again.code, again.stderr).toBe(3);
    expect(again.stderr).toContain('line 47: Stature of 17 mm');
    // 45 women and a man were completed. Two values that no person has cost nothing.
    expect(again.stderr).toContain('46 of 48 rows are complete.');
    expect(await customer.balance()).toBe(100 - 2 * 46);
    const [, first = '', ...lines] = rowsOf(readFileSync(output, 'utf8'));
    expect(first).toMatch(/^NL,f,20,1700,[\d.]+,[\d.]+,complete,Stature,$/);
    expect(lines.at(-1)).toMatch(
      /^NL,m,40,1800,[\d.]+,,complete,Stature,There is no model of Female/,
    );
    // A file without an empty cell needs no answer and no valid key.
    const full = sheet('full.csv', 'country,gender,age,Stature (mm)\nNL,f,40,1700\n');
    const kept = await fill(`${full} --wanted none`, faulty.behind(), 'vt_live_nobody');
    expect(kept.code, kept.stderr).toBe(0);
  });

  it.each([
    // The first batch may cost 40 and costs 10. The second batch costs the remaining 40.
    [
      'is not charged for rows that fail',
      '\nNL,f,40,17,'.repeat(15) + women(25),
      3,
      0,
      '25 of 40 rows',
    ],
    ['stops where the credits end', women(45), 1, 10, 'The service has answered 20 rows.'],
  ])('%s', async (_, rows, status, left, message) => {
    const customer = await faulty.service.customer(50);
    const words = `${sheet('credits.csv', HEADINGS + rows)} --wanted none`;
    const { code, stderr } = await fill(words, faulty.behind(), customer.apiKey);
    expect([code, stderr]).toEqual([status, expect.stringContaining(message)]);
    expect(await customer.balance()).toBe(left);
  });
});
