import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  displayStart,
  generateApiKey,
  hashApiKey,
  parseApiKey,
} from '../../src/accounts/api-key.js';

describe('API keys', () => {
  it('contain their mode and partition, in letters, digits and underscores', () => {
    const partitions = fc.integer({ min: 0, max: 1023 });
    fc.assert(
      fc.property(fc.constantFrom('live', 'test'), partitions, (mode, partition) => {
        const key = generateApiKey(mode, partition);
        expect(key).toMatch(/^vt_(live|test)_[0-9A-Za-z]{40}$/);
        expect(parseApiKey(key)).toEqual({ mode, partition });
        expect(key.startsWith(displayStart(key))).toBe(true);
        expect(displayStart(key)).toHaveLength(14);
      }),
    );
  });

  it('are refused if one character changes', () => {
    const key = generateApiKey('live', 700);
    for (let index = 0; index < key.length; index++) {
      const other = key.charAt(index) === 'x' ? 'y' : 'x';
      expect(parseApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBeUndefined();
    }
    for (const text of ['', 'vt_live_', `${key} `, `${key}0`, key.toUpperCase(), `\n${key}`]) {
      expect(parseApiKey(text)).toBeUndefined();
    }
  });

  it('do not repeat, and are hashed by SHA-256', () => {
    const keys = new Set(Array.from({ length: 1000 }, () => generateApiKey('test', 5)));
    expect(keys.size).toBe(1000);
    expect(hashApiKey('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(() => generateApiKey('live', 1024)).toThrow(RangeError);
  });
});
