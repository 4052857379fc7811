import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { FaultLog } from '../charging/observer.js';
import { Problem } from '../core/errors.js';
import { TOOL_ANSWER_BYTES_MAX } from '../core/limits.js';
import { type Operation, randomSeed } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { answerJson, validateRequest } from '../operations/validate.js';
import { CatalogTool } from './catalog-tool.js';
import { remarks } from './protocol-server.js';
import { createServer } from './server.js';
import type { CallOutcome, ToolExchange } from './tools.js';

/** What the offline server needs. */
export interface OfflineParts {
  readonly model: PredictionModel;
  /** What the catalog says of the rate limit of the service. */
  readonly rateLimitMax: number;
  readonly log: FaultLog;
}

/**
 * Serves the tools, prompts and resources on standard input and output, in every revision of the
 * protocol. It answers from the artifacts alone: without accounts, charges, limits or a network.
 * The process ends when its client closes standard input.
 */
export function serveOffline({ model, rateLimitMax, log }: OfflineParts): void {
  const catalog = new CatalogTool({ rateLimitMax });
  const exchange = new OfflineExchange(model);
  serveStdio(() => createServer(exchange, { catalog, log, isFree: true }), {
    onerror: (error) => {
      const why = remarks(error) ?? error.message.split('\n', 1)[0] ?? '';
      // A remark without a place is about the whole message.
      const reason = why.startsWith(': ') ? 'it is no message of JSON-RPC 2.0' : why;
      log.error({}, `A message on standard input was not read: ${reason}`);
    },
  });
}

/** Performs calls without the metered path. */
class OfflineExchange implements ToolExchange {
  readonly requestId = 'offline';
  readonly #model: PredictionModel;

  constructor(model: PredictionModel) {
    this.#model = model;
  }

  /** A repeated call is computed again, so its key does not matter. */
  async perform(operation: Operation, input: unknown): Promise<CallOutcome> {
    try {
      const asked = validateRequest(operation, input);
      const drawn = { ...asked, ...operation.draw?.(asked as never, randomSeed()) };
      const json = answerJson(operation, operation.run(drawn as never, this.#model));
      if (Buffer.byteLength(json) > TOOL_ANSWER_BYTES_MAX) throw tooLong();
      return { kind: 'answer', json, replayed: false };
    } catch (error) {
      if (error instanceof Problem) return { kind: 'refusal', problem: error };
      throw error;
    }
  }
}

function tooLong(): Problem {
  const message = `The answer is longer than the ${TOOL_ANSWER_BYTES_MAX} bytes that a tool may return. Ask for less: fewer measurements, percentiles, people, cases or groups.`;
  return new Problem('validation_error', message);
}
