import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { OPERATIONS } from '../../src/operations/index.js';

const read = (file: string) => readFileSync(join(projectDir(), file), 'utf8');
const json = (file: string) => JSON.parse(read(file));

describe('the generated files of the clients', () => {
  it('have every operation', () => {
    const python = read('clients/python/vitruvia/_generated.py');
    const typescript = read('clients/typescript/src/generated/operations.ts');
    for (const { name, path } of OPERATIONS) {
      expect(typescript).toContain(`"path":"${path}"`);
      const method = name === 'bodies' ? 'bodies_file' : name;
      if (name !== 'batch')
        expect(python.split(new RegExp(` def ${method}\\(\\s*self`))).toHaveLength(3);
    }
  });
});

describe('the packages of the clients', () => {
  it('depend on the versions that the tests run', () => {
    const { dependencies } = json('package.json');
    const client = json('clients/typescript/package.json');
    expect(client.dependencies).toEqual({ 'openapi-fetch': dependencies['openapi-fetch'] });
    expect(client.peerDependencies['apache-arrow']).toBe(`>=${dependencies['apache-arrow']} <22`);
  });

  it('have a section of the changelog for their version', () => {
    const { version } = json('clients/typescript/package.json');
    const [, python] =
      /__version__ = "(.+)"/.exec(read('clients/python/vitruvia/__init__.py')) ?? [];
    const changelog = read('CHANGELOG.md');
    expect(changelog).toContain(`### Client for TypeScript ${version}\n`);
    expect(changelog).toContain(`### Client for Python ${python}\n`);
  });
});
