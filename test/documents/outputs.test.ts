import { describe, expect, it } from 'vitest';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { OPERATIONS } from '../../src/operations/index.js';
import { freshEnv, run } from '../support/cli.js';
import { realArtifacts } from '../support/servers.js';
import { allBlocks, sessionsOf, wordsOf } from './blocks.js';

const RUN: ReadonlySet<string> = new Set([
  ...OPERATIONS.map(({ command }) => command.name),
  'table',
]);
/** This sign stands for omitted output. */
const CUT = '…';
/** Names that a reader puts in place of `$ALL`. */
const ALL = [...MEASUREMENT_NAMES, 'BMI', 'BodyMass'].join(',');

const sessions = allBlocks().flatMap((block) =>
  sessionsOf(block).flatMap(({ line, output }) => {
    const [words = [], ...others] = wordsOf(line) ?? [];
    const [program, , name = ''] = words;
    const isOffline = program === 'npx' && RUN.has(name) && others.length === 0;
    return isOffline && output !== '' ? [{ place: block.place, name, words, output }] : [];
  }),
);

const oneLine = (text: string): string => text.trim().split(/\s+/).join(' ');

describe('what commands print in the documents', () => {
  it.each(sessions)('$place: $name prints it today', async ({ words, output }) => {
    const given = words.slice(2).map((word) => (word === '$ALL' ? ALL : word));
    const env = freshEnv({ ARTIFACTS_DIR: await realArtifacts() });
    const { stdout, stderr } = await run(given, env);
    const parts = oneLine(output).split(CUT);
    const pattern = parts.map((part) => part.trim().replace(/[^\w\s]/g, '\\$&')).join('.+');
    expect(oneLine(stdout + stderr)).toMatch(new RegExp(`^${pattern}$`));
  });

  it('is found in the guides on the model and on tables', () => {
    const files = new Set(sessions.map(({ place }) => place.split(':')[0]));
    for (const file of ['docs/model.md', 'docs/tables.md']) expect([...files]).toContain(file);
  });
});
