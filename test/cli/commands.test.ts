import { readFileSync, renameSync, statSync, truncateSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { packRelease } from '../../src/artifacts/pack.js';
import { openDatabase } from '../../src/database/open.js';
import { bookDebt } from '../../src/ledger/debts.js';
import { FILES } from '../../src/lookup/format.js';
import { writeBodyArtifact } from '../support/body.js';
import { freshEnv, run, runProcess } from '../support/cli.js';
import { newFolder } from '../support/folders.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const ARTIFACTS_DIR = writeTinyArtifact();
const PERSON = '--gender Male --age 30';

describe('accounts, keys and credits', () => {
  it('are created, listed, granted and revoked', async () => {
    const env = freshEnv();
    const made = await run('accounts create --name acme --json', env);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const account: string = made.json.id;
    expect(made.json).toMatchObject({ id: expect.stringMatching(/^acc_/), name: 'acme' });

    const key = await run(`keys create --account acme --mode live --name ci --json`, env);
    expect(key.json).toMatchObject({
      key: expect.stringMatching(/^vt_live_/),
      id: expect.stringMatching(/^key_/),
      mode: 'live',
      account,
      displayStart: key.json.key.slice(0, 14),
    });
    const second = await run(`keys create --account ${account} --mode test`, env);
    expect(second.stdout).toMatch(/^vt_test_\w+\n/);
    const testKey = second.stdout.split('\n')[0];

    const [accounts, granted, tested, tooMuch] = await Promise.all([
      run('accounts list --json', env),
      run('credits grant --account acme --amount 5 --json', env),
      run(`credits grant --account ${account} --amount 7 --mode test --json`, env),
      run('credits grant --account acme --amount 1001 --mode test --json', env),
    ]);
    expect(accounts.json).toEqual([made.json]);
    expect(granted.json).toMatchObject({ account, mode: 'live', amount: 5, balance: 5 });
    expect(tested.json).toMatchObject({ mode: 'test', balance: 7 });
    expect(tooMuch).toMatchObject({ code: 1, json: { code: 'test_credit_limit' } });

    const [balances, byStart, byWhole] = await Promise.all([
      run('credits show --account acme --json', env),
      run(`keys revoke ${key.json.displayStart} --json`, env),
      run(`keys revoke ${testKey} --json`, env),
    ]);
    expect(balances.json).toMatchObject({ account, balances: { live: 5, test: 7 } });
    expect(byStart.json).toMatchObject({ id: key.json.id, revokedAt: expect.any(String) });
    expect(byWhole).toMatchObject({ code: 0, json: { mode: 'test' } });
    const again = await run('keys create --account acme --mode live --name app --json', env);
    const rotated = await run(`keys rotate ${again.json.id} --old-ends 1h --json`, env);
    expect(rotated.json).toMatchObject({
      key: expect.stringMatching(/^vt_live_/),
      name: 'app',
      replaces: { id: again.json.id, endsAt: expect.any(String), revokedAt: null },
    });
    const renewed = await run('secrets renew --json', env);
    expect(Date.parse(renewed.json.oldUntil)).toBeGreaterThan(Date.parse(renewed.json.signsFrom));
    const keys = await run('keys list --account acme --json', env);
    expect(keys.json).toHaveLength(4);
    expect(keys.stdout).not.toContain(key.json.key);
  });

  it('show debts and forgive them', async () => {
    const env = freshEnv();
    const made = await run('accounts create --name acme --json', env);
    const account: string = made.json.id;
    const db = await openDatabase(`${env.DATABASE_URL}`);
    const entry = { accountId: account, kind: 'reversed', credits: 400 } as const;
    const reversal = 'refund:re_1';
    await db
      .transaction()
      .execute((trx) => bookDebt(trx, { ...entry, reversal, cause: reversal, atMs: 1 }));
    await db.destroy();
    const [debts, shown, granted] = await Promise.all([
      run('credits debts --json', env),
      run('credits show --account acme', env),
      run('credits grant --account acme --amount 5', env),
    ]);
    expect(debts.json).toEqual([
      { account, name: 'acme', credits: 400, changedAt: '1970-01-01T00:00:00.001Z' },
    ]);
    expect(shown.stdout).toMatch(/^owed +400$/m);
    expect(granted.stdout).toContain('The account owes 400 live credits');
    const forgive = 'credits forgive --account acme --cause goodwill --json';
    const part = await run(`${forgive} --amount 150`, env);
    expect(part.json).toEqual({ account, forgiven: 150, debt: 250 });
    expect((await run(forgive, env)).json).toMatchObject({ code: 'cause_conflict' });
    const rest = await run('credits forgive --account acme --cause rest', env);
    expect(rest.stdout).toBe('Forgave 250 credits that acme owed; it owes 0 now.\n');
    expect((await run('credits debts', env)).stdout).toBe('No account owes credits.\n');
  });

  it('are corrected, exported and deleted by somebody whom the log names', async () => {
    const env = freshEnv({ LOG_LEVEL: 'silent' });
    const { json: made } = await run('accounts create --name acme --json', env);
    const account: string = made.id;
    const logged = ({ stderr }: { readonly stderr: string }) => JSON.parse(stderr);
    const correct = ['credits', 'correct', '--account', 'acme', '--json', '--amount'];
    const up = await runProcess([...correct, '30', '--reason', 'invoice 17'], env);
    expect(up).toMatchObject({ code: 0, json: { account, mode: 'live', amount: 30, balance: 30 } });
    const change = { action: 'credits correct', account, amount: 30, reason: 'invoice 17' };
    const now = { time: expect.closeTo(Date.now(), -6) };
    expect(logged(up)).toMatchObject({ ...change, ...now, by: userInfo().username });
    const down = [...correct, '-31', '--reason', 'booked twice'];
    const tooMuch = await run(down, env);
    expect(tooMuch).toMatchObject({ code: 1, stderr: '', json: { code: 'invalid_amount' } });
    expect(tooMuch.json.message).toContain('has 30 live credits');
    const gone = await runProcess('accounts delete --account acme --by ada --json', env);
    expect(gone).toMatchObject({ code: 0, json: { account, applied: true } });
    expect(logged(gone)).toMatchObject({ action: 'accounts delete', account, by: 'ada' });
    const file = join(dirname(env.DATABASE_URL.slice('file:'.length)), 'acme.csv');
    const written = await runProcess(
      `ledger export --account ${account} --output ${file} --json`,
      env,
    );
    expect(written.json).toEqual({ account, mode: 'live', file });
    expect(logged(written)).toMatchObject({ action: 'ledger export', account });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { stdout } = await run(`ledger export --account ${account}`, env);
    expect(stdout).toBe(readFileSync(file, 'utf8'));
    expect(stdout).toMatch(
      new RegExp(`\\n.*,correction,30,0,,,correction:${account}:invoice 17,30\\r\\n$`),
    );
  });

  it('agree with the ledger, or ledger verify says where they differ', async () => {
    const env = freshEnv();
    await run('accounts create --name acme', env);
    await run('credits grant --account acme --amount 7', env);
    expect(await run('ledger verify --json', env)).toMatchObject({ code: 0, json: { drifts: [] } });
    const db = await openDatabase(env.DATABASE_URL);
    await sql`update balances set paid_credits = 8 where mode = 'live'`.execute(db);
    await db.destroy();
    const differs = await run('ledger verify --json', env);
    expect(differs).toMatchObject({ code: 1, json: { code: 'ledger_differs' } });
    expect(differs.json.drifts).toMatchObject([{ figure: 'paid_credits', stored: 8, ledger: 7 }]);
  });

  it('refuse what is not there in one sentence', async () => {
    const env = freshEnv();
    const mistyped = `vt_live_${'0'.repeat(40)}`;
    const [account, key, inJson, hidden] = await Promise.all([
      run('credits show --account nobody', env),
      run(`keys revoke ${mistyped}`, env),
      run('keys create --account nobody --mode test --json', env),
      run('accounts create --name Ada\u202e1 --json', env),
    ]);
    expect(hidden).toMatchObject({ code: 1, json: { code: 'invalid_name' } });
    const { json: acme } = await run('accounts create --name acme --json', env);
    const again = await run('accounts create --name acme', env);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toBe(
      `There is already an account named "acme": ${acme.id}. Choose another name.\n`,
    );
    expect(account).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'There is no account "nobody".\n',
    });
    expect(key).toMatchObject({ code: 1, stdout: '' });
    expect(key.stderr).toMatch(/^There is no API key "vt_live_000000"; .*\n$/);
    expect(inJson).toMatchObject({ code: 1, json: { code: 'unknown_account' } });
  });
});

describe('a body without a server', () => {
  it('is written to the file that --output names', async () => {
    const env = freshEnv({ ARTIFACTS_DIR: await writeBodyArtifact() });
    const file = join(newFolder('body'), 'woman.glb');
    const person = '--gender Female --age 34 --country US --detail light --format glb';
    const { code, stdout } = await run(`body ${person} --output ${file}`, env);
    expect(code).toBe(0);
    expect(stdout).toContain(`${file}: `);
    expect(readFileSync(file).subarray(0, 4).toString('latin1')).toBe('glTF');
  });
});

describe('operations without a server', () => {
  const env = freshEnv({ ARTIFACTS_DIR });

  it('print the answer of the operation', async () => {
    const [predict, lookup, range, compare, connect, text] = await Promise.all([
      run(`predict --measurement Stature ${PERSON} --percentile 50 --unit cm --json`, env),
      run(`lookup --measurement Stature ${PERSON} --value 1750 --json`, env),
      run(`range --measurement Stature ${PERSON} --percentiles 5,50,95 --json`, env),
      run(`compare --measurement Stature ${PERSON} --percentile 50 --countries NL,JP --json`, env),
      run(
        `connect --anchor-measurement Stature --anchor-percentile 5 --linked-measurement WorkReach --accommodation-percent 90 ${PERSON} --json`,
        env,
      ),
      run(`range --measurement Stature ${PERSON} --percentiles 5,95`, env),
    ]);
    // In the tiny artifact, values grow with the place of the country in the list, so the US is a little above 1750.
    expect(predict.json).toMatchObject({ measurement: 'Stature', unit: 'cm', country: 'US' });
    expect(predict.json.value).toBeCloseTo(range.json.values[1].value / 10, 3);
    expect(lookup.json.percentile).toBeGreaterThan(1);
    expect(range.json.values).toHaveLength(3);
    expect(compare.json.values).toMatchObject([{ country: 'NL' }, { country: 'JP' }]);
    expect(connect.json.distributionPoints).toHaveLength(21);
    expect(text.stdout).toMatch(/^measurement +Stature\n(.*\n)*percentile +value\n5 +\d/);
  });

  it('read lengths, masses and countries as people write them', async () => {
    const withPeople = { ...env, ARTIFACTS_DIR: writeTinyArtifact() };
    const lookup = `lookup --measurement Stature ${PERSON} --json --value`;
    const person = `person ${PERSON} --wanted Stature,BodyMass --json --known`;
    const known = [
      { measurement: 'Stature', value: `5'10"` },
      { measurement: 'BodyMass', value: '150lb' },
    ];
    const [metres, feet, wrong, named, coded, mixed, table] = await Promise.all([
      run(`${lookup} 1.72m`, env),
      run(`${lookup} 5ft10in --unit cm`, env),
      run(`${lookup} tall`, env),
      run(
        `compare --measurement Stature ${PERSON} --percentile 50 --countries Holland,JPN --json`,
        env,
      ),
      run(`predict --measurement Stature ${PERSON} --percentile 50 --country Germany --json`, env),
      run(`${person} ${JSON.stringify(known)}`, withPeople),
      run('table --measurements Stature --countries Holland --ages 30', env),
    ]);
    expect(metres.json).toMatchObject({ value: 1720, unit: 'mm' });
    expect(feet.json).toMatchObject({ value: 177.8, unit: 'cm' });
    expect(wrong).toMatchObject({ code: 1, json: { code: 'validation_error' } });
    expect(wrong.json.message).toContain('value of "tall" is not a length; write it as 1720');
    expect(named.json.values).toMatchObject([{ country: 'NL' }, { country: 'JP' }]);
    expect(coded.json.country).toBe('DE');
    expect(mixed.json.measurements).toMatchObject([
      { measurement: 'Stature', expected: 1778, known: true },
      { measurement: 'BodyMass', expected: 68.039, known: true },
    ]);
    expect(table.stdout).toContain('Stature,NL,');
  });

  it('write tables, and take a population as flags', async () => {
    const withPeople = { ...env, ARTIFACTS_DIR: writeTinyArtifact() };
    const population = '--countries NA,DE --ages 20-40 --gender Female';
    const sheet = `percentiles ${population} --measurements Stature,BMI --percentiles 5,50`;
    const [csv, json, both, ages] = await Promise.all([
      run(`${sheet} --format csv`, withPeople),
      run(`${sheet} --json`, withPeople),
      run(`${sheet} --population {} --json`, withPeople),
      run(`${sheet} --ages young`, withPeople),
    ]);
    const [stature] = json.json.measurements;
    const { mean, sd, values } = stature;
    const lines = csv.stdout.split('\r\n');
    expect(lines[0]).toBe('measurement,unit,mean,sd,P5,P50');
    expect(lines[1]).toBe(`Stature,mm,${mean},${sd},${values[0].value},${values[1].value}`);
    expect(json.json.groups).toMatchObject([
      { countries: ['NA', 'DE'], gender: 'Female', ageMin: 20, ageMax: 40 },
    ]);
    expect(both).toMatchObject({ code: 2, json: { code: 'wrong_usage' } });
    expect(both.json.message).toContain('leave out --countries, --gender and --ages');
    expect(ages.stderr).toContain('Write two ages as in 18-65');
  });

  it('refuse as the service does', async () => {
    const [json, text, noModel, range, artifacts] = await Promise.all([
      run(`predict --measurement Statur ${PERSON} --percentile 50 --json`, env),
      run('predict --measurement Statur --gender x --age 121 --percentile 50', env),
      run(`predict --measurement LipLength ${PERSON} --percentile 50 --json`, env),
      run(`lookup --measurement Stature ${PERSON} --value 5 --json`, env),
      run(`predict --measurement Stature ${PERSON} --percentile 5`, {
        ...env,
        ARTIFACTS_DIR: '/x',
      }),
    ]);
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(json.json).toMatchObject({
      code: 'unknown_measurement',
      status: 400,
      errors: [{ pointer: '/measurement', message: expect.stringContaining('Stature?') }],
    });
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr.trim().split('\n')).toHaveLength(3);
    expect(noModel).toMatchObject({ code: 1, json: { code: 'model_not_found' } });
    expect(range).toMatchObject({ code: 1, json: { code: 'value_out_of_range', unit: 'mm' } });
    expect(artifacts).toMatchObject({ code: 1, stdout: '' });
    expect(artifacts.stderr).toContain('npx vitruvia pipeline');
  });

  it('list and verify the artifacts, and the catalog', async () => {
    const [list, verify, unknown, pointer, pinned, catalog] = await Promise.all([
      run('artifacts list --json', env),
      run('artifacts verify tiny --json', env),
      run('artifacts verify ../tiny', env),
      run('artifacts verify current', env),
      run('artifacts verify', { ...env, ARTIFACT_VERSION: 'current' }),
      run('catalog --json', env),
    ]);
    expect(list.json).toMatchObject([{ version: 'tiny', current: true }]);
    expect(verify).toMatchObject({ code: 0, json: { version: 'tiny', verified: true } });
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(pointer).toMatchObject({ code: 1, stdout: '' });
    expect(pinned).toMatchObject({ code: 2, stdout: '' });
    expect(catalog.json.measurements).toHaveLength(148);
  });

  it('search the catalog with everyday words', async () => {
    const [text, country, none, mass] = await Promise.all([
      run('catalog shoulder width', env),
      run('catalog Holland --json', env),
      run('catalog zzz', env),
      run('catalog Körpergewicht', env),
    ]);
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(
      /^MEASUREMENT +GENDERS +DEFINITION\nShoulderBreadthBideltoid +Male/,
    );
    expect(country.json.countries).toEqual([{ code: 'NL', name: 'Netherlands' }]);
    expect(mass.stdout).toMatch(/^BodyMass: Mass of the nude body/);
    expect(none.stdout).toBe('Nothing matches; use fewer or other words.\n');
  });

  it('install an archive, and make a version current', async () => {
    const root = writeTinyArtifact('old');
    const own = freshEnv({ ARTIFACTS_DIR: root });
    const archive = join(root, 'new.tar.gz');
    await packRelease(join(writeTinyArtifact('new'), 'new'), {}, archive);
    const installed = await run(`artifacts install ${archive} --json`, own);
    expect(installed).toMatchObject({ code: 0, json: { version: 'new', installed: true } });
    const used = await run('artifacts use new --json', own);
    expect(used.json).toEqual({ version: 'new', before: 'old' });
    renameSync(join(root, 'old'), join(root, 'other'));
    const wrong = await run('artifacts use other --json', own);
    expect([wrong.code, wrong.json.code]).toEqual([1, 'wrong_name']);
    expect(readFileSync(join(root, 'current'), 'utf8').trim()).toBe('new');
    renameSync(join(root, 'other'), join(root, 'old'));
    truncateSync(join(root, 'old', FILES.grid), 10);
    const [back, list] = await Promise.all([
      run('artifacts use old', own),
      run('artifacts list --json', own),
    ]);
    expect(back).toMatchObject({ code: 1, stdout: '' });
    expect(back.stderr).toContain('(truncated)');
    expect(list.json).toContainEqual({ version: 'new', current: true, verified: true });
  });
});
