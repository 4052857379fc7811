import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import {
  internalError,
  inWords,
  listedBy,
  type Problem,
  problemBody,
  REST_WORDING,
  type Sentence,
  worded,
} from '../core/errors.js';
import { OPERATIONS } from '../operations/index.js';
import { type Operation, toolForm } from '../operations/operation.js';
import { readArguments } from '../operations/tool-arguments.js';
import type { EarlierRequest } from '../request/caller.js';
import type { FaultLog } from '../request/charging.js';
import { argumentsOf, LargeText } from '../request/large-text.js';
import { bodyUri, fileOf, linkKey } from './body-links.js';
import { CATALOG_DESCRIPTION, CATALOG_TOOL, type CatalogTool } from './catalog-tool.js';
import { toolInput, toolOutput } from './tool-schemas.js';

/** `_meta` member that makes a call safe to repeat, like the REST header. */
export const IDEMPOTENCY_META = 'vitruvia/idempotency-key';
/** `_meta` member of a result that an earlier call has already paid for. */
const REPLAYED_META = 'vitruvia/idempotent-replayed';

/** The operations with answers of one JSON text. */
const SHORT_OPERATIONS: readonly Operation[] = OPERATIONS.filter(
  ({ outsideTools }) => outsideTools !== true,
).map(toolForm);

/** All tools in the specification's order. They are made once, because preparing schemas takes long. */
export const TOOLS: readonly Tool[] = [CATALOG_TOOL, ...SHORT_OPERATIONS.map(toolOf)];

const OPERATION_OF: ReadonlyMap<string, Operation> = new Map(
  SHORT_OPERATIONS.map((operation) => [operation.name, operation]),
);

/** The priced operation of a tool, or undefined for the free tool and for unknown names. */
export function operationOf(tool: unknown): Operation | undefined {
  return typeof tool === 'string' ? OPERATION_OF.get(tool) : undefined;
}

/** The tools if nothing is charged. Their texts name no prices. */
export const FREE_TOOLS: readonly Tool[] = TOOLS.map((tool) => ({
  ...tool,
  description: operationOf(tool.name)?.toolDescription ?? CATALOG_DESCRIPTION,
}));

function toolOf(operation: Operation): Tool {
  return {
    name: operation.name,
    title: operation.title,
    description: `${operation.toolDescription} ${operation.toolPrice}`,
    inputSchema: toolInput(operation.request, operation.name) as Tool['inputSchema'],
    outputSchema: toolOutput(operation.toolResponse ?? operation.response) as NonNullable<
      Tool['outputSchema']
    >,
    annotations: {
      // The other hints do not apply to a tool that changes nothing.
      readOnlyHint: true,
      openWorldHint: false,
    },
  };
}

/** A `tools/call` as received. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: unknown;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** The parts that the tools need. */
export interface ToolParts {
  readonly catalog: CatalogTool;
  readonly log: FaultLog;
  /** Whether nothing is charged. Texts then name no price. */
  readonly isFree?: boolean;
}

/** The result of a call of an operation, in the form that a tool needs. */
export type CallOutcome =
  | {
      readonly kind: 'answer';
      readonly json: string;
      readonly replayed: boolean;
      /** Path of the file that was written beside it. */
      readonly path?: string | undefined;
    }
  | { readonly kind: 'refusal'; readonly problem: Problem }
  | { readonly kind: 'stream' };

/** Performs the calls of operations. */
export interface ToolExchange {
  readonly requestId: string;
  perform(
    operation: Operation,
    input: unknown,
    idempotencyKey: string | undefined,
  ): Promise<CallOutcome>;
  /** Whether files are linked to; otherwise `perform` writes them. */
  readonly linksFiles: boolean;
  /** The file of an earlier call; undefined if there is none. */
  file(
    operation: Operation,
    earlier: EarlierRequest,
  ): Promise<
    | { readonly bytes: Uint8Array; readonly contentType: string }
    | { readonly kind: 'refusal'; readonly problem: Problem }
    | undefined
  >;
}

/**
 * Answers one call of a known tool; returns undefined for an unknown tool. A refusal is a result with `isError` and the
 * problem as text. It has no `structuredContent`, because clients would validate it against the schema of the answer.
 */
export async function callTool(
  call: ToolCall,
  exchange: ToolExchange,
  parts: ToolParts,
): Promise<CallToolResult | undefined> {
  try {
    return await answerCall(call, exchange, parts);
  } catch (err) {
    // The SDK would send the cause to the caller.
    parts.log.error({ err, request_id: exchange.requestId }, 'an MCP tool failed');
    return refused(internalError(), exchange.requestId);
  }
}

async function answerCall(
  call: ToolCall,
  exchange: ToolExchange,
  { catalog }: ToolParts,
): Promise<CallToolResult | undefined> {
  const given = call.arguments ?? {};
  if (call.name === CATALOG_TOOL.name) {
    const result = catalog.answer(given);
    if (result.kind === 'refusal') return refused(result.problem, exchange.requestId);
    return answered(result.json, result.text);
  }
  const operation = operationOf(call.name);
  if (operation === undefined) return undefined;
  const ownKey = idempotencyKeyOf(call.meta);
  const large = argumentsOf(given);
  const isLarge = large instanceof LargeText;
  // A thread has read large arguments already.
  const { input, notes } = isLarge
    ? { input: large, notes: large.notes }
    : readArguments(operation, given, OPERATIONS);
  // Requests for files are at most 64 KiB long.
  const named = operation.file !== undefined && isLarge ? JSON.parse(large.text) : input;
  const file = typeof named === 'object' ? fileOf(operation, named as object) : undefined;
  // The file is kept under the key of the call, so a call with a file gets a key.
  const key = file !== undefined && exchange.linksFiles ? (ownKey ?? linkKey()) : ownKey;
  const result = await exchange.perform(operation, input, key);
  if (result.kind === 'refusal') return refused(result.problem, exchange.requestId);
  if (result.kind === 'stream') throw new Error(`${call.name} answers as a stream`);
  // The answer of a batch holds refusals, which are text already.
  const json = operation.name === 'batch' ? inToolWords(result.json) : result.json;
  const whole = JSON.parse(json);
  const answer = answered(operation.toolAnswer?.(whole as never) ?? whole);
  if (file !== undefined && exchange.linksFiles) {
    const uri = bodyUri(named as object, key as string, file.format);
    answer.content.push(linkTo(uri, `body.${file.format}`, file.type));
  }
  if (result.path !== undefined && file !== undefined) {
    answer.content.unshift({ type: 'text', text: `file: ${result.path}` });
    const uri = pathToFileURL(result.path).href;
    answer.content.push(linkTo(uri, basename(result.path), file.type));
  }
  if (notes.length > 0) answer.content.unshift({ type: 'text', text: notes.join('\n') });
  return result.replayed ? { ...answer, _meta: { [REPLAYED_META]: true } } : answer;
}

function linkTo(uri: string, name: string, mimeType: string): CallToolResult['content'][number] {
  return { type: 'resource_link', uri, name, mimeType };
}

/** The given key. Values other than text count as an empty key, which is refused. */
function idempotencyKeyOf(meta: ToolCall['meta']): string | undefined {
  const key = meta?.[IDEMPOTENCY_META];
  if (key === undefined) return undefined;
  return typeof key === 'string' ? key : '';
}

function answered(
  structuredContent: Record<string, unknown>,
  text = answerText(structuredContent),
): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent };
}

function refused(problem: Problem, requestId: string): CallToolResult {
  return { content: [{ type: 'text', text: refusalText(problem, requestId) }], isError: true };
}

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

const FINDS_NAMES = `${CATALOG_TOOL.name} finds them by their names.`;

/** The text of refusals of REST with the tool that lists names in place of the routes. A client of MCP has no `GET /`. */
const inToolWords = (json: string): string =>
  json
    .replaceAll('; GET / lists', `; ${CATALOG_TOOL.name} lists`)
    .replaceAll(/GET \/v1\/products lists all \d+\./g, FINDS_NAMES);

/** The wording of tools: their arguments have the names of the fields. */
const TOOL_WORDING = {
  ...REST_WORDING,
  rules: listedBy(CATALOG_TOOL.name, FINDS_NAMES),
};

/**
 * A refusal as the text of a tool result. It is the problem object of REST without repeated sentences, because a model
 * reads all of it. `message` is left out, because it repeats `detail`. A fault whose sentence is `detail` keeps only
 * its pointer.
 */
export function refusalText(problem: Problem, requestId: string): string {
  const words = (sentence: Sentence | string) => inWords(sentence, TOOL_WORDING);
  const { message: detail, ...body } = problemBody(worded(problem, words), requestId);
  const once = problem.extras.errors?.map(({ pointer, ...fault }) => {
    const message = words(fault);
    return String(detail).includes(message) ? { pointer } : { pointer, message };
  });
  return JSON.stringify(once === undefined ? body : { ...body, errors: once });
}
