import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { completePerson } from '../../src/operations/complete-person.js';
import { PredictionModel } from '../../src/operations/prediction-model.js';
import { type FaultyService, startFaultyService } from '../clients/faulty-service.js';
import { freshEnv, run } from '../support/cli.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const ARTIFACTS_DIR = writeTinyArtifact();
const env = freshEnv({ ARTIFACTS_DIR });
const model = new PredictionModel(openArtifact(ARTIFACTS_DIR));
const folder = mkdtempSync(join(tmpdir(), 'vitruvia-fill-'));

/** Writes a sheet of people; resolves to its path. */
function sheet(name: string, text: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const rowsOf = (csv: string) => csv.trimEnd().split('\r\n');

/** A sheet of Dutch women who are 20, 21, … years old. */
const women = (count: number) =>
  ['country,gender,age,Stature (mm),Sitting height (mm)']
    .concat(Array.from({ length: count }, (_, i) => `NL,f,${20 + i},1700,`))
    .join('\n');

describe('vitruvia fill', () => {
  it('completes each row as complete_person does', async () => {
    const file = sheet('women.csv', women(3));
    const { code, stdout, stderr } = await run(`fill ${file} --wanted none`, env);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('3 of 3') });
    const [header, ...lines] = rowsOf(stdout);
    expect(header).toBe(
      'country,gender,age,Stature (mm),Sitting height (mm),fill_status,fill_known,fill_note',
    );
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
      '\ufeffid;country;gender;age;Stature (cm);notes\r\n1;Netherlands;m;40;180,5;"a;""b""\nc"\r\n\r\n2;NL;m;40;18;-5\r\n';
    const file = sheet('all.csv', text);
    const output = join(folder, 'all-filled.csv');
    const first = await run(`fill ${file} --output ${output} --json`, env);
    expect(first.code).toBe(3);
    expect(first.json).toMatchObject({
      code: 'rows_not_completed',
      rows: 3,
      complete: 1,
      asked: 1,
    });
    expect(first.json.message).toContain('line 5: Stature of 18 cm is a value that no person');
    expect(existsSync(`${output}.part`)).toBe(false);
    const written = readFileSync(output, 'utf8');
    expect(written).toContain('1;Netherlands;m;40;180,5;"a;""b""\nc";');
    expect(written).toMatch(/^2;NL;m;40;18;-5;/m);
    expect(written).toMatch(/;SittingHeight \(mm\);/);
    expect(written.split('\r\n')[1]).toMatch(/;\d+,\d+;/);
    const again = await run(`fill ${output}`, env);
    expect(again.stdout).toBe(written);
  });

  it('writes no cell that a spreadsheet would run, unless asked, and reads its own output again', async () => {
    const text = 'country,gender,age,Stature (mm),=note\nNL,f,30,1700,=1+1\nNL,f,31,NA,-5\n';
    const file = sheet('formulas.csv', text);
    const { stdout } = await run(`fill ${file} --wanted none`, env);
    expect(stdout).toContain("(mm),'=note,");
    expect(stdout).toMatch(/^NL,f,30,1700,'=1\+1,complete/m);
    expect(stdout).toMatch(/^NL,f,31,NA,-5,/m);
    const again = await run(`fill ${sheet('formulas-filled.csv', stdout)} --wanted none`, env);
    expect(again.stdout).toBe(stdout);
    const kept = await run(`fill ${file} --wanted none --keep-formulas`, env);
    expect(kept.stdout.replaceAll(',=', ",'=")).toBe(stdout);
  });

  it('sums up a file: headings, missing values, filled cells and the cost; keeps sep=', async () => {
    const text =
      'sep=;\r\nPays;sexe;âge;Foo;Taille;Poids (kg)\r\nNL;f;40;170;?;NA\r\nNL;f;41;-9992;;60\r\n';
    const output = join(folder, 'summed.csv');
    const words = `fill ${sheet('sep.csv', text)} --wanted none --output ${output} --columns Foo=Stature --columns Taille=none`;
    const { code, stderr } = await run(`${words} --unit cm`, env);
    expect([code, stderr]).toEqual([0, expect.stringContaining('"Foo" is Stature in cm.')]);
    expect(stderr).toContain('"Taille" is not used: as --columns says.');
    expect(stderr).toContain('Missing values: 2 (NA: 1, -9992: 1).');
    expect(stderr).toContain('Filled: 2 cells in 2 rows. Cost: free.');
    const [first, , row] = rowsOf(readFileSync(output, 'utf8'));
    expect(first).toBe('sep=;');
    expect(row).toMatch(/^NL;f;40;170;\?;\d+,\d+;complete;Stature;$/);
    const { json } = await run(`${words} --unit cm --json`, env);
    expect(json).toMatchObject({
      ...{ rows: 2, complete: 2, asked: 2, filledCells: 2, suspicious: 0, costCredits: 0 },
      missing: { NA: 1, '-9992': 1 },
      columns: { guessed: [], notUsed: [expect.stringContaining('Taille')] },
    });
  });

  it('looks at each row: full ones, those of the other gender, and exchanged columns', async () => {
    const text = [
      'country,gender,age,height (cm),weight (kg),underbust_cm',
      ...['NL,f,40,170,65,', 'NL,m,40,180,80,92', 'NL,1,40,170,65,', 'NL,f,40,65,170,'],
    ].join('\n');
    const words = `fill ${sheet('looked.csv', text)} --wanted none --gender Male --columns underbust_cm=FemaleChestCircumferenceBelowBreasts`;
    const { code, stdout, stderr } = await run(words, env);
    expect([code, stderr]).toEqual([3, expect.stringContaining('2 of 4 rows are complete. 2 of')]);
    expect(stderr).toContain('--gender Male is only for rows without a gender: 2 rows');
    expect(stderr).toContain('line 4: gender: "1" is neither Female nor Male.');
    expect(stderr).toContain(
      'line 5: The height and the mass may be exchanged: "height (cm)" is 65,',
    );
    const [, , man = ''] = rowsOf(stdout);
    expect(man).toMatch(
      /^NL,m,40,180,80,92,complete,Stature BodyMass,"""underbust_cm"" is left out/,
    );
    expect(stderr).not.toMatch(/known\[|group/);
  });

  it('fills a scan of 30 columns from the 20 that tell most, keeps the others and says which', async () => {
    const known = [{ measurement: 'Stature' as const, value: 1700 }];
    const person = { gender: 'Female', age: 40, country: 'NL', known } as const;
    const { measurements } = completePerson.run(person, model);
    const scan = measurements
      .filter(({ measurement: one }) => !one.startsWith('Female'))
      .slice(0, 30);
    const [names, cells] = [
      scan.map(({ measurement }) => measurement),
      scan.map(({ expected }) => String(expected)),
    ];
    const text = `country,gender,age,${names}\nNL,f,40,${cells}\n`;
    const output = join(folder, 'scan-filled.csv');
    const words = `fill ${sheet('scan.csv', text)} --unit mm --output ${output}`;
    const { code, stderr } = await run(words, env);
    expect(code, stderr).toBe(0);
    const [, given = '', kept = ''] =
      /1 row has more than 20 .*\n {2}Given to the model: (.*)\.\n.* not checked: (.*)\./.exec(
        stderr,
      ) ?? [];
    expect([given.split(', ').length, kept.split(', ').length]).toEqual([20, scan.length - 20]);
    const written = readFileSync(output, 'utf8');
    expect(
      rowsOf(written)[1]
        ?.split(',')
        .slice(3, 3 + scan.length),
    ).toEqual(cells);
    const again = await run(`fill ${output} --unit mm`, env);
    expect([again.code, again.stdout]).toEqual([0, written]);
  });

  it('refuses wrong files and options, says which, and writes nothing', async () => {
    const file = sheet('one.csv', women(1));
    const part = sheet('two.csv.part', women(1));
    const link = join(folder, 'link.csv');
    symlinkSync(file, link);
    const cases: readonly [string, number, string][] = [
      [`${join(folder, 'none.csv')}`, 1, 'no such file'],
      [sheet('empty.csv', ''), 1, 'The file is empty'],
      [
        sheet('latin.csv', Buffer.from('country,gender,age,Größe (cm)\n', 'latin1')),
        1,
        'not in UTF-8',
      ],
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
      expect([words, code, stdout + stderr]).toEqual([
        words,
        expected,
        expect.stringContaining(message),
      ]);
    }
    for (const read of [file, part]) expect(readFileSync(read, 'utf8')).toBe(women(1));
  });
});

describe('vitruvia fill with a service', () => {
  let faulty: FaultyService;
  beforeAll(async () => {
    faulty = await startFaultyService();
  });
  afterAll(() => faulty.close());

  const fill = (words: string, service: string, apiKey: string) =>
    run(`fill ${words} --service ${service}`, freshEnv({ VITRUVIA_API_KEY: apiKey }));

  it('is charged once for each row that it completes, however often it is cut off and repeated', async () => {
    const file = sheet('many.csv', `${women(45)}\nNL,f,40,17,\nNL,f,40,1700,880\nNL,m,40,1800,`);
    const wanted = '--wanted FemaleChestCircumferenceBelowBreasts';
    const customer = await faulty.service.customer(100);
    const output = join(folder, 'many-filled.csv');
    // The first batch is answered. The answer to the second batch never arrives.
    const lost = faulty.behind('none', ...Array.from({ length: 5 }, () => 'lose'));
    const cut = await fill(`${file} ${wanted} --output ${output}`, lost, customer.apiKey);
    expect(cut.code, cut.stderr).toBe(1);
    expect(cut.stderr).toContain('The service has answered 20 rows. Run the same command again');
    expect(existsSync(output)).toBe(false);
    expect(await customer.balance()).toBe(100 - 2 * 40);

    const again = await fill(
      `${file} ${wanted} --output ${output}`,
      faulty.behind(),
      customer.apiKey,
    );
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

  it('needs no credits for rows that fail: what a batch did not use pays for the next one', async () => {
    const bad = Array.from({ length: 15 }, () => 'NL,f,40,17,').join('\n');
    const good = women(25).split('\n').slice(1);
    const [header = ''] = women(1).split('\n');
    // The first batch may cost 40 and costs 10. The second batch costs the remaining 40.
    const rows = [header, bad, ...good].join('\n');
    const customer = await faulty.service.customer(50);
    const words = `${sheet('failing.csv', rows)} --wanted none`;
    const { code, stderr } = await fill(words, faulty.behind(), customer.apiKey);
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('25 of 40 rows are complete.');
    expect(await customer.balance()).toBe(0);
  });

  it('stops where the credits end, and says how to go on', async () => {
    const file = sheet('poor.csv', women(45));
    const customer = await faulty.service.customer(50);
    const { code, stderr } = await fill(`${file} --wanted none`, faulty.behind(), customer.apiKey);
    expect(code).toBe(1);
    expect(stderr).toContain('The service has answered 20 rows.');
    expect(await customer.balance()).toBe(10);
  });
});
