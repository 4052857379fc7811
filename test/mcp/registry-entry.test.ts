import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COUNTRY_CODES } from '../../src/core/countries.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { projectDir } from '../../src/core/project-dir.js';
import { SERVICE_VERSION } from '../../src/core/version.js';
import { MCP_PATH } from '../../src/mcp/routes.js';
import { INFO } from '../../src/mcp/server.js';

// The rules come from the registry's schema of 2025-12-11.

const read = (file: string) => JSON.parse(readFileSync(join(projectDir(), file), 'utf8'));
const entry = read('server.json');
const [remote] = entry.remotes;

describe('server.json', () => {
  it('keeps the rules of the registry', () => {
    expect(entry.$schema).toBe(
      'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    );
    expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(entry.name.length).toBeLessThanOrEqual(200);
    expect(entry.description.length).toBeLessThanOrEqual(100);
    expect(entry.title.length).toBeLessThanOrEqual(100);
    expect(entry.remotes).toHaveLength(1);
    expect(remote.type).toBe('streamable-http');
    const [header] = remote.headers;
    for (const [template, variables] of [
      [remote.url, remote.variables],
      [header.value, header.variables],
    ]) {
      const used = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(used).toEqual(Object.keys(variables));
    }
    expect(header).toMatchObject({ name: 'Authorization', isRequired: true, isSecret: true });
    expect(header.variables.api_key.isSecret).toBe(true);
  });

  it('names the version and the numbers of the service', () => {
    expect(entry.version).toBe(read('package.json').version);
    expect(entry.version).toBe(SERVICE_VERSION);
    expect(entry.name.split('/')[1]).toBe(INFO.name);
    expect(entry.title).toBe(INFO.title);
    expect(entry.description).toContain(`${MEASUREMENT_NAMES.length} body measurements`);
    expect(entry.description).toContain(`${COUNTRY_CODES.length} countries`);
  });

  it('leads a client to the endpoint', () => {
    expect(new URL(remote.url.replace('{host}', 'a.example')).pathname).toBe(MCP_PATH);
    expect(remote.headers[0].value).toBe('Bearer {api_key}');
  });
});
