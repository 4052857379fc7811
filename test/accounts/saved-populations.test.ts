import { beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/accounts.js';
import {
  listSavedPopulations,
  removeSavedPopulation,
  SAVED_MAX,
  savePopulation,
} from '../../src/accounts/saved-populations.js';
import type { Database } from '../../src/database/schema.js';
import { DIALECTS } from '../support/dialects.js';
import { openForTest } from '../support/test-database.js';

const NOW_MS = 1_800_000_000_000;

describe.each(DIALECTS)('populations that people name, on $name', ({ newUrl }) => {
  let db: Database;
  beforeEach(async () => {
    db = await openForTest(await newUrl());
    for (const id of ['ada', 'bob']) {
      await db
        .insertInto('people')
        .values({
          id,
          account_id: (await createAccount(db, id, NOW_MS)).id,
          email: `${id}@example.com`,
          email_key: `${id}@example.com`,
          password_hash: 'x',
          created_at_ms: NOW_MS,
          signed_in_at_ms: NOW_MS,
        })
        .execute();
    }
  });
  const save = (name: string, population = 'Both~DE~18-65') =>
    savePopulation(db, 'ada', { name, population }, NOW_MS);

  it('are kept by name for their person, and end with the person', async () => {
    await save(' Pilots ', 'Male~DE~20-40');
    await save('Pilots', 'Both~DE,FR~20-40');
    await save('Children', 'Both~BR~8-8');
    // Keyboards compose these characters differently, but the name is the same.
    await save('Cafe\u0301', 'Both~FR~8-12');
    await save('Café', 'Both~FR~6-10');
    await removeSavedPopulation(db, 'ada', 'Café');
    expect(await listSavedPopulations(db, 'ada')).toEqual([
      { name: 'Children', population: 'Both~BR~8-8' },
      { name: 'Pilots', population: 'Both~DE,FR~20-40' },
    ]);
    expect(await listSavedPopulations(db, 'bob')).toEqual([]);
    await removeSavedPopulation(db, 'bob', 'Pilots');
    await removeSavedPopulation(db, 'ada', 'Children');
    expect(await listSavedPopulations(db, 'ada')).toHaveLength(1);
    await db.deleteFrom('people').where('id', '=', 'ada').execute();
    expect(await db.selectFrom('saved_populations').selectAll().execute()).toEqual([]);
  });

  it('need a name, and are not endless', async () => {
    await expect(save('  ')).rejects.toThrow('Give a name of 1 to 60 characters.');
    await expect(save('x'.repeat(61))).rejects.toThrow('Give a name');
    // SQLite ends a text at a NUL, and PostgreSQL stores none. A mark of direction hides what a name says.
    for (const hidden of ['\0', 'a\0b', 'a\u202eb', '\ud800']) {
      await expect(save(hidden), JSON.stringify(hidden)).rejects.toThrow('invisible characters');
    }
    for (const name of ['=HYPERLINK("http://a","b")', '<script>', '👩‍🚒 Crew']) await save(name);
    expect(await listSavedPopulations(db, 'ada')).toHaveLength(3);
    await db.deleteFrom('saved_populations').execute();
    const rows = Array.from({ length: SAVED_MAX }, (_, index) => ({
      ...{ person_id: 'ada', name: `n${index}`, population: 'Both~DE~18-65' },
      saved_at_ms: NOW_MS,
    }));
    await db.insertInto('saved_populations').values(rows).execute();
    await expect(save('one more')).rejects.toThrow('at most 100 populations');
    await save('n7', 'Both~SE~18-30');
    expect(await listSavedPopulations(db, 'ada')).toHaveLength(SAVED_MAX);
  });

  it('are not more than allowed when many are saved at once', async () => {
    const rows = Array.from({ length: SAVED_MAX - 1 }, (_, index) => ({
      ...{ person_id: 'ada', name: `n${index}`, population: 'Both~DE~18-65' },
      saved_at_ms: NOW_MS,
    }));
    await db.insertInto('saved_populations').values(rows).execute();
    const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => save(name)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listSavedPopulations(db, 'ada')).toHaveLength(SAVED_MAX);
  });
});
