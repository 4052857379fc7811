import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { segmentTables, withTable } from '../../tools/compare-segments.js';
import { realArtifacts } from '../support/servers.js';

it('docs/body.md compares the segments of today with published ones', async () => {
  const document = readFileSync(new URL('../../docs/body.md', import.meta.url), 'utf8');
  const table = segmentTables(await realArtifacts());
  expect(document).toContain(table);
  expect(withTable(document, table)).toBe(document);
});
