import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { namesIn, readRules, servedMetrics, withMetricTables } from '../../tools/list-metrics.js';

const rules = readRules();

describe('deploy/alerts.yaml', () => {
  let text = '';
  beforeAll(async () => {
    text = Object.values(await servedMetrics()).join('\n');
  });

  it('names only metrics and labels that processes serve', () => {
    const served = namesIn(text).flatMap((name) => [name, `${name}_bucket`]);
    expect(rules.length).toBeGreaterThan(20);
    for (const { alert, expr } of rules) {
      const named = [...expr.matchAll(/\b(vitruvia_\w+)(?:\{([^}]*)\})?/g)];
      expect(named.length + (expr.match(/\bup\b/g)?.length ?? 0), alert).toBeGreaterThan(0);
      for (const [, name = '', matchers = ''] of named) {
        expect(served).toContain(name);
        // If a metric has series from the start, they include the values that a rule names.
        const series = text.split('\n').filter((line) => line.startsWith(`${name}{`));
        for (const [pair] of matchers.matchAll(/\w+="[^"]*"/g)) {
          if (series.length > 0) expect(series.join('\n'), alert).toContain(pair);
        }
      }
    }
  });
});

it('docs/metrics.md gets the metrics and the alerts, and names only metrics that exist', async () => {
  const document = readFileSync(join(projectDir(), 'docs/metrics.md'), 'utf8');
  const filled = await withMetricTables(document);
  const served = namesIn(Object.values(await servedMetrics()).join('\n'));
  for (const name of served) expect(filled).toContain(`| \`${name}\` |`);
  for (const { alert } of rules) expect(filled).toContain(`| \`${alert}\` |`);
  const named = filled.match(/vitruvia_\w+/g) ?? [];
  expect(named.filter((name) => !served.includes(name))).toEqual([]);
});
