import { type Fault, namingCatalog, type Problem, problemBody } from '../core/errors.js';
import { CATALOG_TOOL } from './catalog-tool.js';

/**
 * An answer as text, for clients that do not read `structuredContent`. It has one line for each field and one for each
 * entry of a list. Deeper parts are JSON. The text has every number of the answer.
 */
export function answerText(answer: Readonly<Record<string, unknown>>): string {
  return Object.entries(answer).flatMap(lines).join('\n');
}

function lines([name, value]: [string, unknown]): string[] {
  if (!Array.isArray(value)) return [`${name}: ${valueText(value)}`];
  return [`${name}:`, ...value.map((entry) => `- ${entryText(entry)}`)];
}

function entryText(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry);
  return Object.entries(entry)
    .map(([name, value]) => `${name} ${valueText(value)}`)
    .join(', ');
}

function valueText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * A refusal as the text of a tool result. It is the problem object of REST without repeated sentences, because a model
 * reads all of it. `message` is left out, because it repeats `detail`. A fault whose sentence is `detail` keeps only
 * its pointer. The text names the catalog tool, because a client of MCP has no `GET /`.
 */
export function refusalText(problem: Problem, requestId: string): string {
  const { message: _, ...body } = problemBody(problem, requestId);
  const { errors } = problem.extras;
  const once = errors?.map((fault) => withoutRepeated(fault, problem.message));
  return namingTool(JSON.stringify(once === undefined ? body : { ...body, errors: once }));
}

function withoutRepeated({ pointer, message }: Fault, detail: string): Partial<Fault> {
  return detail.includes(message) ? { pointer } : { pointer, message };
}

/** Rewrites a text so that it names the catalog tool instead of the route. */
export function namingTool(text: string): string {
  return namingCatalog(text, CATALOG_TOOL.name);
}
