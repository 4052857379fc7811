import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { programThread } from '../../core/program-thread.js';
import { ComputeError } from '../../request/pool.js';

/** Maximum number of pictures that wait or are under way. Further pictures are refused. */
const WAITING_MAX = 16;
/** An idle thread ends after this time, which frees its memory. */
const IDLE_MS = 60_000;
/** Niceness of the thread on Linux: the event loop and computations go first (nice(2)). */
const NICE = 12;
const HEAP_MIB = 64;

/** A thread that converts pictures from SVG to PNG. It starts with the first picture. */
export class PicturePool {
  #pool: Promise<Piscina<string, Uint8Array>> | undefined;
  #underWay = 0;

  /**
   * Converts an SVG document to PNG in its own size.
   *
   * @param draw makes the document; it is not called if too many pictures wait
   * @throws ComputeError `full` if too many pictures wait
   * @throws the error of `draw`
   */
  async png(draw: () => Promise<string>): Promise<Buffer> {
    if (this.#underWay >= WAITING_MAX) throw new ComputeError('full');
    this.#underWay++;
    try {
      const svg = await draw();
      this.#pool ??= start();
      const pool = await this.#pool;
      return Buffer.from(await pool.run(svg));
    } finally {
      this.#underWay--;
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await (await this.#pool)?.destroy();
  }
}

async function start(): Promise<Piscina<string, Uint8Array>> {
  const { Piscina } = await import('piscina');
  const thread = programThread('./picture-thread', import.meta.url);
  return new Piscina<string, Uint8Array>({
    filename: fileURLToPath(thread.file),
    name: 'toPng',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    niceIncrement: NICE,
    // Between images, the thread must run its event loop to free their memory.
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    ...thread.options,
  });
}
