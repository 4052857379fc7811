import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { allBlocks } from '../../tools/document-blocks.js';
import { CUT, cutAs, shownCommands } from '../../tools/write-outputs.js';
import { freshEnv, run } from '../support/cli.js';
import { realArtifacts } from '../support/servers.js';

const commands = shownCommands();
const oneLine = (text: string): string => text.trim().split(/\s+/).join(' ');

describe('what commands print in the documents', () => {
  it.each(commands)('$place: $name prints it today', async ({ given, output }) => {
    const env = freshEnv({ ARTIFACTS_DIR: await realArtifacts() });
    const { stdout, stderr } = await run(given, env);
    const parts = oneLine(output).split(CUT);
    const pattern = parts.map((part) => part.trim().replace(/[^\w\s]/g, '\\$&')).join('.+');
    expect(oneLine(stdout + stderr)).toMatch(new RegExp(`^${pattern}$`));
  });

  it('is found in the guides on the model and on tables', () => {
    const files = new Set(commands.map(({ file }) => file));
    for (const file of ['docs/model.md', 'docs/tables.md']) expect([...files]).toContain(file);
  });

  it('is said to be cut where it is cut, as are files and formulas', () => {
    // A key is not shown, and `:…@` is a password.
    const cut = new Set(
      allBlocks()
        .filter(({ text }) => text.replace(/vt_\w+_…|:…@/g, '').includes(CUT))
        .map(({ file }) => file),
    );
    expect([...cut]).toContain('docs/spreadsheets.md');
    for (const file of cut) {
      const text = readFileSync(join(projectDir(), file), 'utf8');
      expect([file, oneLine(text)]).toEqual([
        file,
        expect.stringContaining('`…` stands for what is left out'),
      ]);
    }
  });

  it('is cut where it was cut', () => {
    const printed =
      'people  12\nshare   0.5\nnote    x\nname  min  max\nknee  1    25\nfoot  3    4\n';
    const shown = 'people  10\n…\nname  min …\nknee  1   …\n…';
    expect(cutAs(shown, printed)).toBe('people  12\n…\nname  min …\nknee  1   …\n…');
  });
});
