import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { completePerson } from '../../src/operations/complete-person.js';
import { PredictionModel } from '../../src/operations/prediction-model.js';
import { FREESEWING_NAMES, SEAMLY_NAMES } from '../../src/people-sheet/tailors-names.js';
import { type FaultyService, startFaultyService } from '../clients/faulty-service.js';
import { freshEnv, run } from '../support/cli.js';
import { realArtifacts } from '../support/servers.js';

let env: ReturnType<typeof freshEnv>;
let model: PredictionModel;
beforeAll(async () => {
  const folder = await realArtifacts();
  env = freshEnv({ ARTIFACTS_DIR: folder });
  model = new PredictionModel(openArtifact(folder));
});
const folder = mkdtempSync(join(tmpdir(), 'vitruvia-tailors-'));
const MM_PER_UNIT = { mm: 1, cm: 10, inch: 25.4 } as const;

function written(name: string, text: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const PERSONAL = '<birth-date>1986-02-03</birth-date><gender>female</gender>';
/** A file of a woman as SeamlyMe saves it, with her stature, her hip girth and a formula. */
const smis = (unit: keyof typeof MM_PER_UNIT, personal = PERSONAL) => {
  const inUnit = (valueMm: number) => Number((valueMm / MM_PER_UNIT[unit]).toFixed(3));
  return `<?xml version="1.0" encoding="UTF-8"?>
<smis>
    <!--Measurements created with SeamlyMe-->
    <version>0.3.4</version>
    <read-only>false</read-only>
    <notes>coat &amp; skirt: 5 &lt; 6</notes>
    <unit>${unit}</unit>
    <pm_system>998</pm_system>
    <personal>
        <family-name/>
        ${personal}
        <email/>
    </personal>
    <body-measurements>
        <m name="height" value="${inUnit(1700)}"/>
        <!-- over the trousers -->
        <m name="hip_circ" value="${inUnit(1000)}&#10;" description="tape 2"/>
        <m name="neck_mid_circ" value="(neck_circ - 2)"/>
        <m name="@hem" value="7" full_name="hem"/>
        <m name="arm_wrist_circ" value="0" description="left"/>
    </body-measurements>
</smis>
`;
};

/** The measurements of a file of Seamly2D, by name. */
const measured = (text: string) =>
  new Map(
    [...text.matchAll(/<m name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

/** The lines of a text without those of another. */
const without = (text: string, other: string) => {
  const lines = new Set(other.split('\n'));
  return text.split('\n').filter((line) => !lines.has(line));
};

describe('vitruvia fill with a file of Seamly2D', () => {
  it.each(['mm', 'cm', 'inch'] as const)(
    'adds what is missing in %s, and nothing else',
    async (unit) => {
      const text = smis(unit);
      const file = written(`woman-${unit}.smis`, text);
      const output = join(folder, `filled-${unit}.smis`);
      const { code, stderr } = await run(`fill ${file} --country NL --output ${output}`, env);
      expect(code, stderr).toBe(0);
      expect(stderr).toContain(`"height" is Stature in ${unit === 'inch' ? 'in' : unit}.`);
      expect(stderr).toContain('"neck_mid_circ" is not used: its value is a formula.');
      expect(stderr).toContain('measurement with their definition: @hem.');
      const filled = readFileSync(output, 'utf8');
      // Only the line of the empty value is changed, and lines are added before the end of the measurements.
      expect(without(text, filled)).toEqual([expect.stringContaining('name="arm_wrist_circ"')]);
      for (const line of without(filled, text)) {
        expect(line).toMatch(
          /^ {8}<m name="\w+" value="([\d.]+)" description="(?:left )?estimate of vitruvia fill: \1"\/>$/,
        );
      }
      const values = measured(filled);
      expect([...values.keys()].toSorted()).toEqual(
        [...Object.keys(SEAMLY_NAMES), '@hem'].toSorted(),
      );
      const known = [
        { measurement: 'Stature' as const, value: 1700 },
        { measurement: 'HipCircumferenceMax' as const, value: 1000 },
      ];
      const ageMs = Date.now() - Date.parse('1986-02-03');
      const age = Math.floor((ageMs / (365.2425 * 24 * 3600 * 1000)) * 10) / 10;
      const person = completePerson.run({ gender: 'Female', age, country: 'NL', known }, model);
      for (const name of ['arm_wrist_circ', 'foot_length', 'head_depth', 'width_shoulder']) {
        const one = person.measurements.find(
          ({ measurement }) => measurement === SEAMLY_NAMES[name],
        );
        const valueMm = Number(values.get(name)) * MM_PER_UNIT[unit];
        expect(Math.abs(valueMm - (one?.expected as number)), name).toBeLessThan(0.06);
      }
      const again = await run(`fill ${output} --country NL`, env);
      expect([again.code, again.stdout]).toEqual([0, filled]);
    },
  );

  it('takes an estimate that somebody changed as measured, and --columns for other values', async () => {
    const first = await run(`fill ${written('one.smis', smis('cm'))} --country NL`, env);
    const text = first.stdout.replace(/(name="foot_length" value=")[\d.]+"/, '$126.3"');
    const file = written('changed.smis', text);
    const { code, stdout } = await run(
      ['fill', file, '--country', 'NL', '--columns', '@hem=FootHeight'],
      env,
    );
    expect(code).toBe(0);
    const [before, after] = [measured(text), measured(stdout)];
    expect([after.get('foot_length'), after.get('@hem')]).toEqual(['26.3', '7']);
    expect(Number(after.get('foot_width'))).toBeGreaterThan(Number(before.get('foot_width')));
  });

  it('reads .vit, leaves out what only women have, and keeps the line ends of Windows', async () => {
    const men = smis('cm', '<customer>Jan</customer><gender>male</gender>')
      .replaceAll('smis>', 'vit>')
      .replaceAll('\n', '\r\n');
    const file = written('man.vit', men);
    const { code, stdout, stderr } = await run(`fill ${file} --country NL --age 40`, env);
    expect(code, stderr).toBe(0);
    expect(stdout.replaceAll('\r\n', '')).not.toContain('\n');
    expect(stdout).toContain('foot_length');
    expect(stdout).not.toContain('lowbust_circ');
    const wanted = await run(`fill ${file} --country NL --age 40 --wanted FootLength`, env);
    expect(without(wanted.stdout, men).map((line) => [...measured(line).keys()])).toEqual([
      ['arm_wrist_circ'],
      ['foot_length'],
    ]);
    // Older versions of the program write male for everybody.
    const bust = men.replace('neck_mid_circ" value="(neck_circ - 2)', 'lowbust_circ" value="78');
    const words = ['fill', written('bust.vit', bust), ...'--country NL --age 40'.split(' ')];
    const left = await run([...words, '--wanted', 'FootLength'], env);
    expect([left.code, left.stderr]).toEqual([0, expect.stringContaining('has it of women only')]);
    expect(left.stdout).toContain('name="lowbust_circ" value="78"');
    const woman = await run([...words, '--gender', 'Female'], env);
    expect(woman.stderr).toContain('The file says gender male; --gender Female is used.');
    expect([woman.code, woman.stderr.includes('women only')]).toEqual([0, false]);
    const full = written('full.smis', smis('mm').replace(/ *<m name="arm_wrist.*\n/, ''));
    const kept = await run(`fill ${full} --country NL --wanted none`, env);
    expect([kept.code, kept.stdout]).toEqual([0, readFileSync(full, 'utf8')]);
  });

  it('writes a person who cannot be completed as before, and says why', async () => {
    const text = smis('cm').replace('"170"', '"17"');
    const file = written('small.smis', text);
    const { code, stdout, stderr } = await run(`fill ${file} --country NL`, env);
    expect([code, stdout]).toEqual([3, text]);
    expect(stderr).toContain('  Stature of 17 cm is a value that no person');
  });
});

describe('vitruvia fill with a set of FreeSewing', () => {
  const set = {
    ...{ name: 'Ana', units: 'imperial', notes: 'x' },
    measurements: { chest: 950, hips: 900, seat: 1000, neck: null, shoulderSlope: 13 },
  };
  const words = '--country NL --gender Female --age 40';

  it('adds what is missing in mm, and a second run adds nothing', async () => {
    const text = `${JSON.stringify(set, undefined, 4)}\n`;
    const { code, stdout, stderr } = await run(`fill ${written('ana.json', text)} ${words}`, env);
    expect(code, stderr).toBe(0);
    expect(stdout.startsWith('{\n    "name": "Ana"')).toBe(true);
    const { estimates, ...rest } = JSON.parse(stdout);
    const { neck: _, ...given } = set.measurements;
    expect(rest).toMatchObject({ ...set, measurements: given });
    expect(Object.keys(rest.measurements).toSorted()).toEqual(
      [...Object.keys(FREESEWING_NAMES), 'hips', 'shoulderSlope'].toSorted(),
    );
    expect(rest.measurements).toMatchObject(estimates);
    expect(Object.keys(estimates)).toHaveLength(Object.keys(FREESEWING_NAMES).length - 2);
    expect(estimates.neck).toBeGreaterThan(250);
    const again = await run(`fill ${written('again.json', stdout)} ${words}`, env);
    expect([again.code, again.stdout]).toEqual([0, stdout]);
  });

  it('keeps the mark of estimates that a later run does not compute again', async () => {
    const wanted = (text: string, name: string) =>
      run(`fill ${written('marks.json', text)} ${words} --wanted ${name}`, env);
    const first = await wanted(JSON.stringify(set), 'HeadGirth');
    const second = await wanted(first.stdout, 'NeckCircumference');
    const { estimates } = JSON.parse(second.stdout);
    expect(Object.keys(estimates).toSorted()).toEqual(['head', 'neck']);
    // A value that somebody changes is measured from then on.
    const changed = JSON.parse(second.stdout);
    changed.measurements.head += 9;
    const third = await wanted(JSON.stringify(changed), 'NeckCircumference');
    expect(Object.keys(JSON.parse(third.stdout).estimates)).toEqual(['neck']);
  });

  it('reads a list of one set, measies, and the unit of --unit', async () => {
    const text = JSON.stringify([{ measies: { chest: '95', seat: 100 } }]);
    const one = await run(
      `fill ${written('list.json', text)} ${words} --unit cm --wanted HeadGirth`,
      env,
    );
    expect(one.code, one.stderr).toBe(0);
    const [{ measies }] = JSON.parse(one.stdout);
    expect(measies).toEqual({ chest: '95', seat: 100, head: expect.closeTo(55, -1) });
  });
});

describe('wrong files of tailors', () => {
  let faulty: FaultyService;
  beforeAll(async () => {
    faulty = await startFaultyService();
  });
  afterAll(() => faulty.close());

  it('are refused with the file, the reason and the remedy; nothing is charged or written', async () => {
    const customer = await faulty.service.customer(10);
    const service = faulty.behind();
    const output = join(folder, 'never');
    const good = smis('cm');
    // Each entity is ten of the one before.
    const bomb = `<!DOCTYPE smis [<!ENTITY e0 "${'x'.repeat(100)}">${Array.from(
      { length: 9 },
      (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`,
    ).join('')}]>`;
    const cases: readonly [name: string, text: string | Buffer, message: string][] = [
      ['cut.smis', good.slice(0, 600), 'cut.smis is no well-formed XML: line '],
      ['empty.smis', '', 'empty.smis is no well-formed XML: '],
      ['bomb.smis', good.replace('<smis>', `${bomb}<smis>`).replace('coat', '&e9;'), '<!DOCTYPE>'],
      ['type.smis', good.replace('<smis>', `${bomb}<smis>`), '<!DOCTYPE>'],
      ['latin.smis', Buffer.from(good.replace('coat', 'Größe'), 'latin1'), 'is not in UTF-8'],
      ['old.vit', '<vit><version>0.2.0</version></vit>', 'has an older format (0.2.0)'],
      ['sizes.vst', '<vst><unit>cm</unit></vst>', 'is a table of sizes, not a person'],
      ['sizes.vit', '<vst><unit>cm</unit></vst>', 'is a table of sizes, not a person'],
      ['feet.smis', good.replace('<unit>cm', '<unit>ft'), '<unit> is "ft". Write mm, cm or inch.'],
      ['twice.smis', good.replace('@hem', 'height'), '"height" twice'],
      ['none.smis', good.replace(/ *<m name="hei.*\n/, '').replace('hip_circ', 'hip'), 'no value'],
      ['leap.smis', good.replace('1986-02-03', '1986-02-31'), 'birth date is "1986-02-31"'],
      ['minus.json', '{"measurements":{"chest":-900}}', 'Write a positive length.'],
      ['comma.json', '{"measurements":{"chest":"95,5"}}', 'Write 95.5.'],
      // SeamlyMe writes this date for people without one.
      ['age.smis', good.replace('1986-02-03', '1800-01-01'), 'the age of the person. Add --age.'],
      ['who.smis', good.replace('female', 'unknown'), 'the gender of the person. Add --gender.'],
      ['list.json', '[{},{}]', 'has 2 sets'],
      ['other.json', '{"chest":900}', 'an object "measurements"'],
      ['half.json', '{"measurements":{"chest":', 'half.json: The file is not valid JSON'],
      ['repeat.json', '{"measurements":{"chest":1,"chest":2}}', '"chest" is given more than once'],
    ];
    for (const [name, text, message] of cases) {
      const file = written(name, text);
      const { code, stdout, stderr } = await run(
        `fill ${file} --country NL --output ${output} --service ${service}`,
        freshEnv({ VITRUVIA_API_KEY: customer.apiKey }),
      );
      expect([name, code, stdout, stderr.includes(message) || stderr]).toEqual([name, 1, '', true]);
    }
    const file = written('good.smis', good);
    for (const [words, message] of [
      ['--ranges', 'no place for ranges'],
      ['--wanted WorkReach', 'no place for WorkReach'],
      ['--columns hem=FootHeight', 'no measurement "hem". It has height, '],
      ['--decimal comma', 'Leave --decimal out'],
    ]) {
      const { code, stderr } = await run(`fill ${file} --country NL ${words}`, env);
      expect([code, stderr]).toEqual([1, expect.stringContaining(message as string)]);
    }
    expect(existsSync(output)).toBe(false);
    expect(await customer.balance()).toBe(10);
    const { code } = await run(
      `fill ${file} --country NL --output ${output} --service ${service}`,
      freshEnv({ VITRUVIA_API_KEY: customer.apiKey }),
    );
    expect([code, await customer.balance()]).toEqual([0, 8]);
  });
});

it('the document has each pair of names', () => {
  const text = readFileSync(join(projectDir(), 'docs', 'spreadsheets.md'), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  // The third column is of FreeSewing, the second of Seamly2D and Valentina.
  const pairsIn = (column: number) =>
    Object.fromEntries(
      rows
        .filter(
          (cells) =>
            cells.length === 6 &&
            cells[1] !== 'Here' &&
            /^[a-z]\w+$/i.test(cells[column] as string),
        )
        .map((cells) => [cells[column] as string, cells[1]]),
    );
  expect(pairsIn(2)).toEqual(SEAMLY_NAMES);
  expect(pairsIn(3)).toEqual(FREESEWING_NAMES);
});
