import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RunningServer } from '../server.js';

/** The answer of a service to `reload`. */
export interface Reloaded {
  readonly pid: number;
  /** `switched`, `unchanged` or `refused`. */
  readonly outcome: string;
}

/** Characters of the hash of the artifacts folder in the name of a socket. */
const HASH_CHARS = 16;
const ANSWER_MAX_MS = 120_000;

/** Folder of the sockets of this user's services. No other user may use it. */
function socketFolder(): string {
  return join(tmpdir(), `vitruvia-${userInfo().uid}`);
}

function nameOf(artifactsDir: string): string {
  return createHash('sha256').update(resolve(artifactsDir)).digest('hex').slice(0, HASH_CHARS);
}

/**
 * Lets `npx vitruvia reload` reach this service without its process id. `npm start` runs the service two processes down
 * and does not pass SIGHUP on. If the file system allows no socket (for example if it is read-only), only signals reach
 * the service.
 */
export function takeReloads(artifactsDir: string, server: Pick<RunningServer, 'reload'>): void {
  const path = join(socketFolder(), `${nameOf(artifactsDir)}-${process.pid}`);
  try {
    mkdirSync(socketFolder(), { mode: 0o700, recursive: true });
    const { uid, mode } = lstatSync(socketFolder());
    if (uid !== userInfo().uid || (mode & 0o077) !== 0) return;
    rmSync(path, { force: true });
  } catch {
    return;
  }
  const sockets: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    void server.reload().then((outcome) => socket.end(outcome));
  });
  sockets.on('error', () => undefined);
  sockets.listen(path).unref();
  process.on('exit', () => rmSync(path, { force: true }));
}

/** Makes all services of this user that serve from a folder switch to the folder's current artifacts. */
export async function reloadServices(artifactsDir: string): Promise<readonly Reloaded[]> {
  const start = `${nameOf(artifactsDir)}-`;
  const names = socketNames().filter((name) => name.startsWith(start));
  const reloaded: Reloaded[] = [];
  for (const name of names) {
    const outcome = await reloadOne(join(socketFolder(), name));
    if (outcome !== undefined) reloaded.push({ pid: Number(name.slice(start.length)), outcome });
  }
  return reloaded;
}

function socketNames(): string[] {
  try {
    return readdirSync(socketFolder());
  } catch {
    return [];
  }
}

/** The answer of a service; undefined if the service has ended. */
async function reloadOne(path: string): Promise<string | undefined> {
  const socket = connect(path);
  socket.setTimeout(ANSWER_MAX_MS, () => socket.destroy(new Error('a service does not answer')));
  try {
    return (await text(socket)) || undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ECONNREFUSED' && code !== 'ENOENT') throw error;
    rmSync(path, { force: true });
    return undefined;
  }
}
