import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, checkStores, readConfig } from '../../src/config.js';
import { newFolder } from '../support/folders.js';

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('has a default for everything; an empty variable counts as unset', () => {
    const config = readConfig({ PORT: '', HOST: '  ', TRUST_PROXY: '', METRICS_PORT: '' });
    expect(config).toEqual({
      host: '127.0.0.1',
      port: 3000,
      processTimeoutSeconds: 15,
      databaseUrl: 'file:./var/vitruvia.sqlite',
      backlogMaxAgeSeconds: 900,
      drainLagMs: 4000,
      reconcileIntervalSeconds: 300,
      artifactsDir: expect.stringMatching(/data\/artifacts$/),
      picturesDir: 'var/pictures',
      picturesMib: 256,
      serviceEnv: 'preview',
      rateLimitMax: 120,
      keyFailuresMax: 100,
      computeSecondsPerMinute: 30,
      answersBytesMax: 64 * 1024 * 1024,
      logLevel: 'info',
      trustProxy: false,
      mcpAllowedHosts: [],
      mcpAllowedOrigins: [],
      corsOrigins: [],
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('uses the values given', () => {
    const env = {
      HOST: '::1',
      PORT: '0',
      METRICS_PORT: '0',
      DATABASE_URL: 'file:/tmp/x.sqlite',
      ARTIFACTS_DIR: '/tmp/a',
      ARTIFACT_VERSION: '2026.1-a',
      SERVICE_ENV: 'production',
      RATE_LIMIT_MAX: '5',
      LOG_LEVEL: 'silent',
      TRUST_PROXY: '10.0.0.0/8, ::1',
      MCP_ALLOWED_HOSTS: 'API.example.com, other.example',
      MCP_ALLOWED_ORIGINS: '*',
      CORS_ORIGINS: 'https://App.example, http://localhost:5173',
      PUBLIC_URL: 'https://Vitruvia.example/',
      SMTP_URL: 'smtps://user:secret@mail.example:465',
      MAIL_FROM: 'Vitruvia <no-reply@vitruvia.example>',
    };
    expect(readConfig(env)).toMatchObject({
      port: 0,
      metricsPort: 0,
      artifactVersion: '2026.1-a',
      trustProxy: ['10.0.0.0/8', '::1'],
      mcpAllowedHosts: ['api.example.com', 'other.example'],
      mcpAllowedOrigins: ['*'],
      corsOrigins: ['https://app.example', 'http://localhost:5173'],
      publicUrl: 'https://vitruvia.example',
      smtpUrl: env.SMTP_URL,
      mailFrom: env.MAIL_FROM,
    });
    expect(readConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
    expect(readConfig({ TRUST_PROXY: 'true' }).trustProxy).toBe(true);
  });

  it('lists all faults with the names of their variables', () => {
    const faults = faultsOf({
      HOST: 'a b',
      PORT: '65536',
      METRICS_PORT: '-1',
      DATABASE_URL: 'postgres://user:hunter2@host',
      REDIS_URL: 'redis://:hunter2@one,https://two',
      BACKLOG_MAX_AGE_SECONDS: '0',
      DRAIN_LAG_MS: '1.5',
      PROCESS_TIMEOUT_SECONDS: '1',
      ARTIFACT_VERSION: '../x',
      SERVICE_ENV: 'prod',
      RATE_LIMIT_MAX: '0',
      KEY_FAILURES_MAX: '0',
      LOG_LEVEL: 'loud',
      TRUST_PROXY: 'maybe',
      MCP_ALLOWED_HOSTS: 'https://api.example.com',
      MCP_ALLOWED_ORIGINS: 'app.example:8443',
      CORS_ORIGINS: 'app.example',
      PUBLIC_URL: 'https://vitruvia.example/path',
      SMTP_URL: 'http://user:secret@mail.example',
      MAIL_FROM: 'nobody',
    });
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual([
      'ARTIFACT_VERSION',
      'BACKLOG_MAX_AGE_SECONDS',
      'CORS_ORIGINS',
      'DATABASE_URL',
      'DRAIN_LAG_MS',
      'HOST',
      'KEY_FAILURES_MAX',
      'LOG_LEVEL',
      'MAIL_FROM',
      'MCP_ALLOWED_HOSTS',
      'MCP_ALLOWED_ORIGINS',
      'METRICS_PORT',
      'PORT',
      'PROCESS_TIMEOUT_SECONDS',
      'PUBLIC_URL',
      'RATE_LIMIT_MAX',
      'REDIS_URL',
      'SERVICE_ENV',
      'SMTP_URL',
      'TRUST_PROXY',
    ]);
    // The URLs of servers hold passwords.
    expect(faults.join('\n')).not.toContain('hunter2');
    expect(faults.join('\n')).not.toContain('secret');
  });

  it.each(['current', 'Current', '.', '..', 'a/b'])('refuses the artifact version %s', (name) => {
    expect(faultsOf({ ARTIFACT_VERSION: name })).toEqual([
      `ARTIFACT_VERSION must be the name of a folder in ARTIFACTS_DIR; it is "${name}".`,
    ]);
  });

  it('requires a sender and a public address with a mail server', () => {
    const faults = faultsOf({ SMTP_URL: 'smtp://mail.example', PUBLIC_URL: ' ' });
    expect(faults).toEqual([
      'PUBLIC_URL must be set with SMTP_URL.',
      'MAIL_FROM must be set with SMTP_URL.',
    ]);
  });

  it.each(['1.5', '0x10', '1e3', ' 1 2', 'NaN'])('refuses the port %s', (port) => {
    expect(faultsOf({ PORT: port })).toHaveLength(1);
  });

  it('accepts Redis or a Redis Cluster only with PostgreSQL', () => {
    const postgres = {
      DATABASE_URL: 'postgresql://user:secret@db.example:5433/vitruvia?sslmode=require',
    };
    const cluster = { ...postgres, REDIS_URL: 'rediss://:a@one:6379, rediss://:a@two:6379' };
    const config = readConfig(cluster);
    expect(config.redisUrl).toBe('rediss://:a@one:6379,rediss://:a@two:6379');
    expect(config.databaseUrl).toBe(postgres.DATABASE_URL);
    checkStores(config);
    checkStores(readConfig({}));
    expect(() => checkStores(readConfig(postgres))).toThrow('REDIS_URL must be set');
    expect(() => checkStores(readConfig({ REDIS_URL: 'redis://one' }))).toThrow(
      'DATABASE_URL must be postgres://',
    );
    expect(faultsOf({ DRAIN_LAG_MS: '900000' })).toEqual([
      'BACKLOG_MAX_AGE_SECONDS must be longer than DRAIN_LAG_MS.',
    ]);
  });

  it('requires all or none of the settings of Stripe, and never shows them', () => {
    const stripe = {
      STRIPE_SECRET_KEY: 'sk_test_hush',
      STRIPE_WEBHOOK_SECRET: 'whsec_hush',
      STRIPE_PRICE_100: 'price_a',
      STRIPE_PRICE_500: 'price_b',
      STRIPE_PRICE_1000: 'price_c',
    };
    expect(readConfig({}).stripe).toBeUndefined();
    expect(readConfig(stripe).stripe).toEqual({
      secretKey: 'sk_test_hush',
      webhookSecret: 'whsec_hush',
      priceIds: { 100: 'price_a', 500: 'price_b', 1000: 'price_c' },
    });
    for (const name of Object.keys(stripe)) {
      const faults = faultsOf({ ...stripe, [name]: ' ' });
      expect(faults).toEqual([
        expect.stringMatching(new RegExp(`^${name} must be set together with `)),
      ]);
      const odd = faultsOf({ ...stripe, [name]: 'hush-hush' });
      expect(odd).toEqual([expect.stringMatching(new RegExp(`^${name} must be `))]);
      expect(odd.join()).not.toContain('hush');
    }
    expect(faultsOf({ ...stripe, SERVICE_ENV: 'production' })).toEqual([
      'STRIPE_SECRET_KEY must be a live key in production: test cards pay nothing.',
    ]);
    const live = { ...stripe, STRIPE_SECRET_KEY: 'rk_live_hush', SERVICE_ENV: 'production' };
    expect(readConfig(live).stripe?.secretKey).toBe('rk_live_hush');
  });

  it('refuses the same port for both listeners', () => {
    expect(faultsOf({ PORT: '9000', METRICS_PORT: '9000' })).toHaveLength(1);
  });

  it('reads a secret from a file if the variable itself is not set', () => {
    const path = join(newFolder('secret'), 'url');
    writeFileSync(path, 'file:/tmp/secret.sqlite\n');
    expect(readConfig({ DATABASE_URL_FILE: path }).databaseUrl).toBe('file:/tmp/secret.sqlite');
    const both = readConfig({ DATABASE_URL_FILE: path, DATABASE_URL: 'file:/tmp/x.sqlite' });
    expect(both.databaseUrl).toBe('file:/tmp/x.sqlite');
    expect(faultsOf({ REDIS_URL_FILE: '/nowhere/url' })).toEqual([
      'REDIS_URL_FILE must name a file that can be read (ENOENT); it is "/nowhere/url".',
    ]);
  });
});
