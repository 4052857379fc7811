import { grantCredits } from '../../../src/accounts/credits.js';
import { openDatabase } from '../../../src/database/open.js';

/** Grants live credits in its own process: `grant-child <url> <account> <amount>`. */
const [url = '', account = '', amount = ''] = process.argv.slice(2);
const db = await openDatabase(url);
await grantCredits(db, account, 'live', Number(amount));
await db.destroy();
