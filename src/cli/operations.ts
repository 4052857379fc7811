import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../config.js';
import { inWords, Problem, type Wording, worded } from '../core/errors.js';
import { GENDERS } from '../core/genders.js';
import { parseBody } from '../core/json-text.js';
import { COMMAND_WORDING, flagOf } from '../failure.js';
import { openArtifact } from '../lookup/open-artifact.js';
import { formatOf } from '../operations/answer-formats.js';
import { type Operation, seeded } from '../operations/operation.js';
import { PredictionModel } from '../operations/prediction-model.js';
import { validateRequest } from '../operations/validate.js';
import {
  addOutputOption,
  JSON_OPTION,
  type JsonOption,
  numberArgument,
  type OutputFlags,
  print,
  table,
} from './output.js';
import { readTyped } from './typed-fields.js';

/** The part of a field's schema that the flags use. */
interface FieldSchema {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description: string;
  readonly default?: string;
  readonly enum?: readonly string[];
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
}

/** Lists of names up to this length are printed in the help. */
const LONGEST_LIST = 12;

/**
 * The command of an operation, with a flag for each field of its request. It answers from the
 * artifacts and charges nothing.
 */
export function operationCommand(operation: Operation): (command: Command) => void {
  return (command) => {
    command.description(`${operation.description} Needs no server and no key.`);
    const fields = Object.entries(operation.request.properties) as [string, FieldSchema][];
    for (const [field, schema] of fields) command.addOption(optionOf(field, schema));
    if (operation.request.properties.population !== undefined) addPopulationFlags(command);
    const { person } = operation.request.properties as Readonly<Record<string, FieldSchema>>;
    for (const [field, schema] of Object.entries(person?.properties ?? {})) {
      command.addOption(optionOf(field, schema));
    }
    if (operation.file !== undefined) addOutputOption(command, '<file>', 'File to write.');
    command
      .option(...JSON_OPTION)
      .addHelpText('after', `\nExample:\n  ${exampleOf(command.name(), operation.example)}\n`)
      .action(({ output, out, ...options }: JsonOption & PopulationFlags & OutputFlags) =>
        answer(command, operation, options, output ?? out).catch((error: unknown) => {
          throw error instanceof Problem ? inFlags(error, options) : error;
        }),
      );
  };
}

async function answer(
  command: Command,
  operation: Operation,
  options: JsonOption & PopulationFlags,
  output: string | undefined,
): Promise<void> {
  const body = bodyOf(command, operation, options);
  const missing = (operation.request.required as readonly string[]).filter(
    (field) => !Object.hasOwn(body, field),
  );
  if (missing.length > 0) {
    const flags = missing.map(flagOf).join(', ');
    command.error(`error: required ${missing.length > 1 ? 'options' : 'option'} missing: ${flags}`);
  }
  const asked = validateRequest(operation, readTyped(body));
  const input = seeded(operation, asked);
  const isFile = operation.file !== undefined;
  const isTable = !isFile && formatOf(input) !== 'json';
  if (isTable && options.json) command.error('error: use --format or --json, not both');
  const { artifactsDir, artifactVersion } = readConfig(process.env);
  const model = new PredictionModel(openArtifact(artifactsDir, artifactVersion));
  if (isFile && operation.file?.formatOf(input as never) !== undefined) {
    await writeAnswer(command, operation, input, model, options, output);
    return;
  }
  if (isTable) {
    await printChunks(command, operation, input, model);
    return;
  }
  const result = operation.run(input, model);
  print(options, result, readable(result));
}

/** The flags of the only group of a population, by field. */
const GROUP_FLAGS: Readonly<Record<string, string>> = {
  countries: '--countries',
  gender: '--gender',
  ageMin: 'the beginning of --ages',
  ageMax: 'the end of --ages',
  /** The group itself. */
  all: 'the population',
};

/** A refusal in the words of the flags that were typed. A person or a population may have flags of its own. */
function inFlags(problem: Problem, typed: object): Problem {
  const words: Wording = {
    ...COMMAND_WORDING,
    field(pointer, short) {
      const ofGroup = /^\/population\/groups\/0(?:\/(\w+))?/.exec(pointer);
      const isTyped = ofGroup === null || 'population' in typed;
      const flag = isTyped ? undefined : GROUP_FLAGS[ofGroup[1] ?? 'all'];
      const own = 'person' in typed ? pointer : pointer.replace(/^\/person(?=\/)/, '');
      return flag ?? COMMAND_WORDING.field(own, short);
    },
  };
  return worded(problem, (sentence) => inWords(sentence, words));
}

/** Builds the request from the flags. A population may have flags of its own. */
function bodyOf(
  command: Command,
  operation: Operation,
  { json: _, ...fields }: JsonOption & PopulationFlags,
): object {
  if (operation.request.properties.person !== undefined)
    return withPerson(command, operation, fields);
  if (operation.request.properties.population === undefined) return fields;
  const { countries, gender, ages, ...others } = fields;
  const isNeeded = (operation.request.required as readonly string[]).includes('population');
  if (!isNeeded && (countries ?? gender ?? ages) === undefined) return others;
  if (!Object.hasOwn(others, 'population')) {
    return { population: populationOfFlags({ countries, gender, ages }), ...others };
  }
  if ((countries ?? gender ?? ages) !== undefined) {
    command.error(
      'error: --population describes all groups; leave out --countries, --gender and --ages',
    );
  }
  return others;
}

/** The request with a person from flags that replace `--person`. */
function withPerson(command: Command, { request }: Operation, fields: object): object {
  const schema = request.properties.person as unknown as FieldSchema;
  const flags = Object.entries(fields).filter(([name]) => name in (schema.properties ?? {}));
  if (flags.length === 0) return fields;
  if ('person' in fields) {
    command.error(
      'error: --person describes the person; leave out the flags that describe it, too',
    );
  }
  const others = Object.entries(fields).filter(([name]) => !(name in (schema.properties ?? {})));
  const person = Object.fromEntries(flags);
  const described = 'known' in person || 'measurements' in person;
  return { person: described ? person : { ...person, known: [] }, ...Object.fromEntries(others) };
}

/** Writes the file that answers a request. Without a file name, it goes to standard output. */
async function writeAnswer(
  command: Command,
  { file }: Operation,
  input: object,
  model: PredictionModel,
  options: JsonOption,
  output: string | undefined,
): Promise<void> {
  const isPiped = output === undefined && !options.json;
  if (isPiped && process.stdout.isTTY) {
    command.error(
      'error: the answer is a file; name it with --output, or ask for the report with --json',
    );
  }
  const made = await file?.make(input as never, model);
  if (made === undefined) return;
  if (isPiped) {
    if (!process.stdout.write(made.bytes)) await once(process.stdout, 'drain');
    return;
  }
  if (output !== undefined) await writeFile(output, made.bytes);
  const answer = made.answer as Readonly<Record<string, unknown>>;
  print(options, answer, `${readable(answer)}\n\n${output}: ${made.bytes.length} bytes`);
}

/** Writes a table to standard output as fast as its reader takes it. */
async function printChunks(
  command: Command,
  operation: Operation,
  input: object,
  model: PredictionModel,
): Promise<void> {
  if (formatOf(input) === 'arrow' && process.stdout.isTTY) {
    command.error('error: Arrow is not text; write it to a file with > people.arrow');
  }
  const { openChunks } = await import('../operations/chunks.js');
  const chunks = openChunks(operation, input, model);
  for (let index = 0; index < chunks.count; index++) {
    if (!process.stdout.write(chunks.chunk(index))) await once(process.stdout, 'drain');
  }
}

function optionOf(field: string, schema: FieldSchema): Option {
  const { description, type, items, default: fallback } = schema;
  const notes: string[] = [];
  const names = schema.enum;
  if (names !== undefined && names.length <= LONGEST_LIST) notes.push(names.join(', '));
  if (fallback !== undefined) notes.push(`default ${fallback}`);
  const text = notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
  const isNumber = (kind?: FieldSchema['type']) => kind === 'number' || kind === 'integer';
  if (type === 'object' || items?.type === 'object') {
    return new Option(`${flagOf(field)} <json>`, `${text} As JSON.`).argParser(jsonArgument);
  }
  // A length may be typed with its unit; `readTyped` converts it to a number.
  if (field === 'value') {
    return new Option(`${flagOf(field)} <length>`, `${text} Such as 1720, 1.72 m or 5'8".`);
  }
  if (type === 'boolean') return new Option(flagOf(field), text);
  if (type !== 'array') {
    const option = new Option(`${flagOf(field)} <${isNumber(type) ? 'number' : 'name'}>`, text);
    return isNumber(type) ? option.argParser(numberArgument) : option;
  }
  const parse: (word: string) => unknown = isNumber(items?.type)
    ? numberArgument
    : (word: string) => word;
  return new Option(`${flagOf(field)} <list>`, `${text} Separated by commas.`).argParser(
    (list: string, before: unknown[] = []) => [
      ...before,
      ...list.split(',').map((word) => parse(word)),
    ],
  );
}

function exampleOf(name: string, example: Readonly<Record<string, unknown>>): string {
  const flags = Object.entries(example).map(([field, value]) => `${flagOf(field)} ${shown(value)}`);
  return `npx vitruvia ${name} ${flags.join(' ')}`;
}

/** A value as an argument of a command: lists with commas, other structures as quoted JSON. */
function shown(value: unknown): string {
  const isList = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  if (typeof value !== 'object' || isList) return String(value);
  return `'${JSON.stringify(value)}'`;
}

function jsonArgument(text: string): unknown {
  try {
    JSON.parse(text);
  } catch {
    throw new InvalidArgumentError(`This is not JSON. Quote it, for example '{"groups":[…]}'.`);
  }
  try {
    return parseBody(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** A cell of a table. */
function cellText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** An answer as its warnings, a table of its fields, and a table of each list. */
function readable({ warnings = [], ...answer }: Readonly<Record<string, unknown>>): string {
  const rows: string[][] = [];
  const tables: string[] = [];
  for (const [field, value] of Object.entries(answer)) {
    if (!Array.isArray(value)) {
      rows.push([field, cellText(value)]);
      continue;
    }
    if (value.length === 0) continue;
    if (value.every((entry) => typeof entry === 'string')) {
      tables.push([field, ...value].join('\n'));
      continue;
    }
    const entries = value as readonly Record<string, unknown>[];
    const columns = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
    const lines = entries.map((entry) => columns.map((name) => cellText(entry[name] ?? '')));
    tables.push(table([columns, ...lines]));
  }
  return [...(warnings as string[]), table(rows), ...tables].join('\n\n');
}

/** Flags that describe a population of one group. They replace `--population`. */
interface PopulationFlags {
  readonly countries?: string | undefined;
  readonly gender?: string | undefined;
  readonly ages?: { readonly ageMin: number; readonly ageMax: number } | undefined;
}

const WORLD_ADULTS = { countries: 'World', ages: { ageMin: 18, ageMax: 120 } } as const;

/** Adds the flags to the command of an operation on a population. */
function addPopulationFlags(command: Command): void {
  command
    .option(
      '--countries <list>',
      'A population of one group, in place of --population: countries or sets of them. Separated by commas. (default World)',
    )
    .option('--ages <from-to>', 'Its completed ages, such as 18-65. (default 18-120)', agesArgument)
    .addOption(new Option('--gender <name>', 'Its gender; both by default.').choices(GENDERS));
}

/** The population of the flags: one group. */
function populationOfFlags({ countries, gender, ages }: PopulationFlags) {
  const { ageMin, ageMax } = ages ?? WORLD_ADULTS.ages;
  const group = { countries: (countries ?? WORLD_ADULTS.countries).split(','), ageMin, ageMax };
  return { groups: [gender === undefined ? group : { ...group, gender }] };
}

function agesArgument(text: string): { ageMin: number; ageMax: number } {
  const [, from, to] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (from === undefined) throw new InvalidArgumentError('Write two ages as in 18-65, or one.');
  return { ageMin: Number(from), ageMax: Number(to ?? from) };
}
