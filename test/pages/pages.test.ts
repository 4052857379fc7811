import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectDir } from '../../src/core/project-dir.js';
import { startService, type TestService } from '../support/service.js';

const ASSETS = join(projectDir(), 'dist', 'web', 'assets');

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('the assets of the pages', () => {
  it('are cached forever and sent as the build compressed them', async () => {
    const name = readdirSync(ASSETS).find((file) => /^site-.*\.css$/.test(file)) ?? '';
    const headers = { 'accept-encoding': 'gzip, br' };
    const answer = await service.http.inject({ url: `/assets/${name}`, headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['content-encoding']).toBe('br');
    const sent = brotliDecompressSync(answer.rawPayload);
    expect(sent.equals(readFileSync(join(ASSETS, name)))).toBe(true);
  });

  it('are the only files served: a path outside the folder or an unknown path gives 404', async () => {
    for (const path of [
      '/assets/../manifest.json',
      '/assets/%2e%2e/manifest.json',
      '/assets/x.js',
    ]) {
      const answer = await service.http.inject({ url: path });
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'model_not_found']);
    }
  });
});

it('an unknown address below a page gets a page with status 404', async () => {
  for (const path of ['/explore/', '/account/', '/account/keys/x/y?z=<b>']) {
    const answer = await service.http.inject({ url: path });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain('<h1>Page not found</h1>');
  }
});
