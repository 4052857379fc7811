import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../src/core/project-dir.js';

/** A block of code in a document. */
export interface Block {
  /** File and line, as messages name it. */
  readonly place: string;
  readonly file: string;
  readonly language: string;
  readonly text: string;
}

/** The documents that readers follow. */
export const DOCUMENTS: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'examples/README.md'],
  ...['clients/python/README.md', 'clients/typescript/README.md'],
  ...readdirSync(join(projectDir(), 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** All blocks of code of all documents. */
export function allBlocks(): Block[] {
  return DOCUMENTS.flatMap((file) => {
    const blocks: Block[] = [];
    let open: { language: string; line: number; indent: string; lines: string[] } | undefined;
    const lines = readFileSync(join(projectDir(), file), 'utf8').split('\n');
    for (const [i, line] of lines.entries()) {
      const fence = /^( *)```(\S*)$/.exec(line);
      if (fence === null) open?.lines.push(line.slice(open.indent.length));
      else if (open === undefined) {
        open = { language: fence[2] ?? '', line: i + 1, indent: fence[1] ?? '', lines: [] };
      } else {
        const { language, lines } = open;
        blocks.push({ place: `${file}:${open.line}`, file, language, text: lines.join('\n') });
        open = undefined;
      }
    }
    if (open !== undefined) throw new Error(`${file}:${open.line}: the block has no end`);
    return blocks;
  });
}

/** The command lines of a block: all lines of a shell script, or the lines after `$ ` in a shown session. */
export function commandLines({ language, text }: Block): string[] {
  if (language !== 'sh' && language !== 'text') return [];
  const commands: string[] = [];
  const isSession = language === 'text' || /^ *\$ /m.test(text);
  let open: string | undefined;
  for (const line of text.split('\n')) {
    if (open === undefined) {
      const shown = /^ *\$ (.*)$/.exec(line)?.[1];
      const start = isSession ? shown : line;
      if (start === undefined || start.trim() === '' || start.trim().startsWith('#')) continue;
      open = start;
    } else open += `\n${line}`;
    if (wordsOf(open) === undefined) continue;
    commands.push(open);
    open = undefined;
  }
  if (open !== undefined) throw new Error(`a command has no end: ${open}`);
  return commands;
}

/** The commands of a shown session, each with its output. A … stands for omitted output. */
export function sessionsOf({ text }: Block): { readonly line: string; readonly output: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((session) => {
      const lines = session.split('\n');
      const end = lines.findIndex(
        (_, i) => wordsOf(lines.slice(0, i + 1).join('\n')) !== undefined,
      );
      return {
        line: lines.slice(0, end + 1).join('\n'),
        output: lines
          .slice(end + 1)
          .join('\n')
          .trim(),
      };
    });
}

/**
 * The commands of a shell line, each as a list of words. Pipes and lists are split. Variables before a command,
 * redirections and comments are left out.
 *
 * @returns undefined for a line that continues
 */
export function wordsOf(line: string): string[][] | undefined {
  const commands: string[][] = [[]];
  let word: string | undefined;
  const end = () => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (let i = 0; i < line.length; i++) {
    const char = line[i] as string;
    if (char === "'" || char === '"') {
      const close = line.indexOf(char, i + 1);
      if (close < 0) return undefined;
      word = (word ?? '') + line.slice(i + 1, close);
      i = close;
    } else if (char === '\\') {
      if (i + 1 >= line.length) return undefined;
      if (line[i + 1] === '\n') end();
      else word = (word ?? '') + line[i + 1];
      i++;
    } else if (/\s/.test(char)) end();
    else if (char === '#' && word === undefined) break;
    else if (char === '|' || char === ';' || char === '&') {
      end();
      commands.push([]);
    } else word = (word ?? '') + char;
  }
  end();
  return commands
    .map((words) => {
      const isName = (one: string) => /^[A-Z_]+=/.test(one);
      const start = words.every(isName) ? words.length : words.findIndex((one) => !isName(one));
      // `<KEY>` stands for a value of the reader. `<file` and `> file` are redirections.
      const redirect = words.findIndex((one) => /^\d?(?:>|<(?![\w-]+>))/.test(one));
      return words.slice(start, redirect < 0 ? undefined : redirect);
    })
    .filter((words) => words.length > 0);
}
