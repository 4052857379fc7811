import { Redis } from 'ioredis';
import { pino } from 'pino';
import { Drain } from '../../../src/billing/worker/drain.js';
import { allGroups } from '../../../src/billing/worker/groups.js';
import { openDatabase } from '../../../src/database/open.js';

/** Drains everything once. With `die`, the process kills itself after the commit and before the removal of a batch. */
const [redisUrl = '', databaseUrl = '', die] = process.argv.slice(2);
const db = await openDatabase(databaseUrl);
const redis = new Redis(redisUrl, { enableAutoPipelining: true });
const observer = {
  batchCommitted: () => {
    if (die === 'die') process.kill(process.pid, 'SIGKILL');
  },
  driftRepaired: () => undefined,
  jobFailed: () => undefined,
};
const drain = new Drain({ db, redis, log: pino({ level: 'silent' }), observer, lagMs: 0 });
for (const group of allGroups()) await drain.drainGroup(group);
redis.disconnect();
await db.destroy();
