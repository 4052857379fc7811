import { openDatabase } from '../../src/database/open.js';

/** Opens and migrates the database at the given URL, in its own process. */
const db = await openDatabase(process.argv[2] ?? '');
await db.destroy();
