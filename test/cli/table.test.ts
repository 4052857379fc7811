import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { predict } from '../../src/operations/predict.js';
import { freshEnv, run } from '../support/cli.js';
import { newFolder } from '../support/folders.js';
import { modelOf } from '../support/models.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';

const ARTIFACTS_DIR = writeTinyArtifact();
const env = freshEnv({ ARTIFACTS_DIR });
const model = modelOf(ARTIFACTS_DIR);
const HEADER = 'measurement,country,gender,age,clothing,posture,percentile,value,unit';
const folder = newFolder('table');

/** The answer of the service for a row of a table. */
function predicted([
  measurement,
  country,
  gender,
  age,
  clothing,
  posture,
  percentile,
  ,
  unit,
]: string[]) {
  const input = { measurement, country, gender, clothing, posture, unit };
  return predict.run({ ...input, age: Number(age), percentile: Number(percentile) } as never, model)
    .value;
}

describe('vitruvia table', () => {
  it('has a row with the answer of the service for each combination', async () => {
    const { code, stdout, stderr } = await run(
      'table --measurements Stature,SittingHeight --countries NA,DE --ages 20,30.5,40-60:10 --percentiles 5,99 --clothing nude,winter --postures standing_erect --unit cm',
      env,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [header, ...lines] = stdout.trimEnd().split('\r\n');
    expect(header).toBe(HEADER);
    expect(lines).toHaveLength(2 * 2 * 2 * 5 * 2 * 2);
    expect(new Set(lines.map((line) => line.split(',').slice(0, 7).join())).size).toBe(
      lines.length,
    );
    for (const line of lines) {
      const cells = line.split(',');
      expect(Number(cells[7])).toBe(predicted(cells));
    }
    expect(lines[0]).toMatch(/^Stature,NA,Male,20,nude,standing_erect,5,/);
    expect(lines.at(-1)).toMatch(/^SittingHeight,DE,Female,60,winter,standing_erect,99,/);
  });

  it('gives the same rows as Arrow in a file, and describes them', async () => {
    const flags = 'table --measurements all --countries EU27 --ages 30';
    const output = join(folder, 'eu.arrow');
    const [csv, arrow] = await Promise.all([
      run(flags, env),
      run(`${flags} --format arrow --output ${output} --json`, env),
    ]);
    const table = tableFromIPC(readFileSync(output));
    const lines = csv.stdout.trimEnd().split('\r\n').slice(1);
    expect(arrow.json).toMatchObject({
      file: output,
      format: 'arrow',
      rows: lines.length,
      unit: 'mm',
    });
    expect(table.numRows).toBe(lines.length);
    expect(table.schema.fields.map(({ name }) => name).join()).toBe(HEADER);
    expect(table.schema.metadata.get('artifactVersion')).toBe(model.artifactVersion);
    const value = table.getChild('value');
    for (const [row, line] of lines.entries()) {
      expect(value?.get(row)).toBe(Number(line.split(',')[7]));
    }
    expect(existsSync(`${output}.part`)).toBe(false);
    // Men have no underbust measurement.
    const underbust = 'FemaleChestCircumferenceBelowBreasts';
    const missing = { measurement: underbust, gender: 'Male', rows: 27 * 3 };
    expect(arrow.json.leftOut).toContainEqual(expect.objectContaining(missing));
    expect(csv.stderr).toContain(`${underbust} has no model for Male`);
    expect(lines.some((line) => line.startsWith(`${underbust},DE,Male`))).toBe(false);
  });

  it('refuses wrong names and forms, and says which', async () => {
    const cases: Readonly<Record<string, string>> = {
      '--measurements Statur --countries DE': 'Did you mean Stature?',
      '--measurements Stature --countries DE,XX': 'XX',
      '--measurements Stature --countries DE --ages 60-20': 'Write ages as in 20,30',
      '--measurements Stature --countries DE --ages 130': 'ages[0] must be',
      '--measurements Stature --countries DE --percentiles 0.95,100': 'percentiles[1] must be',
      '--measurements Stature --countries DE --postures slumped': 'postures[0]',
      '--measurements FemaleChestCircumferenceBelowBreasts --countries DE --genders Male':
        'has no model for Male',
      '--measurements Stature --countries DE --json': 'add --output',
      '--countries DE': '--measurements',
    };
    for (const [flags, message] of Object.entries(cases)) {
      const { code, stdout, stderr } = await run(`table ${flags}`, env);
      expect(code, flags).toBeGreaterThan(0);
      expect(stdout + stderr, flags).toContain(message);
    }
  });
});
