import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { programWords } from '../support/build.js';

describe('the allocator', () => {
  it.runIf(process.platform === 'linux')('gives freed arrays back between others', async () => {
    const words = programWords('test/lookup/allocator-child');
    const { stdout } = await promisify(execFile)(process.execPath, words);
    const { grownMib, isKept } = JSON.parse(stdout);
    expect(grownMib).toBeGreaterThan(50);
    expect(isKept).toBe(true);
  });
});
