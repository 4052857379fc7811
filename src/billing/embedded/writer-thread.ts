import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from 'node:worker_threads';
import { openSqlite, type SqliteConnection } from '../../database/sqlite.js';
import { LedgerWriter } from './ledger-writer.js';
import { type Blockage, DurableReplies, LogDisk, Storage } from './storage.js';
import type {
  DoneMessage,
  EndMessage,
  WorkMessage,
  WriterMessage,
  WriterOptions,
} from './writer-client.js';

/**
 * The writer thread of the embedded gate: its `LedgerWriter` decides steps and books their charges on the
 * one connection that writes, so that commits never block the event loop.
 */

/** How often an idle writer checks whether another process has written. */
const WATCH_INTERVAL_MS = 250;

/** A transaction takes no further messages once they have so many fields: about 400 steps. */
const TRANSACTION_FIELDS = 3000;

/** Serves the gate until it ends the thread. */
function runWriter(port: NonNullable<typeof parentPort>, options: WriterOptions): void {
  const send = (message: WriterMessage): void => {
    port.postMessage(message);
  };
  try {
    const connection = openSqlite(options.path);
    // `LogDisk` flushes the log after each commit, as SQLite itself does with FULL.
    connection.exec('PRAGMA synchronous = NORMAL');
    const disk = new LogDisk(options.path);
    // After a failed flush it is unknown which writes will survive, so the log must be read again.
    const fail = (error: Error) => {
      process.stderr.write(`${options.path}-wal could not be flushed: ${error.message}\n`);
      process.exit(1);
    };
    const reply = (done: DoneMessage) => send({ ...done, flushMs: disk.lastMs });
    const replies = new DurableReplies(disk.flush, reply, fail);
    const writer = new LedgerWriter(connection, options.answersBytesMax);
    const storage = new Storage(options.path, () => {
      writer.probe();
      const failure = disk.flushNow();
      if (failure !== null) fail(failure);
    });
    let blockage: Blockage | null = null;
    const report = (): void => {
      const now = storage.blockage;
      if (now?.text === blockage?.text) return;
      blockage = now;
      send({ kind: 'blocked', blockage });
    };
    const onFailure = (error: unknown): string => {
      storage.failed(error);
      report();
      return blockage?.text ?? (error instanceof Error ? error.message : String(error));
    };
    const watch = setInterval(() => {
      storage.check();
      if (writer.takeChanged()) send({ kind: 'changed' });
      if (storage.blockage === null) followWhenIdle(writer, storage);
      report();
    }, WATCH_INTERVAL_MS);
    const finish = (messages: readonly WorkMessage[]): void => {
      const { text } = blockage ?? {};
      const done = text === undefined ? work(writer, messages, onFailure) : refused(messages, text);
      replies.add(done, done.error === null && messages.some(({ steps }) => steps.length > 0));
    };
    port.on('message', (first: WorkMessage | EndMessage) => {
      const { work: messages, end: message } = takeMessages(port, first);
      if (messages.length > 0) finish(messages);
      if (message === undefined) return;
      // In a worker this ends only the thread. Terminating it from outside may interrupt a native
      // call, and libsql then ends the whole process.
      if (message.kind === 'crash') process.exit(1);
      clearInterval(watch);
      followWhenIdle(writer, storage);
      closeConnection(connection);
      send({ kind: 'closed' });
      port.close();
    });
    storage.tryCommit();
    // Before `ready`, so that the gate does not call itself ready for a moment.
    report();
    send({ kind: 'ready', hits: writer.recentHits(options.nowMs) });
  } catch (error) {
    const fault = error instanceof Error ? error : new Error(String(error));
    send({ kind: 'failed_start', error: fault });
    port.close();
  }
}

/** Writes the log back to the file, unless another process is using it, and closes. */
function closeConnection(connection: SqliteConnection): void {
  try {
    connection.exec('PRAGMA busy_timeout = 100');
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Nothing is lost: SQLite reads the log when the file is opened again.
  }
  connection.close();
}

function followWhenIdle(writer: LedgerWriter, storage: Storage): void {
  try {
    writer.followWhenIdle();
  } catch (error) {
    // Nothing is lost: the next batch or the next start tries again.
    storage.failed(error);
  }
}

/**
 * The messages that have come: work up to `TRANSACTION_FIELDS`, or up to the message that ends the
 * writer.
 */
function takeMessages(
  port: MessagePort,
  first: WorkMessage | EndMessage,
): { readonly work: readonly WorkMessage[]; readonly end?: EndMessage } {
  const work: WorkMessage[] = [];
  let fields = 0;
  let next: WorkMessage | EndMessage | undefined = first;
  while (next !== undefined) {
    if (next.kind !== 'work') return { work, end: next };
    work.push(next);
    fields += next.steps.length;
    if (fields >= TRANSACTION_FIELDS) break;
    next = receiveMessageOnPort(port)?.message;
  }
  return { work };
}

/** @param onFailure is told why the work was not committed; returns the text of that */
function work(
  writer: LedgerWriter,
  messages: readonly WorkMessage[],
  onFailure: (error: unknown) => string,
): DoneMessage {
  const done = { kind: 'done', messages: messages.length, error: null, flushMs: 0 } as const;
  try {
    const { keys, outcomes } = writer.run(messages);
    return { ...done, keys, outcomes, changed: writer.takeChanged() };
  } catch (error) {
    return refused(messages, onFailure(error));
  }
}

/** The answer to work that was not done. */
function refused(messages: readonly WorkMessage[], error: string): DoneMessage {
  const done = { kind: 'done', messages: messages.length, error, changed: true } as const;
  return { ...done, keys: [], outcomes: [], flushMs: 0 };
}

if (parentPort !== null) runWriter(parentPort, workerData as WriterOptions);
