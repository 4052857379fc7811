import { namingCatalog } from '../core/catalog-hint.js';
import { type Fault, type Problem, problemBody } from '../core/errors.js';
import { CATALOG_TOOL } from './catalog-tool.js';

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
