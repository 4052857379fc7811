import { parentPort, workerData } from 'node:worker_threads';
import { openSqlite, type SqliteConnection } from '../../database/sqlite.js';
import { DurableReplies } from './durable-replies.js';
import { LedgerWriter } from './ledger-writer.js';
import { LogDisk } from './log-disk.js';
import type {
  DoneMessage,
  EndMessage,
  WorkMessage,
  WriterMessage,
  WriterOptions,
} from './writer-protocol.js';

/** How often an idle writer looks whether another process has written. */
const WATCH_INTERVAL_MS = 250;

if (parentPort !== null) runWriter(parentPort, workerData as WriterOptions);

/** Serves the gate from a thread of its own, so that commits never hold up the event loop. */
function runWriter(port: NonNullable<typeof parentPort>, options: WriterOptions): void {
  const say = (message: WriterMessage): void => {
    port.postMessage(message);
  };
  try {
    const connection = openSqlite(options.path);
    // This thread flushes the log itself after each commit (see `LogDisk`), as FULL would.
    connection.exec('PRAGMA synchronous = NORMAL');
    const disk = new LogDisk(options.path);
    const tell = (reply: DoneMessage) => say({ ...reply, slowDisk: disk.slow });
    const replies = new DurableReplies(disk.flush, tell, (error) => {
      process.stderr.write(`The ledger's log could not be flushed: ${error.message}\n`);
      process.exit(1);
    });
    const writer = new LedgerWriter(connection);
    const watch = setInterval(() => {
      if (writer.takeChanged()) say({ kind: 'changed' });
    }, WATCH_INTERVAL_MS);
    port.on('message', (message: WorkMessage | EndMessage) => {
      if (message.kind === 'work') {
        const reply = work(writer, message);
        replies.add(reply, reply.error === null && message.steps.length > 0);
        return;
      }
      // In a worker this ends the thread only. Terminating it from outside may fall into the midst
      // of a native call, and libsql then takes the whole process down.
      if (message.kind === 'crash') process.exit(1);
      clearInterval(watch);
      finish(connection);
      say({ kind: 'closed' });
      port.close();
    });
    say({ kind: 'ready', hits: writer.recentHits(options.nowMs) });
  } catch (error) {
    say({ kind: 'failed_start', error: error instanceof Error ? error : new Error(String(error)) });
    port.close();
  }
}

/** Folds the log into the file, unless another process is using it just now. */
function finish(connection: SqliteConnection): void {
  try {
    connection.exec('PRAGMA busy_timeout = 100');
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Only tidiness is lost: the log is read at the next opening.
  }
  connection.close();
}

const fine = { error: null, slowDisk: false } as const;

function work(writer: LedgerWriter, { hashes, steps }: WorkMessage): DoneMessage {
  try {
    if (steps.length === 0) {
      const changed = writer.takeChanged();
      return { kind: 'done', keys: writer.findKeys(hashes), outcomes: [], ...fine, changed };
    }
    const { keys, outcomes } = writer.run(hashes, steps);
    return { kind: 'done', keys, outcomes, ...fine, changed: writer.takeChanged() };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { kind: 'done', keys: [], outcomes: [], error: text, slowDisk: false, changed: true };
  }
}
