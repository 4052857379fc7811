// Runs the commands that documents show with `$ npx vitruvia`, and writes what they print today below them.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MEASUREMENT_NAMES } from '../src/core/measurements.js';
import { projectDir } from '../src/core/project-dir.js';
import { OPERATIONS } from '../src/operations/index.js';
import { allBlocks, sessionsOf, wordsOf } from './document-blocks.js';

/** Commands that answer without a server and write nothing. */
const RUN: ReadonlySet<string> = new Set([
  ...OPERATIONS.map(({ command }) => command.name),
  'table',
]);
/** Names that a reader puts in place of `$ALL`. */
const ALL = [...MEASUREMENT_NAMES, 'BMI', 'BodyMass'].join(',');
/** This sign stands for omitted output. */
export const CUT = '…';

/** A command in a document with its output, which can be checked. */
export interface ShownCommand {
  readonly place: string;
  readonly file: string;
  readonly name: string;
  /** Arguments of the program. */
  readonly given: readonly string[];
  readonly output: string;
}

/** All commands with an output that the program prints without a server. */
export function shownCommands(): ShownCommand[] {
  return allBlocks().flatMap((block) =>
    sessionsOf(block).flatMap(({ line, output }) => {
      const [words = [], ...others] = wordsOf(line) ?? [];
      const [program, , name = ''] = words;
      if (program !== 'npx' || !RUN.has(name) || others.length > 0 || output === '') return [];
      const given = words.slice(2).map((word) => (word === '$ALL' ? ALL : word));
      return [{ place: block.place, file: block.file, name, given, output }];
    }),
  );
}

/**
 * Today's output, cut where the shown one is cut. A line `…` stands for omitted lines, and a line that ends with `…`
 * for the rest of a line. The lines after omitted ones are found by their first word.
 */
export function cutAs(shown: string, printed: string): string {
  const lines = printed.trim().split('\n');
  let at = 0;
  let isAfterCut = false;
  return shown
    .split('\n')
    .map((line) => {
      if (line === CUT) {
        isAfterCut = true;
        return line;
      }
      const [first] = line.trim().split(/\s+/);
      const found = lines.findIndex((one, i) => i >= at && one.trim().split(/\s+/)[0] === first);
      const here = isAfterCut && found >= 0 ? found : at;
      at = here + 1;
      isAfterCut = false;
      const today = (lines[here] ?? '').trimEnd();
      return line.endsWith(CUT) ? `${today.slice(0, line.length - 1)}${CUT}` : today;
    })
    .join('\n');
}

function main(): void {
  for (const { file, given, output } of shownCommands()) {
    // A refusal may be shown, too. Its message is on standard error, and its exit code is 1.
    const { status, stdout, stderr } = spawnSync('node', ['bin/vitruvia.js', ...given], {
      cwd: projectDir(),
      encoding: 'utf8',
    });
    if (status !== 0 && status !== 1) throw new Error(`${file}: ${given.join(' ')}: ${stderr}`);
    const printed = stdout + stderr;
    const today = output.includes(CUT) ? cutAs(output, printed) : printed.trim();
    if (today === output) continue;
    const path = join(projectDir(), file);
    const parts = readFileSync(path, 'utf8').split(output);
    if (parts.length !== 2) throw new Error(`${file} must have this output once:\n${output}`);
    writeFileSync(path, parts.join(today));
    console.log(`${file}: ${given.slice(0, 3).join(' ')}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
