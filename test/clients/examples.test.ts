import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { pythonText } from '../../src/site/call-text.js';
import { run } from '../support/cli.js';
import { newFolder } from '../support/folders.js';
import { JSON_OPERATIONS } from '../support/operations.js';
import { findProgram } from '../support/programs.js';
import { havePython, PYTHON } from '../support/python.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { buildClient } from './built-client.js';
import { startFaultyService } from './faulty-service.js';
import { runProgram } from './run-program.js';

const ROOT = projectDir();
const EXAMPLES = join(ROOT, 'examples');
/** The cost of an example, from the table of the README. */
const costOf = (file: string) =>
  Number(
    new RegExp(`\\(${file}\\).*\\| (\\d+) +\\|$`, 'm').exec(
      readFileSync(join(EXAMPLES, 'README.md'), 'utf8'),
    )?.[1],
  );

/** One answer, a list, and a table of people. The pages write the code of all operations alike. */
const OPERATIONS = JSON_OPERATIONS.filter(({ name }) =>
  ['predict', 'batch', 'sample_people'].includes(name),
);

const faulty = await startFaultyService();
afterAll(() => faulty.close());

/** Runs an example as a customer who has exactly the credits that the table of the example names. */
async function runExample(file: string, program: string, cwd: string) {
  const cost = costOf(file);
  expect(cost).toBeGreaterThan(0);
  const customer = await faulty.service.customer(cost);
  const env = { VITRUVIA_URL: faulty.behind(), VITRUVIA_API_KEY: customer.apiKey };
  const { code, text } = await runProgram(program, [join(EXAMPLES, file)], { cwd, env });
  expect(code, text).toBe(0);
  expect(await customer.balance()).toBe(0);
  return text;
}

it.skipIf(!havePython)('desk.py tells who fits, and the ranges for 90 %', async () => {
  const python = PYTHON.map(findProgram)[0] ?? '';
  const text = await runExample('desk.py', python, join(ROOT, 'clients/python'));
  expect(text.match(/[\d.]+% fit$/gm)).toHaveLength(3);
  expect(text).toMatch(/PoplitealHeight: \d+ to \d+ mm/);
});

it.skipIf(!havePython)('people.py completes people, and says why others are not', async () => {
  const python = PYTHON.map(findProgram)[0] ?? '';
  const customer = await faulty.service.customer(10);
  const env = { VITRUVIA_URL: faulty.behind(), VITRUVIA_API_KEY: customer.apiKey };
  const cwd = join(ROOT, 'clients/python');
  const { code, text } = await runProgram(python, [join(EXAMPLES, 'people.py')], { cwd, env });
  expect(code, text).toBe(0);
  expect(text).toContain('SittingHeight expected (mm)');
  expect(text).toMatch(/Eve.* 24\.9 cm is a value that no person/);
  // The tests have invented people. They differ from the people of the example.
  const people = text.match(/^ *(Ana|Bo|Carl|Dora|Eve) .*$/gm) ?? [];
  const refused = people.filter((line) => line.includes('a value that no person')).length;
  expect([people.length, refused < 5]).toEqual([5, true]);
  expect(await customer.balance()).toBe(2 * refused);
});

it.skipIf(!havePython)('the Python code of pages of operations runs', async () => {
  const python = PYTHON.map(findProgram)[0] ?? '';
  const customer = await faulty.service.customer(1000);
  // One process runs all codes, one after the other.
  const codes = OPERATIONS.map(({ name, path, example }) => {
    const text = pythonText({ operation: name, path, body: example }, faulty.behind());
    const code = text.replace('<API_KEY>', customer.apiKey);
    return name === 'batch' ? code : `${code}\nprint(answer)`;
  });
  const cwd = join(ROOT, 'clients/python');
  const words = ['-c', codes.join('\nprint("----")\n')];
  const ended = await runProgram(python, words, { cwd });
  expect(ended.code, ended.text).toBe(0);
  const answers = ended.text.split('----');
  expect(answers).toHaveLength(3);
  for (const answer of answers) expect(answer).toContain('{');
});

it('helmet-sizes.mjs tells four sizes', async () => {
  buildClient();
  // The client is a workspace of the checkout.
  const text = await runExample('helmet-sizes.mjs', process.execPath, ROOT);
  expect(text.match(/HeadLength \d+–\d+ mm, HeadBreadth \d+–\d+ mm/g)).toHaveLength(4);
  expect(text).toMatch(/serve [\d.]+ % of the people/);
});

it('an example without a service says in one line that nothing answers, where, and what to do', async () => {
  // A port that was free a moment ago.
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, 'close');
  const env = { VITRUVIA_URL: `http://127.0.0.1:${port}`, VITRUVIA_API_KEY: 'vt_test_x' };
  const example = (name: string) => join(EXAMPLES, name);
  const script = [process.execPath, example('helmet-sizes.mjs'), ROOT] as const;
  const python = PYTHON.map(findProgram)[0] ?? '';
  const inPython = [python, example('desk.py'), join(ROOT, 'clients/python')] as const;
  const shell = ['sh', join(EXAMPLES, 'bed.sh'), EXAMPLES] as const;
  const all = [script, shell, ...(havePython ? [inPython] : [])];
  const ended = await Promise.all(
    all.map(([program, file, cwd]) => runProgram(program, [file], { cwd, env })),
  );
  for (const [i, { code, text }] of ended.entries()) {
    const file = all[i]?.[1];
    expect([file, code, text.trim().split('\n')]).toEqual([
      file,
      1,
      [expect.stringMatching(`^There was no complete answer from http://127.0.0.1:${port}[:.] `)],
    ]);
    expect(text).toMatch(/start the service, or give its address\.$/im);
  }
});

it('bed.sh tells the share of men and the stature of a tall one', async () => {
  const lines = (await runExample('bed.sh', 'sh', EXAMPLES)).trim().split('\n');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ share: expect.any(Number) });
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ measurement: 'Stature', country: 'NL' });
});

it('people.sql groups the people that the command draws', async () => {
  const sql = readFileSync(join(EXAMPLES, 'people.sql'), 'utf8');
  const command = /npx vitruvia (people [^>]*?) > people\.csv/s.exec(sql)?.[1] ?? '';
  const words = command
    .replace(/\\\n--/g, ' ')
    .replace(/\s+/g, ' ')
    .replace('10000', '500');
  const folder = newFolder('examples');
  const file = join(folder, 'people.csv');
  const drawn = await run(words, {
    DATABASE_URL: `file:${join(folder, 'db.sqlite')}`,
    ARTIFACTS_DIR: writeTinyArtifact(),
  });
  expect(drawn.code, drawn.stderr).toBe(0);
  writeFileSync(file, drawn.stdout);
  const connection = await (await DuckDBInstance.create()).connect();
  const reader = await connection.runAndReadAll(sql.replace("people.csv', null", `${file}', null`));
  const rows = reader.getRowObjects();
  expect(rows.map(({ country, gender }) => `${country} ${gender}`)).toEqual([
    ...['DE Female', 'DE Male', 'JP Female', 'JP Male'],
  ]);
  expect(rows.reduce((sum, { people }) => sum + Number(people), 0)).toBe(500);
  connection.closeSync();
});
