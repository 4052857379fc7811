import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectDir } from '../../src/core/project-dir.js';
import { namesIn, servedMetrics } from '../support/metric-names.js';

/** A rule of Prometheus. */
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

const read = (file: string) => readFileSync(join(projectDir(), file), 'utf8');
const rules: readonly Rule[] = parse(read('deploy/alerts.yaml')).groups[0].rules;
const document = read('docs/metrics.md');

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
        // Where a metric has series from the start, the values that a rule names are among them.
        const series = text.split('\n').filter((line) => line.startsWith(`${name}{`));
        for (const [pair] of matchers.matchAll(/\w+="[^"]*"/g)) {
          if (series.length > 0) expect(series.join('\n'), alert).toContain(pair);
        }
      }
    }
  });

  it('agrees with the table of docs/metrics.md', () => {
    const rows = [...document.matchAll(/^\| `(Vitruvia\w+)` \| (\w+)(?: after (\w+))? \|/gm)];
    const table = rows.map(([, alert, severity, wait = '0m']) => [alert, severity, wait]);
    expect(table).toEqual(
      rules.map(({ alert, labels, for: wait }) => [alert, labels.severity, wait]),
    );
  });
});
