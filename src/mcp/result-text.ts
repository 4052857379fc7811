import { type Fault, namingCatalog, type Problem, problemBody } from '../core/errors.js';
import { CATALOG_TOOL } from './catalog-tool.js';

/**
 * An answer as text, for clients that do not read `structuredContent`: one line for each field and
 * one for each entry of a list. Deeper parts are JSON. The text has every number of the answer.
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
 * A refusal as the text of a tool result: the problem object of REST in which each sentence stands once,
 * because a model reads all of it. `message` would repeat `detail`; a fault whose sentence `detail` has
 * keeps only its pointer. The catalog is the tool, because a client of MCP has no `GET /`.
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

/** A text that names the tool instead of the route of the catalog. */
export function namingTool(text: string): string {
  return namingCatalog(text, CATALOG_TOOL.name);
}
