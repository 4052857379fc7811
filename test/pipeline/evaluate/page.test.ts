import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accuracyPage } from '../../../pipeline/evaluate/page.js';
import type { AccuracyRecord } from '../../../pipeline/evaluate/report.js';
import { projectDir } from '../../../src/core/project-dir.js';

const read = (file: string) => readFileSync(join(projectDir(), 'docs', file), 'utf8');

describe('docs/accuracy.md', () => {
  const kept = read('accuracy-summary.json');
  const record: AccuracyRecord = JSON.parse(kept);

  it('is written from docs/accuracy-summary.json, which `report.long.test.ts` checks', () => {
    expect(accuracyPage(record)).toBe(read('accuracy.md'));
  });

  it('can be read at one sitting', () => {
    expect(read('accuracy.md').trim().split(/\s+/).length).toBeLessThanOrEqual(1500);
    expect(kept.split('\n').length).toBeLessThanOrEqual(300);
  });

  it('says which goals are missed', () => {
    const figures = {
      ...record.figures,
      givenDriversExact: 0.3101,
      coverage90: 0.9201,
      womenBiasMm: -3.0004,
      coverage95: 0.97,
    };
    const page = accuracyPage({ ...record, figures });
    const row = (start: string) =>
      page.split('\n').find((line) => line.startsWith(`| ${start}`)) ?? '';
    const cells = (start: string) => row(start).split(' | ').slice(1);
    expect(cells('means of national studies')).toEqual(['≤ 0.31 SD', '0.310 |']);
    const conditional = 'people of ANSUR I inside 90 % conditional';
    expect(cells(conditional)).toEqual(['88 to 92 %', '92.0 % |']);
    expect(cells('stature of women')).toEqual(['± 3 mm', '-3.000 |']);
    expect(row('people of ANSUR I inside 95 %')).toBe('');
  });

  it('marks in the table which intervals are too wide or too narrow for the goal', () => {
    const [, table = ''] = read('accuracy.md').split('\n## ').slice(0, 2);
    const [, , ...shares] = [...table.matchAll(/\| (\d+\.\d) %( \w+)? (?=\|)/g)];
    expect(shares.length).toBeGreaterThan(10);
    for (const [, share, mark = ''] of shares) {
      expect([share, mark]).toEqual([
        share,
        Number(share) > 93 ? ' wide' : Number(share) < 87 ? ' narrow' : '',
      ]);
    }
  });
});
