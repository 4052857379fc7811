import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.js';
import { hasHiddenCharacters } from './accounts.js';
import { UserError } from './errors.js';

/** A population that a user has named. */
export interface SavedPopulation {
  readonly name: string;
  /** The population as the address of a screen writes it, such as `Female~DE~18-65`. */
  readonly population: string;
}

/** Populations that one user can save. */
export const SAVED_MAX = 100;
/** Maximum length of a name, in characters. */
export const SAVED_NAME_MAX = 60;

/** The populations of a user, by name. */
export async function listSavedPopulations(
  db: Kysely<Schema>,
  userId: string,
): Promise<readonly SavedPopulation[]> {
  return await db
    .selectFrom('saved_populations')
    .select(['name', 'population'])
    .where('person_id', '=', userId)
    .orderBy('name')
    .execute();
}

/**
 * Saves a population under a name. It replaces a population with the same name.
 *
 * @throws UserError `invalid_field` for a name that is empty, too long or has invisible characters,
 * and for more than `SAVED_MAX` populations
 */
export async function savePopulation(
  db: Kysely<Schema>,
  userId: string,
  saved: SavedPopulation,
  nowMs: number,
): Promise<void> {
  // Names that look the same count as one name, also if their characters differ.
  const name = saved.name.normalize('NFC').trim();
  if (name === '' || name.length > SAVED_NAME_MAX) {
    throw new UserError('invalid_field', `Give a name of 1 to ${SAVED_NAME_MAX} characters.`);
  }
  if (hasHiddenCharacters(name)) {
    const message = 'Give a name without control or invisible characters.';
    throw new UserError('invalid_field', message);
  }
  const { population } = saved;
  await db.transaction().execute(async (trx) => {
    // With the lock on the person, two concurrent populations cannot both be the last allowed population.
    await trx
      .updateTable('people')
      .set((eb) => ({ id: eb.ref('id') }))
      .where('id', '=', userId)
      .execute();
    await trx
      .insertInto('saved_populations')
      .values({ person_id: userId, name, population, saved_at_ms: nowMs })
      .onConflict((conflict) =>
        conflict.columns(['person_id', 'name']).doUpdateSet({ population, saved_at_ms: nowMs }),
      )
      .execute();
    const { count } = await trx
      .selectFrom('saved_populations')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('person_id', '=', userId)
      .executeTakeFirstOrThrow();
    if (Number(count) <= SAVED_MAX) return;
    // The error rolls back the new population.
    const message = `An account keeps at most ${SAVED_MAX} populations. Remove one first.`;
    throw new UserError('invalid_field', message);
  });
}

/** Removes the population with this name. Does nothing if there is none. */
export async function removeSavedPopulation(
  db: Kysely<Schema>,
  userId: string,
  name: string,
): Promise<void> {
  await db
    .deleteFrom('saved_populations')
    .where('person_id', '=', userId)
    .where('name', '=', name)
    .execute();
}
