import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { readAllowedImports, withImportGraph } from '../../tools/draw-imports.js';

const root = projectDir();
const document = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const allowed = readAllowedImports();
const places = Object.keys(allowed.mayImport);

/** Folders and files that have a row in the tables of the document. */
const described = [...document.matchAll(/^\| `([^`]+)` +\| \S/gm)].map(([, place]) =>
  String(place),
);

describe('the allow-list of imports', () => {
  it('lets a folder import only what is listed above it', () => {
    for (const [index, [place, others]] of Object.entries(allowed.mayImport).entries()) {
      if (place === 'bench') continue; // The bench measures everything, and nothing imports it.
      const above = [...places.slice(0, index), 'test/support'];
      expect(above, place).toEqual(expect.arrayContaining([...others]));
    }
  });

  it('names only places that exist', () => {
    expect(places.filter((place) => !existsSync(join(root, place)))).toEqual([]);
  });
});

describe('the addresses of screens', () => {
  it('are taken apart by one codec', () => {
    const files = ['src/screens', 'src/pages/share', 'src/pages/home', 'web'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => `${folder}/${name}`),
    );
    // The body of a form is no address.
    const byHand = /new URLSearchParams\((?!\{)|\bsearchParams\b/;
    const found = files.filter((file) => byHand.test(readFileSync(join(root, file), 'utf8')));
    expect(found).toEqual(['src/screens/shared/address-fields.ts']);
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
    const top = ['bench', 'test', 'data/raw', 'docs', 'deploy', 'tools', 'bin', 'web'];
    const inner = [...inside('src'), ...inside('pipeline'), ...inside('clients')];
    expect(described.sort()).toEqual([...inner, ...top].sort());
  });

  it('shows the imports as the allow-list has them', () => {
    expect(withImportGraph(document, allowed)).toBe(document);
  });
});
