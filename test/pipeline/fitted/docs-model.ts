import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { levelFigures } from '../../../pipeline/docs-levels.js';
import { modelFigures, withWorkedExample, workedExample } from '../../../pipeline/docs-model.js';
import { profilesPage } from '../../../pipeline/docs-profiles.js';
import { ROOT } from '../../support/build.js';
import { fit, tables } from './fit.js';

describe('docs/model.md', () => {
  it('shows the figures that `npm run docs` draws', async () => {
    const page = readFileSync(join(ROOT, 'docs/model.md'), 'utf8');
    const figures = [...modelFigures(fit), ...(await levelFigures(fit.model, tables))];
    for (const [name, svg] of figures) {
      expect(page).toContain(`](model/${name})`);
      const drawn = readFileSync(join(ROOT, 'docs/model', name), 'utf8');
      expect(drawn === svg, `docs/model/${name} is out of date: npm run docs`).toBe(true);
    }
  });

  it('names files that exist', () => {
    const page = readFileSync(join(ROOT, 'docs/model.md'), 'utf8');
    const [, table = ''] = page.split('## 7. ');
    const files = [...table.matchAll(/`((?:pipeline|src)\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('works its example with the numbers of the model', () => {
    const page = readFileSync(join(ROOT, 'docs/model.md'), 'utf8');
    expect(
      withWorkedExample(page, fit) === page,
      'docs/model.md is out of date: npm run docs',
    ).toBe(true);
    expect(workedExample(fit).length).toBe(19);
  });
});

it('the page of clothing has a use or a reason for each published row', () => {
  expect(profilesPage(fit.tables)).not.toContain('undefined');
});
