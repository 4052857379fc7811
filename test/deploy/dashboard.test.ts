import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { namesIn, servedMetrics } from '../../tools/list-metrics.js';

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
  let text = '';
  beforeAll(async () => {
    text = Object.values(await servedMetrics()).join('\n');
  });

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
