import { it } from 'vitest';

/** Whether this is `npm run test:all`, which repeats what `npm test` proves once. */
export const isWholeRun = process.env.MODE === 'all';

/** Registers a test for `npm run test:all` alone. */
export const itInWholeRun = isWholeRun ? it : it.skip;

/** Cases of a test: a few that have every kind, and in `npm run test:all` also those that repeat a kind. */
export function cases<Case>(few: readonly Case[], more: readonly Case[]): readonly Case[] {
  return isWholeRun ? [...few, ...more] : few;
}
