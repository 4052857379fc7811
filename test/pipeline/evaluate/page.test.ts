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
    expect(read('accuracy.md').trim().split(/\s+/).length).toBeLessThanOrEqual(2500);
    expect(kept.split('\n').length).toBeLessThanOrEqual(300);
  });

  it('says which goals are missed', () => {
    const figures = {
      ...record.figures,
      givenDriversExact: 0.3101,
      coverage90: 0.92,
      womenBiasMm: 1.7094,
    };
    const page = accuracyPage({ ...record, figures });
    const row = (start: string) =>
      page.split('\n').find((line) => line.startsWith(`| ${start}`)) ?? '';
    const cells = (start: string) => row(start).split(' | ').slice(1);
    expect(cells('means of national studies')).toEqual(['≤ 0.31 SD', '0.310', 'no |']);
    expect(cells('inside 90 % ranges')).toEqual(['88 to 92 %', '92.0 %', 'yes |']);
    expect(cells('stature of women')).toEqual(['± 3 mm', '1.709', 'yes |']);
  });
});
