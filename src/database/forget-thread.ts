import { workerData } from 'node:worker_threads';
import { closeSqlite, openSqlite } from './sqlite.js';

/** How long to wait for readers and writers to leave the log. */
const WAIT_MS = 5000;

closeSqlite(openSqlite(workerData), WAIT_MS);
