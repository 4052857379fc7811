import { describe, expect, it } from 'vitest';
import { decodeEvent } from '../../../src/billing/redis/event.js';

const NAMED = {
  request: 'req_1',
  account: 'acc_1',
  mode: 'live',
  key: 'key_1',
  operation: 'predict',
  hits: '2',
  credits: '3',
  free_calls: '0',
  at: '1795299763827',
};
const CHARGE = {
  id: '5-0',
  requestId: 'req_1',
  accountId: 'acc_1',
  mode: 'live',
  keyId: 'key_1',
  operation: 'predict',
  hits: 2,
  credits: 3,
  freeCalls: 0,
  atMs: 1_795_299_763_827,
};
const ANSWER = ['ikey', 'i', 'fingerprint', 'f', 'answer', '{"a": 1}', 'remaining'];

/** The fields of an event as Redis gives them. */
function fieldsOf(named: Readonly<Record<string, string>>): string[] {
  return Object.entries(named).flat();
}

describe('decodeEvent', () => {
  it('reads named fields', () => {
    expect(decodeEvent('5-0', fieldsOf(NAMED))).toEqual(CHARGE);
  });

  it('reads the answer of a request with an idempotency key', () => {
    const answer = { key: 'i', fingerprint: 'f', json: '{"a": 1}' };
    expect(decodeEvent('5-0', [...fieldsOf(NAMED), ...ANSWER, '-'])).toEqual({
      ...CHARGE,
      answer: { ...answer, remainingFreeCalls: null },
    });
    expect(decodeEvent('5-0', [...fieldsOf(NAMED), ...ANSWER, '7'])).toEqual({
      ...CHARGE,
      answer: { ...answer, remainingFreeCalls: 7 },
    });
  });

  it('refuses what the gate did not write', () => {
    for (const name of Object.keys(NAMED)) {
      expect(() => decodeEvent('5-0', fieldsOf({ ...NAMED, [name]: '' }))).toThrow(TypeError);
      const { [name as keyof typeof NAMED]: _, ...rest } = NAMED;
      expect(() => decodeEvent('5-0', fieldsOf(rest))).toThrow(TypeError);
    }
    for (const at of ['-1', '1.5', '1e3', '0x10', '9007199254740993']) {
      expect(() => decodeEvent('5-0', fieldsOf({ ...NAMED, at }))).toThrow(TypeError);
    }
    expect(() => decodeEvent('5-0', fieldsOf({ ...NAMED, mode: 'play' }))).toThrow(TypeError);
    expect(() => decodeEvent('5-0', fieldsOf(NAMED).concat(ANSWER))).toThrow(TypeError);
  });
});
