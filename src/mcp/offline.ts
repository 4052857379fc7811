import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Problem } from '../core/errors.js';
import { TOOL_ANSWER_BYTES_MAX } from '../core/limits.js';
import { type Operation, seeded } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { answerJson, validateRequest } from '../operations/validate.js';
import type { FaultLog } from '../request/charging.js';
import { fileOf } from './body-links.js';
import { CatalogTool } from './catalog-tool.js';
import { remarks } from './protocol-server.js';
import { createServer } from './server.js';
import type { CallOutcome, ToolExchange } from './tools.js';

/** Dependencies of the offline server. */
export interface OfflineParts {
  readonly model: PredictionModel;
  /** The rate limit of the service that the catalog names. */
  readonly rateLimitMax: number;
  /** Folder for files; without it, none are written. */
  readonly filesDir?: string | undefined;
  readonly log: FaultLog;
}

/**
 * Serves the tools and resources on standard input and output, in every revision of the protocol. It answers
 * from the artifacts alone, without accounts, charges, limits or a network. The process ends when its client closes
 * standard input.
 */
export function serveOffline({ model, rateLimitMax, filesDir, log }: OfflineParts): void {
  const catalog = new CatalogTool({ rateLimitMax });
  const exchange = new OfflineExchange(model, filesDir);
  serveStdio(() => createServer(exchange, { catalog, log, isFree: true }), {
    onerror: (error) => {
      const why = remarks(error) ?? error.message.split('\n', 1)[0] ?? '';
      // If a remark names no place, it is about the whole message.
      const reason = why.startsWith(': ') ? 'it is no message of JSON-RPC 2.0' : why;
      log.error({}, `A message on standard input was not read: ${reason}`);
    },
  });
}

/** Performs calls without the metered path. */
class OfflineExchange implements ToolExchange {
  readonly requestId = 'offline';
  readonly linksFiles = false;
  readonly #model: PredictionModel;
  readonly #filesDir: string | undefined;

  constructor(model: PredictionModel, filesDir: string | undefined) {
    this.#model = model;
    this.#filesDir = filesDir;
  }

  /** The key is not used: a repeated call is computed again. */
  async perform(operation: Operation, input: unknown): Promise<CallOutcome> {
    try {
      const asked = validateRequest(operation, input);
      const drawn = seeded(operation, asked);
      const file = this.#filesDir === undefined ? undefined : fileOf(operation, drawn);
      const made = file && (await operation.file?.make(drawn as never, this.#model));
      const found = made?.answer ?? operation.run(drawn as never, this.#model);
      const json = answerJson(operation, found);
      if (Buffer.byteLength(json) > TOOL_ANSWER_BYTES_MAX) throw tooLong();
      const path = file && made && (await this.#write(operation.name, file.format, made.bytes));
      return { kind: 'answer', json, replayed: false, path };
    } catch (error) {
      if (error instanceof Problem) return { kind: 'refusal', problem: error };
      throw error;
    }
  }

  /** There are no links here. */
  async file() {
    return undefined;
  }

  /** Writes a file. Its name is derived from its content, so a repeated call replaces the file. */
  async #write(name: string, format: string, bytes: Uint8Array): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, NAME_CHARS);
    const folder = resolve(this.#filesDir ?? '.');
    const path = join(folder, `${name}-${hash}.${format}`);
    await mkdir(folder, { recursive: true });
    await writeFile(path, bytes);
    return path;
  }
}

/** Number of characters of a hash that make the name of a file unique. */
const NAME_CHARS = 16;

function tooLong(): Problem {
  const message = `The answer is longer than the ${TOOL_ANSWER_BYTES_MAX} bytes that a tool may return. Ask for less: fewer measurements, percentiles, people, cases or groups.`;
  return new Problem('validation_error', message);
}
