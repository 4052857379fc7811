import { describe, expect, it } from 'vitest';
import { yearScored } from '../../../pipeline/evaluate/served.js';

describe('studies scored in their own year', () => {
  it('count as of 1990 when they are up to five years older', () => {
    expect(yearScored({ year: 2004 })).toBe(2004);
    expect(yearScored({ year: 1987 })).toBe(1990);
    expect(yearScored({ year: 1984 })).toBeUndefined();
    expect(yearScored({ year: 2040 })).toBe(2035);
  });
});
