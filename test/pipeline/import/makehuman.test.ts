import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { displacements } from '../../../pipeline/import/makehuman/modes.js';
import { AssetFolder } from '../../../pipeline/import/makehuman/read-assets.js';
import { runImport } from '../../../pipeline/import/run-import.js';
import { newFolder } from '../../support/folders.js';

const folder = newFolder('makehuman');
mkdirSync(join(folder, 'targets/neck'), { recursive: true });

const CC0 = '# This asset was explicitly released as CC0 in september 2020.\n';
const target = (name: string, text: string) =>
  writeFileSync(join(folder, `targets/${name}.target.gz`), gzipSync(text));

it('refuses a folder without the mesh, and a second folder', async () => {
  const options = { to: folder, date: '2026-11-23', log: () => undefined };
  await expect(runImport('makehuman', [folder], options)).rejects.toThrow(/base.obj: is not in/);
  await expect(runImport('makehuman', ['a', 'b'], options)).rejects.toThrow(/needs 1 folder/);
});

it('takes only files that state CC0', () => {
  target('neck/neck-incr', '3 0.1 0 0\n');
  expect(() => new AssetFolder(folder).target('neck/neck-incr')).toThrow(/does not state CC0/);
  writeFileSync(join(folder, 'weights.game_engine.json'), '{"license":"AGPL","weights":{}}');
  expect(() => new AssetFolder(folder).weights()).toThrow(/states the licence AGPL/);
});

it('reads targets in decimetres and gives displacements in whole units of the mode', () => {
  target('neck/neck-incr', `${CC0}3 0.1 0 -0.02\n`);
  target('neck/neck-decr', `${CC0}3 -0.1 0 0\n4 0 0.002 0\n`);
  const assets = new AssetFolder(folder);
  const mode = {
    kind: 'local' as const,
    name: 'neck',
    terms: [['neck/neck-incr', 0.5] as const, ['neck/neck-decr', -0.5] as const],
    unitMm: 0.02,
  };
  const rows = displacements(mode, (name) => assets.target(name), [[3], [4], [5], [3, 5]]);
  // The point moves 10 mm along x. The joint in the last row moves by half of this.
  expect(rows).toEqual([
    [0, 500, 0, -50],
    [1, 0, -5, 0],
    [3, 250, 0, -25],
  ]);
  expect(assets.digests.map(({ name }) => name)).toEqual([
    'targets/neck/neck-decr.target.gz',
    'targets/neck/neck-incr.target.gz',
  ]);
});

it('refuses a target with a broken line', () => {
  target('neck/neck-incr', `${CC0}3 0.1\n`);
  expect(() => new AssetFolder(folder).target('neck/neck-incr')).toThrow(/has the line "3 0.1"/);
});
