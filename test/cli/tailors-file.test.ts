import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { completePerson } from '../../src/operations/complete-person.js';
import { FREESEWING_NAMES, SEAMLY_NAMES } from '../../src/search/measurement-words.js';
import { freshEnv, run } from '../support/cli.js';
import { newFolder } from '../support/folders.js';
import { realArtifacts, realModel } from '../support/servers.js';

const model = await realModel();
const env = freshEnv({ ARTIFACTS_DIR: await realArtifacts() });
const folder = newFolder('tailors');
const MM_PER_UNIT = { mm: 1, cm: 10, inch: 25.4 } as const;

/** Fills a file of a Dutch person. */
async function fill(name: string, text: string | Buffer, words = '') {
  const file = join(folder, name);
  writeFileSync(file, text);
  const { code, stdout, stderr } = await run(`fill ${file} --country NL ${words}`.trim(), env);
  return { code, stdout, stderr };
}

const PERSONAL = '<birth-date>1986-02-03</birth-date><gender>female</gender>';
/** A file of a woman as SeamlyMe saves it, with her stature, her hip girth and a formula. */
const smis = (unit: keyof typeof MM_PER_UNIT, personal = PERSONAL) => {
  const inUnit = (valueMm: number) => Number((valueMm / MM_PER_UNIT[unit]).toFixed(3));
  return `<?xml version="1.0" encoding="UTF-8"?>
<smis>
    <!--Measurements created with SeamlyMe-->
    <version>0.3.4</version>
    <notes>coat &amp; skirt: 5 &lt; 6</notes>
    <unit>${unit}</unit>
    <personal>
        <family-name/>
        ${personal}
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
const measured = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/<m name="([^"]+)" value="([^"]*)"/g)].map(([, ...pair]) => pair),
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
      const { code, stdout, stderr } = await fill('woman.smis', text);
      expect(code, stderr).toBe(0);
      expect(stderr).toContain(`"height" is Stature in ${unit === 'inch' ? 'in' : unit}.`);
      expect(stderr).toContain('"neck_mid_circ" is not used: its value is a formula.');
      expect(stderr).toContain('measurement with their definition: @hem.');
      // Only the line of the empty value is changed, and lines are added before the end of the measurements.
      expect(without(text, stdout)).toEqual([expect.stringContaining('name="arm_wrist_circ"')]);
      for (const line of without(stdout, text)) {
        expect(line).toMatch(
          /^ {8}<m name="\w+" value="([\d.]+)" description="(?:left )?estimate of vitruvia fill: \1"\/>$/,
        );
      }
      const values = measured(stdout);
      const names = [...Object.keys(SEAMLY_NAMES), '@hem'];
      expect(Object.keys(values).toSorted()).toEqual(names.toSorted());
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
        const valueMm = Number(values[name]) * MM_PER_UNIT[unit];
        expect(Math.abs(valueMm - (one?.expected as number)), name).toBeLessThan(0.06);
      }
      expect(await fill('filled.smis', stdout)).toMatchObject({ code: 0, stdout });
    },
  );

  it('takes an estimate that somebody changed as measured, and --columns for other values', async () => {
    const first = await fill('one.smis', smis('cm'));
    const text = first.stdout.replace(/(name="foot_length" value=")[\d.]+"/, '$126.3"');
    const { code, stdout } = await fill('changed.smis', text, '--columns @hem=FootHeight');
    const [before, after] = [measured(text), measured(stdout)];
    expect([code, after.foot_length, after['@hem']]).toEqual([0, '26.3', '7']);
    expect(Number(after.foot_width)).toBeGreaterThan(Number(before.foot_width));
  });

  it('reads .vit, leaves out what only women have, and keeps the line ends of Windows', async () => {
    const man = smis('cm', '<customer>Jan</customer><gender>male</gender>')
      .replaceAll('smis>', 'vit>')
      .replaceAll('\n', '\r\n');
    const all = await fill('man.vit', man, '--age 40');
    expect(all.code, all.stderr).toBe(0);
    expect(all.stdout.replaceAll('\r\n', '')).not.toContain('\n');
    expect(all.stdout).not.toContain('lowbust_circ');
    const wanted = await fill('man.vit', man, '--age 40 --wanted FootLength');
    const changed = without(wanted.stdout, man).flatMap((line) => Object.keys(measured(line)));
    expect(changed).toEqual(['arm_wrist_circ', 'foot_length']);
    // Older versions of the program write male for everybody.
    const bust = man.replace('neck_mid_circ" value="(neck_circ - 2)', 'lowbust_circ" value="78');
    const left = await fill('bust.vit', bust, '--age 40 --wanted FootLength');
    expect([left.code, left.stderr]).toEqual([0, expect.stringContaining('has it of women only')]);
    expect(measured(left.stdout).lowbust_circ).toBe('78');
    const woman = await fill('bust.vit', bust, '--age 40 --gender Female');
    expect(woman.stderr).toContain('The file says gender male; --gender Female is used.');
    expect([woman.code, woman.stderr.includes('women only')]).toEqual([0, false]);
  });

  it('writes a person who is complete or cannot be completed to the letter, and says why', async () => {
    const full = smis('mm').replace(/ *<m name="arm_wrist.*\n/, '');
    expect(await fill('full.smis', full, '--wanted none')).toMatchObject({ code: 0, stdout: full });
    const small = smis('cm').replace('"170"', '"17"');
    expect(await fill('small.smis', small)).toEqual({
      ...{ code: 3, stdout: small },
      stderr: expect.stringContaining('  Stature of 17 cm is a value that no person'),
    });
  });
});

describe('vitruvia fill with a set of FreeSewing', () => {
  const set = {
    ...{ name: 'Ana', units: 'imperial', notes: 'x' },
    measurements: { chest: 950, hips: 900, seat: 1000, neck: null, shoulderSlope: 13 },
  };
  const fillSet = (text: string, words = '') =>
    fill('set.json', text, `--gender Female --age 40 ${words}`);

  it('adds what is missing in mm, and a second run adds nothing', async () => {
    const { code, stdout, stderr } = await fillSet(`${JSON.stringify(set, undefined, 4)}\n`);
    expect(code, stderr).toBe(0);
    expect(stdout.startsWith('{\n    "name": "Ana"')).toBe(true);
    const { estimates, ...rest } = JSON.parse(stdout);
    const { neck: _, ...given } = set.measurements;
    expect(rest).toMatchObject({ ...set, measurements: { ...given, ...estimates } });
    const names = Object.keys(FREESEWING_NAMES);
    expect(Object.keys(rest.measurements).toSorted()).toEqual(
      [...names, 'hips', 'shoulderSlope'].toSorted(),
    );
    expect(Object.keys(estimates)).toHaveLength(names.length - 2);
    expect(estimates.neck).toBeGreaterThan(250);
    expect(await fillSet(stdout)).toMatchObject({ code: 0, stdout });
  });

  it('keeps the mark of estimates that a later run does not compute again', async () => {
    const first = await fillSet(JSON.stringify(set), '--wanted HeadGirth');
    const second = await fillSet(first.stdout, '--wanted NeckCircumference');
    const changed = JSON.parse(second.stdout);
    expect(Object.keys(changed.estimates).toSorted()).toEqual(['head', 'neck']);
    // A value that somebody changes is measured from then on.
    changed.measurements.head += 9;
    const third = await fillSet(JSON.stringify(changed), '--wanted NeckCircumference');
    expect(Object.keys(JSON.parse(third.stdout).estimates)).toEqual(['neck']);
  });

  it('reads a list of one set, measies, and the unit of --unit', async () => {
    const text = JSON.stringify([{ measies: { chest: '95', seat: 100 } }]);
    const { stdout } = await fillSet(text, '--unit cm --wanted HeadGirth');
    const [{ measies }] = JSON.parse(stdout);
    expect(measies).toEqual({ chest: '95', seat: 100, head: expect.closeTo(55, -1) });
  });
});

const good = smis('cm');
// Each entity is ten of the one before.
const entities = Array.from(
  { length: 9 },
  (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`,
);
const bomb = `<!DOCTYPE smis [<!ENTITY e0 "${'x'.repeat(100)}">${entities.join('')}]><smis>`;

it.each<readonly [words: string, text: string | Buffer, message: string]>([
  ['cut.smis', good.slice(0, 600), 'cut.smis is no well-formed XML: line '],
  ['empty.smis', '', 'empty.smis is no well-formed XML: '],
  ['bomb.smis', good.replace('<smis>', bomb).replace('coat', '&e9;'), '<!DOCTYPE>'],
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
  ['age.smis', good.replace('1986-02-03', '1800-01-01'), 'say the age of its people. Add --age.'],
  ['who.smis', good.replace('female', 'unknown'), 'say the gender of its people. Add --gender.'],
  ['list.json', '[{},{}]', 'has 2 sets'],
  ['other.json', '{"chest":900}', 'an object "measurements"'],
  ['half.json', '{"measurements":{"chest":', 'half.json: The file is not valid JSON'],
  ['repeat.json', '{"measurements":{"chest":1,"chest":2}}', '"chest" is given more than once'],
  ['good.smis --ranges', good, 'no place for ranges'],
  ['good.smis --wanted WorkReach', good, 'no place for WorkReach'],
  ['good.smis --columns hem=FootHeight', good, 'no measurement "hem". It has height, '],
  ['good.smis --decimal comma', good, 'Leave --decimal out'],
])('%s is refused with the reason and the remedy', async (words, text, message) => {
  const [name = '', ...options] = words.split(' ');
  const stderr = expect.stringContaining(message);
  expect(await fill(name, text, options.join(' '))).toEqual({ code: 1, stdout: '', stderr });
});

it('the document has each pair of names', () => {
  const text = readFileSync(join(projectDir(), 'docs', 'spreadsheets.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \| `(\w+)` \| (?:`(\w+)`)? ?\|/gm)];
  const pairsIn = (column: number) =>
    Object.fromEntries(rows.flatMap((row) => (row[column] ? [[row[column], row[1]]] : [])));
  expect(pairsIn(2)).toEqual(SEAMLY_NAMES);
  expect(pairsIn(3)).toEqual(FREESEWING_NAMES);
});
