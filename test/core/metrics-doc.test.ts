import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { namesIn, servedMetrics } from '../support/metric-names.js';

const document = readFileSync(join(projectDir(), 'docs/metrics.md'), 'utf8');

describe('docs/metrics.md', () => {
  it('lists every metric with the place that serves it, and no other', async () => {
    const served = Object.entries(await servedMetrics()).map(
      ([where, text]) => [where, namesIn(text)] as const,
    );
    const rows = [...document.matchAll(/^\| `(vitruvia_\w+)` +\| (\S+) +\|/gm)];
    for (const [where, names] of served) {
      const listed = rows.filter(([, , place]) => place === where).map(([, name]) => name);
      expect(listed.sort()).toEqual(names.sort());
    }
    expect(rows).toHaveLength(served.flatMap(([, names]) => names).length);
  });

  it('has alerts only on metrics that exist', () => {
    const alerts = document.slice(document.indexOf('## Alerts'));
    const named = [...alerts.matchAll(/vitruvia_\w+?(?=_bucket|\b)/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(document).toMatch(new RegExp(`^\\| \`${name}\` `, 'm'));
  });
});
