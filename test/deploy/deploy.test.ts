import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig, SHUTDOWN_MS } from '../../src/config.js';
import { projectDir } from '../../src/core/project-dir.js';
import { FILE_PAGES } from '../../src/pages/docs/index.js';
import { run } from '../support/cli.js';
import { copyImageContext, isKeptOut } from '../support/image-context.js';

const read = (file: string) => readFileSync(join(projectDir(), file), 'utf8');
const dockerfile = read('Dockerfile');
const compose = parse(read('compose.yaml'), { merge: true });
const haproxy = read('deploy/haproxy.cfg');
const { api, worker, redis, postgres, lb } = compose.services;

/** The environment variables that the program reads. */
function variables(): Set<string> {
  const asked = new Set<string>();
  const env = new Proxy({}, { get: (_, name) => void asked.add(String(name)) });
  readConfig(env);
  return asked;
}

describe('compose.yaml', () => {
  it('starts existing commands with variables that the program reads', async () => {
    const { stdout } = await run('--help');
    for (const { command, environment } of [api, worker]) {
      expect(stdout).toMatch(new RegExp(`^  ${command[0]} `, 'm'));
      expect([...variables()]).toEqual(expect.arrayContaining(Object.keys(environment)));
    }
    // When all values are filled in, the environment is a valid configuration.
    const filled = Object.fromEntries(
      Object.entries<string>(api.environment).map(([name, value]) => [
        name,
        value.replace(/\$\{\w+:-([^}]*)\}/g, '$1').replace(/\$\{\w+[^}]*\}/g, 'secret'),
      ]),
    );
    expect(readConfig({ ...filled, HOST: '0.0.0.0', PORT: '3000' })).toMatchObject({
      databaseUrl: 'postgres://vitruvia:secret@postgres:5432/vitruvia',
      redisUrl: 'redis://:secret@redis:6379',
      serviceEnv: 'production',
    });
  });

  it('gives two nodes time to finish, a read-only root and an unprivileged user', () => {
    for (const service of [api, worker]) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], init: true });
      expect(Number.parseInt(service.stop_grace_period, 10) * 1000).toBeGreaterThan(SHUTDOWN_MS);
    }
    expect(api.deploy.replicas).toBe(2);
    expect(dockerfile).toMatch(/^USER node$/m);
  });

  it('keeps the data on volumes, and does not publish the ports of the stores', () => {
    expect(redis.command.join(' ')).toMatch(
      /--appendonly yes --appendfsync always .*--maxmemory-policy noeviction/,
    );
    for (const [service, place] of [
      [redis, '/data'],
      [postgres, '/var/lib/postgresql/data'],
    ]) {
      const [volume, path] = service.volumes[0].split(':');
      expect(path).toBe(place);
      expect(compose.volumes).toHaveProperty(volume);
      expect(service.networks).toEqual(['inside']);
      expect(service.ports).toBeUndefined();
    }
    expect(compose.networks.inside.internal).toBe(true);
  });

  it('balances by readiness, and never sends a request twice', () => {
    const [file] = lb.volumes[0].split(':');
    expect(existsSync(join(projectDir(), file))).toBe(true);
    expect(haproxy).toContain('option httpchk GET /ready');
    expect(haproxy).toMatch(/^ {2}retry-on conn-failure$/m);
    const port = /EXPOSE (\d+)/.exec(dockerfile)?.[1];
    expect(haproxy).toContain(`api:${port} resolvers`);
    expect(lb.ports[0]).toMatch(/:8080$/);
    expect(haproxy).toContain('bind :8080');
  });
});

describe('the Dockerfile', () => {
  it('gets every source and no secret, and its build shows what is missing', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: projectDir(), encoding: 'utf8' });
    const sources = tracked.trim().split('\n');
    expect(sources).toContain('tsconfig.core.json');
    expect(sources.filter(isKeptOut)).toEqual([]);
    const secrets = ['.git/config', '.env', 'deploy/.env.production', 'var/vitruvia.sqlite-wal'];
    const more = [
      'books.db',
      'clients/.npmrc',
      'deploy/tls.key',
      'deploy/tls.pem',
      'secrets/stripe',
    ];
    expect([...secrets, ...more].filter((path) => !isKeptOut(path))).toEqual([]);
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, list]) =>
      String(list).split(' '),
    );
    expect(copied).toContain('bin');
    for (const name of copied) expect(existsSync(join(projectDir(), name)), name).toBe(true);
    // The files that the documentation is made from.
    const served = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    for (const file of ['docs/api.md', 'docs/mcp.md', ...FILE_PAGES.keys()]) {
      const [top = ''] = file.split('/');
      expect(served).toMatch(new RegExp(`^COPY .*${top}\\b`, 'm'));
    }
    // `.ci/run` makes its build in such a folder. Here one file is missing.
    const folder = copyImageContext();
    rmSync(join(folder, 'tsconfig.core.json'));
    const options = { cwd: folder, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync('npm', ['run', 'build:web'], options);
    rmSync(folder, { recursive: true });
    expect(status).toBe(1);
    expect(stderr).toContain('tsconfig.core.json');
  });

  it('sets variables that the program reads, and receives signals itself', () => {
    const set = /^ENV (.+)$/m
      .exec(dockerfile)?.[1]
      ?.split(' ')
      .map((pair) => pair.split('=')[0]);
    expect([...variables(), 'NODE_ENV']).toEqual(expect.arrayContaining(set ?? ['']));
    expect(dockerfile).toContain('ENTRYPOINT ["node", "bin/vitruvia.js"]');
    expect(dockerfile).toMatch(/HEALTHCHECK [^\n]*\["node", "-e"/);
    expect(dockerfile).not.toMatch(/curl|wget/);
  });
});
