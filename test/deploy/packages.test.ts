import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';

const { satisfies } = createRequire(import.meta.url)('semver');
const read = (file: string) => JSON.parse(readFileSync(join(projectDir(), file), 'utf8'));

interface Installed {
  readonly engines?: { readonly node?: string };
}

it('every package runs on the oldest Node that the project names', () => {
  const oldest = `${read('package.json').engines.node.replace('>=', '')}.0`;
  const packages = Object.entries<Installed>(read('package-lock.json').packages);
  const others = packages.filter(([, { engines }]) => {
    return engines?.node !== undefined && !satisfies(oldest, engines.node);
  });
  expect(others.map(([name]) => name)).toEqual([]);
});

it.skipIf(process.platform === 'win32')(
  'npx finds the command and the client of a checkout',
  () => {
    const command = realpathSync(join(projectDir(), 'node_modules/.bin/vitruvia'));
    expect(command).toBe(realpathSync(join(projectDir(), 'bin/vitruvia.js')));
    const client = realpathSync(join(projectDir(), 'node_modules/@vitruvia/client'));
    expect(client).toBe(realpathSync(join(projectDir(), 'clients/typescript')));
  },
);
