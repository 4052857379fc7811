import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { namesIn, readRules, servedMetrics, withMetricTables } from '../../tools/list-metrics.js';

const rules = readRules();

const text = Object.values(await servedMetrics()).join('\n');

describe('deploy/alerts.yaml', () => {
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
  const served = namesIn(text);
  for (const name of served) expect(filled).toContain(`| \`${name}\` |`);
  for (const { alert } of rules) expect(filled).toContain(`| \`${alert}\` |`);
  const named = filled.match(/vitruvia_\w+/g) ?? [];
  expect(named.filter((name) => !served.includes(name))).toEqual([]);
});

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const file = join(projectDir(), 'deploy/grafana-dashboard.json');
const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { readonly panels: readonly Panel[] };
const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const namesOf = (expr: string) =>
  [...expr.matchAll(/\b((?:vitruvia|process|nodejs)_\w+)\{/g)].map(([, name]) => String(name));

describe('deploy/grafana-dashboard.json', () => {
  it('shows every metric of the program, and no other', () => {
    const shown = expressions.flatMap(namesOf).map((name) => name.replace(/_bucket$/, ''));
    const all = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => String(name));
    expect(all).toEqual(expect.arrayContaining([...new Set(shown)]));
    expect(shown).toEqual(expect.arrayContaining(namesIn(text)));
  });

  it('uses only labels that the metrics have', () => {
    for (const { targets = [], title } of panels) {
      for (const { expr, legendFormat } of targets) {
        for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
          // Prometheus itself adds the label `instance`. The sum must keep each label that a legend shows.
          if (label !== 'instance')
            expect(expr, title).toMatch(new RegExp(`by \\([^)]*\\b${label}\\b`));
        }
      }
    }
  });

  it('gives each panel an id and a place of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const places = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from(
        { length: w * h },
        (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`,
      ),
    );
    expect(new Set(places).size).toBe(places.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});
