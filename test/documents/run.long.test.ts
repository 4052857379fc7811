import { expect, it } from 'vitest';
import { documentSteps, type Printed, runSteps, todayAs } from '../../tools/run-documents.js';
import { havePython } from '../support/python.js';
import { realArtifacts } from '../support/servers.js';

/** Fault of a step: it failed, or it prints another text than the document shows. */
function faultOf({ place, line, shown, printed, code }: Printed): readonly unknown[] {
  if (shown === undefined) return code === 0 ? [] : [{ place, line, code, printed }];
  const today = todayAs(shown, printed);
  return today === shown ? [] : [{ place, line, shown, today }];
}

it('README and the documents run in the order of their text, and show what is printed today', async () => {
  const steps = documentSteps().filter(
    ({ kind, line }) => havePython || (kind !== 'python' && !line.startsWith('env/bin/python')),
  );
  const of = (file: string) => steps.filter((step) => step.file === file).length;
  for (const file of ['README.md', 'docs/mcp.md', 'docs/populations.md', 'docs/spreadsheets.md']) {
    expect([file, of(file)]).toEqual([file, expect.toSatisfy((count: number) => count > 2)]);
  }
  const faults: unknown[] = [];
  for await (const done of runSteps(steps, { ARTIFACTS_DIR: await realArtifacts() })) {
    faults.push(...faultOf(done));
  }
  expect(faults).toEqual([]);
});
