import { describe, expect, it } from 'vitest';
import { KeyGuesses } from '../../src/request/key-guesses.js';

const HOME = '192.0.2.1';
const unknown = async () => false;
const known = async () => true;

describe('the limit of unknown keys', () => {
  it('ends a minute after the first of them', async () => {
    let nowMs = 5;
    const guesses = new KeyGuesses(2, () => nowMs);
    await guesses.ask(HOME, 'a', unknown);
    nowMs += 20_000;
    await guesses.ask(HOME, 'b', unknown);
    const limit = { kind: 'guesses_limited', max: 2, retryAfterSeconds: 40 };
    expect(guesses.refusal(HOME, 'c')).toEqual(limit);
    expect(await guesses.ask(HOME, 'c', known)).toEqual(limit);
    nowMs += 40_000;
    expect(guesses.refusal(HOME, 'c')).toBeUndefined();
    expect(await guesses.ask(HOME, 'c', known)).toBe(true);
  });

  it('counts a trusted key that has been revoked, and trusts it no more', async () => {
    const guesses = new KeyGuesses(1);
    await guesses.ask(HOME, 'a', known);
    expect(guesses.trusts(HOME, 'a')).toBe(true);
    expect(guesses.trusts('192.0.2.2', 'a')).toBe(false);
    guesses.failed(HOME, 'a');
    expect(guesses.trusts(HOME, 'a')).toBe(false);
    expect(guesses.refusal(HOME, 'a')).toMatchObject({ kind: 'guesses_limited' });
  });

  it('does not count a gate that fails', async () => {
    const guesses = new KeyGuesses(1);
    const failing = () => Promise.reject(new Error('down'));
    await expect(guesses.ask(HOME, 'a', failing)).rejects.toThrow('down');
    expect(await guesses.ask(HOME, 'a', known)).toBe(true);
  });
});

it('trusts a key from the latest eight networks', async () => {
  const guesses = new KeyGuesses(1);
  for (let index = 0; index < 9; index++) await guesses.ask(`192.0.2.${index}`, 'a', known);
  const trusted = [0, 1, 8].map((index) => guesses.trusts(`192.0.2.${index}`, 'a'));
  expect(trusted).toEqual([false, true, true]);
});
