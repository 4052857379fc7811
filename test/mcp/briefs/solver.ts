import MiniSearch from 'minisearch';
import { answerIn } from './answers.js';
import type { Answer } from './briefs.js';
import { type Facts, factsOf, smallNumber } from './facts.js';
import { fill, type Known } from './fill.js';
import { countriesIn, measurementsIn } from './names.js';

// A program that answers briefs like a very simple agent. It reads the text of a brief, the list of
// tools and the answers of the search. It has no names of measurements, countries or tools.

/** A schema of the list of tools. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
}

/** A tool of the list. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
}

/** What the solver may use of the service. */
export interface Server {
  readonly tools: readonly Tool[];
  /** The tool that all others name as the source of names. */
  readonly catalogTool: string;
  /** @throws Error with the text of the refusal */
  call(tool: string, input: object): Promise<unknown>;
}

/** The tool that the descriptions of the others name most often. */
export function catalogToolOf(tools: readonly Tool[]): string {
  const named = (name: string) =>
    tools.filter(({ description }) => description.includes(name)).length;
  const [most] = [...tools].sort((one, other) => named(other.name) - named(one.name));
  return most?.name ?? '';
}

/** What each field of a tool counts against it: of two tools that fit, the simpler one is right. */
const FIELD = 0.02;

function fields({ properties = {}, items }: Schema): number {
  const inner = items === undefined ? 0 : fields(items);
  return Object.values(properties).reduce((sum, field) => sum + 1 + fields(field), inner);
}

/** Answers a brief. */
export async function solve(server: Server, text: string): Promise<Answer> {
  const index = new MiniSearch<Tool & { id: string }>({ fields: ['title', 'description'] });
  index.addAll(server.tools.map((tool) => ({ ...tool, id: tool.name })));
  const known = await read(server, text);
  const scores = new Map(index.search(text).map(({ id, score }) => [id as string, score]));
  const best = Math.max(...scores.values());
  const plans = server.tools
    .filter(({ name }) => name !== server.catalogTool)
    .map((tool) => {
      const filled = fill(tool.inputSchema, known);
      const words = (scores.get(tool.name) ?? 0) / best;
      return {
        tool,
        filled,
        score: words * 2 + filled.used - 4 * filled.missing - FIELD * fields(tool.inputSchema),
      };
    })
    .sort((one, other) => other.score - one.score);
  const [plan] = plans;
  if (plan === undefined) throw new Error('There are no tools.');
  const parts = partsOf(text);
  if (parts !== undefined) return atOnce(server, parts);
  const answer = await callAsTold(server, plan.tool.name, plan.filled.input);
  return answerIn(answer, text, known);
}

async function read(server: Server, text: string): Promise<Known> {
  const facts: Facts = factsOf(text);
  const { codes, places } = await countriesIn(server, text);
  // Names of countries are no measurements.
  const rest = facts.rest.replace(/(?<=[a-z,] )[A-Z][A-Za-z]+(?: [A-Z][a-z]+)*/g, ' | ');
  return { text, facts, codes, places, measurements: await measurementsIn(server, rest) };
}

/** The questions of a brief that asks several at once. */
function partsOf(text: string): string[] | undefined {
  const [head = '', body] = text.split(/: (.*)/s);
  const parts = body?.split(';').map((part) => part.trim()) ?? [];
  const told = head.split(' ').some((word) => smallNumber(word) === parts.length);
  return told && parts.length > 1 ? parts : undefined;
}

/** Solves the questions of a brief one after the other. */
async function atOnce(server: Server, parts: readonly string[]): Promise<Answer> {
  const answers: (number | string)[] = [];
  for (const part of parts) answers.push(...(await solve(server, part)));
  return answers;
}

/** Calls a tool. If a refusal says which value was meant, it calls again with that value. */
async function callAsTold(server: Server, tool: string, input: object): Promise<unknown> {
  try {
    return await server.call(tool, input);
  } catch (error) {
    const meant = /Did you mean ([\w.]+)\?/.exec((error as Error).message)?.[1];
    const wrong = /"pointer":"\/(\w+)"/.exec((error as Error).message)?.[1];
    if (meant === undefined || wrong === undefined) throw error;
    const value = Number.isNaN(Number(meant)) ? meant : Number(meant);
    return server.call(tool, { ...input, [wrong]: value });
  }
}
