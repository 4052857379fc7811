import { openDatabase } from '../../src/database/open.js';

/** Opens (and migrates) the database at the URL given, from a process of its own. */
const db = await openDatabase(process.argv[2] ?? '');
await db.destroy();
