import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/core/errors.js';
import { projectDir } from '../../src/core/project-dir.js';
import { OPERATIONS } from '../../src/operations/index.js';

const readme = readFileSync(join(projectDir(), 'README.md'), 'utf8');

describe('the README', () => {
  it('lists every error code with its status, and no other', () => {
    const rows = [...readme.matchAll(/^\| (\d{3}) +\| `(\w+)` +\|/gm)];
    const listed = Object.fromEntries(rows.map(([, status, code]) => [code, Number(status)]));
    const known = Object.entries(ERRORS).map(([code, { status }]) => [code, status]);
    expect(listed).toEqual(Object.fromEntries(known));
  });

  it('lists the route of every operation', () => {
    for (const { path } of OPERATIONS) expect(readme).toContain(`| \`POST ${path}\` `);
  });

  it('names only scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(projectDir(), 'package.json'), 'utf8'));
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script);
    expect(named.length).toBeGreaterThan(0);
    for (const script of named) expect(Object.keys(scripts)).toContain(script);
  });
});
