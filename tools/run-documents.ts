// Runs the examples of the documents in the order of the text, as a reader with one account does. `npm run docs` writes
// what they print today below them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { MEASUREMENT_NAMES } from '../src/core/measurements.js';
import { projectDir } from '../src/core/project-dir.js';
import { OPERATIONS } from '../src/operations/index.js';
import { allBlocks, type Block, commandLines, sessionsOf, wordsOf } from './document-blocks.js';

/** Commands of `npx vitruvia` that end by themselves and need no release, build or file of the reader. */
const COMMANDS: ReadonlySet<string> = new Set([
  ...OPERATIONS.map(({ command }) => command.name),
  ...['accounts', 'credits', 'fill', 'keys', 'ledger', 'table'],
]);
/** Programs that run as they are written. All others install or start something, or are LibreOffice. */
const PROGRAMS: ReadonlySet<string> = new Set(['cat', 'curl', 'env/bin/python', 'node']);
/** Their commands need a payment that was reversed, several nodes, or survey tables of the reader. */
const NOT_RUN = ['docs/accounts-and-credits.md', 'docs/operations.md', 'docs/retraining.md'];
/** Tests of the clients run the code of these. */
const OF_CLIENTS = /^clients\//;
/** Names that a reader puts in place of `$ALL`. */
const ALL = [...MEASUREMENT_NAMES, 'BMI', 'BodyMass'].join(',');
/** This sign stands for omitted output. */
export const CUT = '…';
/** `fill` ends with 3 if it could not complete a row, and says so. */
const ROWS_REFUSED = 3;

/** A command, a call of a tool or a piece of Python in a document. */
export interface Step {
  readonly place: string;
  readonly file: string;
  readonly kind: 'shell' | 'tool' | 'python';
  readonly line: string;
  /** The output below it in the document, if any. */
  readonly shown?: string | undefined;
}

/** What a step printed. */
export interface Printed extends Step {
  readonly printed: string;
  readonly code: number | null;
}

/** The steps of all documents in the order of the text. */
export function documentSteps(): Step[] {
  return allBlocks().flatMap((block, i, all) => {
    if (NOT_RUN.includes(block.file) || OF_CLIENTS.test(block.file)) return [];
    return stepsOf(block, all[i + 1]);
  });
}

function stepsOf(block: Block, next: Block | undefined): Step[] {
  const { place, file, text, language } = block;
  if (language === 'python') {
    const [line = '', ...shown] = text.split(/^# /m);
    return shown.length === 0
      ? []
      : [{ place, file, kind: 'python', line, shown: shown.join('').trimEnd() }];
  }
  const calls = text.split(/^> /m).slice(1);
  if (language === 'text' && calls.length > 0) {
    return calls.map((call) => {
      const [line = '', ...shown] = call.trimEnd().split('\n');
      return { place, file, kind: 'tool', line, shown: shown.join('\n') };
    });
  }
  const shell = (line: string, shown?: string): Step[] =>
    isRun(line) ? [{ place, file, kind: 'shell', line, shown: shown || undefined }] : [];
  if (/^\$ /m.test(text)) return sessionsOf(block).flatMap((one) => shell(one.line, one.output));
  const lines = commandLines(block);
  // A block of JSON shows the answer to the command above it.
  const answer = next?.file === file && next.language === 'json' ? next.text : undefined;
  return lines.flatMap((line, i) => shell(line, i === lines.length - 1 ? answer : undefined));
}

function isRun(line: string): boolean {
  if (line.startsWith('export ')) return true;
  const commands = wordsOf(line) ?? [];
  return (
    commands.length > 0 &&
    commands.every(([program = '', name = '', command = '']) =>
      program === 'npx' && name === 'vitruvia' ? COMMANDS.has(command) : PROGRAMS.has(program),
    )
  );
}

/** The output of today in the form of the shown one, which is the same text if nothing has changed. */
export function todayAs(shown: string, printed: string): string {
  if (shown.startsWith('{') && !shown.includes(CUT)) {
    return JSON.stringify(JSON.parse(printed), undefined, 2);
  }
  if (shown.includes(CUT)) return cutAs(shown, printed);
  const today = printed.replace(/ +$/gm, '').replace(/^\n+/, '').trimEnd();
  return oneLine(shown) === oneLine(today) ? shown : today;
}

const oneLine = (text: string): string => text.trim().split(/\s+/).join(' ');

/**
 * Today's output, cut where the shown one is cut. A line `…` stands for omitted lines, and a line that ends with `…`
 * for the rest of a line. The lines after omitted ones are found by their first word.
 */
export function cutAs(shown: string, printed: string): string {
  const lines = printed.trim().split('\n');
  let at = 0;
  let isAfterCut = false;
  return shown
    .split('\n')
    .map((line) => {
      if (line === CUT) {
        isAfterCut = true;
        return line;
      }
      const [first] = line.trim().split(/\s+/);
      const found = lines.findIndex((one, i) => i >= at && one.trim().split(/\s+/)[0] === first);
      const here = isAfterCut && found >= 0 ? found : at;
      at = here + 1;
      isAfterCut = false;
      const today = (lines[here] ?? '').trimEnd();
      return line.endsWith(CUT) ? `${today.slice(0, line.length - 1)}${CUT}` : today;
    })
    .join('\n');
}

/**
 * Runs steps in a folder with the examples, against a new service. A document begins with the last key of README.
 *
 * @param settings environment of the service and of the commands, such as `ARTIFACTS_DIR`
 */
export async function* runSteps(
  steps: readonly Step[],
  settings: Readonly<Record<string, string>>,
): AsyncGenerator<Printed> {
  const folder = mkdtempSync(join(tmpdir(), 'vitruvia-documents-'));
  const database = `file:${join(folder, 'database.sqlite')}`;
  const given = { ...process.env, DATABASE_URL: database, RATE_LIMIT_MAX: '1000000', ...settings };
  const program = [join(projectDir(), 'bin/vitruvia.js'), 'serve', '--json'];
  const service = spawn(process.execPath, program, {
    env: { ...given, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const { address, key } = JSON.parse(await firstLine(service)) as Record<string, string>;
    const python = join(projectDir(), 'clients/python');
    const env: NodeJS.ProcessEnv = { ...given, PYTHONPATH: python, ALL, KEY: key };
    let [file, ofReadme] = ['', key];
    for (const step of steps) {
      if (file === 'README.md' && step.file !== file) ofReadme = env.KEY;
      const cwd = join(folder, step.file);
      if (step.file !== file) {
        prepareFolder(cwd);
        env.KEY = ofReadme;
        env.PATH = `${join(cwd, 'bin')}:${process.env.PATH}`;
      }
      file = step.file;
      const line = step.line
        .replace(/(?:http:\/\/)?(?:127\.0\.0\.1|localhost):3000/g, address ?? '')
        .replace(/<(?:API_)?KEY>|vt_(?:test|live)_…/g, env.KEY ?? '')
        .replaceAll('<checkout>', projectDir());
      const done =
        step.kind === 'tool'
          ? await callTool(line, `${address}/mcp`, env.KEY ?? '')
          : await runLine(step.kind, line, cwd, env);
      const made = /\bvt_(?:test|live)_\w+/.exec(done.printed)?.[0];
      if (made !== undefined) env.KEY = made;
      yield { ...step, ...done };
    }
  } finally {
    service.kill();
    await once(service, 'close');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills the folder of the reader of a document: the examples, the installed clients, and a table of people of their own. */
function prepareFolder(folder: string): void {
  const root = projectDir();
  for (const name of ['bin', 'env/bin']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['examples', 'node_modules'])
    symlinkSync(join(root, name), join(folder, name));
  cpSync(join(root, 'examples/people.csv'), join(folder, 'people.csv'));
  const scripts = {
    'bin/npx': `exec "${root}/node_modules/.bin/$1" "\${@:2}"`,
    // An answer of 402 is an error of the example.
    'bin/curl': `PATH=\${PATH#*:} exec curl --fail-with-body "$@"`,
    'env/bin/python': 'exec /usr/bin/python3 "$@"',
  };
  for (const [name, script] of Object.entries(scripts)) {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/bash\n${script}\n`);
    chmodSync(file, 0o755);
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let line = '';
  for await (const part of stdout ?? []) {
    line += String(part);
    if (line.endsWith('\n')) return line;
  }
  throw new Error(`The service did not start: ${line}`);
}

/** Prints the value of the last line of Python, as an interactive session does. */
const INTERACTIVE = `import ast, sys
import pandas as pd
*before, last = ast.parse(sys.argv[1]).body
exec(compile(ast.Module(before, []), "document", "exec"))
print(eval(compile(ast.Expression(last.value), "document", "eval")))`;

async function runLine(
  kind: Step['kind'],
  line: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Pick<Printed, 'printed' | 'code'>> {
  const exported = /^export (\w+)=(\S+)/.exec(line);
  if (exported !== null) {
    env[exported[1] ?? ''] = exported[2];
    return { printed: '', code: 0 };
  }
  const words = kind === 'python' ? ['env/bin/python', '-c', INTERACTIVE] : ['bash', '-c'];
  const [program = '', ...rest] = [...words, line];
  const child = spawn(program, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ]);
  return { printed: stdout + stderr, code: code === ROWS_REFUSED ? 0 : code };
}

async function callTool(line: string, url: string, key: string) {
  const [, name, json = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
  const params = { name, arguments: JSON.parse(json) };
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result } = (await answer.json()) as {
    result?: { isError?: boolean; content: readonly { text: string }[] };
  };
  const text = result?.content[0]?.text ?? '';
  const printed = result?.isError ? `(isError) ${text}` : text;
  return { printed, code: result === undefined ? 1 : 0 };
}

async function main(): Promise<void> {
  const steps = documentSteps();
  // The other steps of README fill tables; the outputs do not depend on them.
  const needed = steps.filter(
    ({ shown, line }) => shown !== undefined || !/^node |^env\/bin\/python/.test(line),
  );
  for await (const { file, line, shown, printed, kind } of runSteps(needed, {})) {
    if (shown === undefined) continue;
    const today = todayAs(shown, printed);
    if (today === shown) continue;
    const path = join(projectDir(), file);
    const inFile = (text: string) => (kind === 'python' ? text.replaceAll('\n', '\n# ') : text);
    const parts = readFileSync(path, 'utf8').split(inFile(shown));
    if (parts.length !== 2) throw new Error(`${file} must have this output once:\n${shown}`);
    writeFileSync(path, parts.join(inFile(today)));
    console.log(`${file}: ${line.slice(0, 60)}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
