import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from './programs.js';

/** The user that a server runs as. By default, the user of this process. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

/** How a server is started. */
export interface ServerCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly runAs?: RunAs | undefined;
  /** Resolves if the server answers, and rejects if it does not. */
  readonly ping: () => Promise<void>;
}

/** These ports lie below those that systems give to clients, so a killed server finds its port free again. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const START_TIMEOUT_MS = 180_000;
const POLL_MS = 20;

const running = new Set<ChildProcess>();
// The processes end before their folders are removed.
process.prependListener('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A free loopback port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    const probe = createServer();
    try {
      probe.listen(port, '127.0.0.1');
      await once(probe, 'listening');
      probe.close();
      await once(probe, 'close');
      return port;
    } catch {
      // Taken: try another.
    }
  }
}

/** One server process in a folder. It can be killed and started again. */
export class ServerProcess {
  readonly #command: ServerCommand;
  readonly #log: string;
  #child: ChildProcess | undefined;

  constructor(folder: string, command: ServerCommand) {
    this.#command = command;
    this.#log = join(folder, 'server.log');
  }

  /** Process id; 0 while it does not run. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /**
   * Starts the server.
   *
   * @throws Error with the server's last output if it does not start
   */
  async start(): Promise<void> {
    const log = openSync(this.#log, 'a');
    const { file, args, runAs = {} } = this.#command;
    const [program = file, ...words] = [...dieWithParent(), file, ...args];
    const child = spawn(program, words, { stdio: ['ignore', log, log], ...runAs });
    closeSync(log);
    this.#child = child;
    running.add(child);
    child.once('exit', () => {
      running.delete(child);
      if (this.#child === child) this.#child = undefined;
    });
    const deadlineMs = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        await this.#command.ping();
        if (this.#child === child) return;
      } catch (error) {
        if (Date.now() > deadlineMs) throw error;
      }
      if (this.#child !== child) throw new Error(`${file} ended:\n${this.#lastWords()}`);
      await sleep(POLL_MS);
    }
  }

  /** Sends a signal; true if there was a process. */
  signal(name: NodeJS.Signals): boolean {
    return this.#child?.kill(name) ?? false;
  }

  /** Sends a signal that ends the process, and waits until it has ended. */
  async end(name: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill(name);
    await ended;
  }

  #lastWords(): string {
    return readFileSync(this.#log, 'utf8').slice(-2000);
  }
}

/** On Linux, the kernel then ends a server when its parent dies, as in an interrupted run. */
function dieWithParent(): string[] {
  const setpriv = findProgram({ name: 'setpriv', debianPackage: 'util-linux' });
  if (process.platform !== 'linux' || setpriv === undefined) return [];
  return [setpriv, '--pdeathsig', 'KILL'];
}
