import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/open.js';
import { freshEnv, run } from '../support/cli.js';

describe('vitruvia ledger', () => {
  it('verifies the ledger, and says where it differs', async () => {
    const env = freshEnv();
    await run('accounts create --name acme', env);
    await run('credits grant --account acme --amount 7', env);
    expect(await run('ledger verify --json', env)).toMatchObject({ code: 0, json: { drifts: [] } });
    const db = await openDatabase(env.DATABASE_URL);
    await sql`update balances set paid_credits = 8 where mode = 'live'`.execute(db);
    await db.destroy();
    const differs = await run('ledger verify --json', env);
    expect(differs).toMatchObject({ code: 1, json: { code: 'ledger_differs' } });
    expect(differs.json.drifts).toMatchObject([{ figure: 'paid_credits', stored: 8, ledger: 7 }]);
  });
});
