import type { MessagePort, Worker } from 'node:worker_threads';
import { ComputeError, type ComputeFailure } from '../request/pool.js';

/** Functions that another thread may call. `left` is aborted when the caller needs no result any more. */
type Functions = Readonly<Record<string, (input: never, left: AbortSignal) => unknown>>;

type InputOf<F extends Functions, Name extends keyof F> = Parameters<F[Name]>[0];

type Message = { readonly id: number } & (
  | { readonly kind: 'call'; readonly name: string; readonly input: unknown }
  | { readonly kind: 'left' }
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'error'; readonly reason?: ComputeFailure | undefined; readonly text: string }
);

/** Text of an error. An error loses its class on the way to another thread. */
export const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Calls between this thread and another one, in both directions. */
export class Calls<Other extends Functions> {
  readonly #port: MessagePort | Worker;
  readonly #own: Functions;
  readonly #open = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  readonly #served = new Map<number, AbortController>();
  #last = 0;

  /** @param own functions that the other thread may call */
  constructor(port: MessagePort | Worker, own: Functions) {
    this.#port = port;
    this.#own = own;
    port.on('message', (message: Message) => this.#hear(message));
  }

  /**
   * Calls a function of the other thread. When `left` is aborted, the function learns that; it decides how the call ends.
   *
   * @throws ComputeError, or an Error with the text of the function's error
   */
  call<Name extends keyof Other & string>(
    name: Name,
    input: InputOf<Other, Name>,
    left?: AbortSignal,
  ): Promise<Awaited<ReturnType<Other[Name]>>> {
    const id = ++this.#last;
    const leave = () => this.#send({ id, kind: 'left' });
    left?.addEventListener('abort', leave, { once: true });
    return new Promise<Awaited<ReturnType<Other[Name]>>>((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#send({ id, kind: 'call', name, input });
      if (left?.aborted === true) leave();
    }).finally(() => {
      this.#open.delete(id);
      left?.removeEventListener('abort', leave);
    });
  }

  /** Calls a function whose result nobody needs. */
  tell<Name extends keyof Other & string>(name: Name, input: InputOf<Other, Name>): void {
    this.#send({ id: ++this.#last, kind: 'call', name, input });
  }

  /** The other thread has ended: its open calls fail, and nobody waits for the functions that it called. */
  end(error: Error): void {
    for (const { reject } of this.#open.values()) reject(error);
    for (const left of this.#served.values()) left.abort();
  }

  #hear(message: Message): void {
    const { id } = message;
    if (message.kind === 'call') void this.#serve(id, message.name, message.input);
    else if (message.kind === 'left') this.#served.get(id)?.abort();
    else if (message.kind === 'result') this.#open.get(id)?.resolve(message.value as never);
    else {
      const { reason, text } = message;
      this.#open.get(id)?.reject(reason === undefined ? new Error(text) : new ComputeError(reason));
    }
  }

  async #serve(id: number, name: string, input: unknown): Promise<void> {
    const left = new AbortController();
    this.#served.set(id, left);
    try {
      const value = await this.#own[name]?.(input as never, left.signal);
      this.#send({ id, kind: 'result', value }, movedWith(value));
    } catch (error) {
      const reason = error instanceof ComputeError ? error.reason : undefined;
      this.#send({ id, kind: 'error', reason, text: textOf(error) });
    } finally {
      this.#served.delete(id);
    }
  }

  #send(message: Message, moved: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, moved);
  }
}

/** A long body is moved to the other thread. A short body may share its memory with others, so it is copied. */
function movedWith(value: unknown): ArrayBuffer[] {
  const { body } = (value ?? {}) as { readonly body?: unknown };
  const hasOwn = body instanceof Uint8Array && body.byteLength === body.buffer.byteLength;
  return hasOwn ? [body.buffer as ArrayBuffer] : [];
}
