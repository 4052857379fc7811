import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';

const src = join(projectDir(), 'src');

it('docs/metrics.md lists every file that keeps something in a bounded map, and no other', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .filter((name) => /new (BoundedMap|LRUCache)\b/.test(readFileSync(join(src, name), 'utf8')));
  const document = readFileSync(join(projectDir(), 'docs/metrics.md'), 'utf8');
  const section = document.slice(document.indexOf('## Memory'));
  const rows = section.matchAll(/^\|.*`src\/([^`]+)`/gm);
  expect([...new Set([...rows].map(([, file]) => file))].sort()).toEqual(files.sort());
});
