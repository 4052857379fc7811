import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { readAllowedImports, withImportGraph } from '../../tools/draw-imports.js';

const root = projectDir();
const document = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const allowed = readAllowedImports();
const places = Object.keys(allowed.mayImport);

/** Folders and files that the tables of the document have a row for. */
const described = [...document.matchAll(/^\| `([^`]+)` +\| \S/gm)].map(([, place]) =>
  String(place),
);

describe('the allow-list of imports', () => {
  it('lets a folder import only what is listed above it', () => {
    for (const [index, [place, others]] of Object.entries(allowed.mayImport).entries()) {
      if (place === 'bench') continue; // It measures everything, and nothing imports it.
      const above = [...places.slice(0, index), 'test/support'];
      expect(above, place).toEqual(expect.arrayContaining([...others]));
    }
  });

  it('names only places that exist', () => {
    expect(places.filter((place) => !existsSync(join(root, place)))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('has one row for each place of the allow-list', () => {
    expect(described).toEqual(expect.arrayContaining(places));
    expect(new Set(described).size).toBe(described.length);
  });

  it('describes every folder of src and pipeline and every folder at the top, and no other', () => {
    const inside = (folder: string) =>
      readdirSync(join(root, folder))
        .filter((name) => name !== 'tsconfig.json')
        .map((name) => (folder === '' ? name : `${folder}/${name}`));
    const top = ['attack', 'bench', 'test', 'data/raw', 'docs', 'deploy', 'tools', 'bin', 'web'];
    const inner = [...inside('src'), ...inside('pipeline'), ...inside('clients')];
    expect(described.sort()).toEqual([...inner, ...top].sort());
  });

  it('shows the imports as the allow-list has them', () => {
    expect(withImportGraph(document, allowed)).toBe(document);
  });
});
