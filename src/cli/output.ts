import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isDecimal } from '../core/typed-values.js';

/** The option of every command. */
export interface JsonOption {
  readonly json?: true;
}

/** Flag and description of that option. */
export const JSON_OPTION = ['--json', 'print exactly one JSON document'] as const;

/** The option for the file to write. Its former name stays valid, because scripts may still use it. */
export function addOutputOption(command: Command, place: string, description: string): void {
  command
    .option(`--output ${place}`, description)
    .addOption(new Option(`--out ${place}`).hideHelp());
}

/** Where the options say to write. */
export interface OutputFlags {
  readonly output?: string | undefined;
  readonly out?: string | undefined;
}

/** Prints a result: the document as one line of JSON, or else the text. */
export function print({ json }: JsonOption, document: unknown, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${text}\n`);
}

/** The path to which a file is written until it is complete. */
export const unfinishedOf = (output: string): string => `${output}.part`;

/**
 * Writes a long result in parts: to standard output, or to a file, which gets its name when it is complete.
 *
 * @param bar shows the progress, and is stopped at the end
 */
export async function writeParts(
  parts: AsyncIterable<string> | Iterable<Uint8Array>,
  output: string | undefined,
  bar: SingleBar,
): Promise<void> {
  if (output === undefined) {
    await pipeline(Readable.from(parts), process.stdout, { end: false });
    return;
  }
  const file = createWriteStream(unfinishedOf(output));
  await pipeline(Readable.from(parts), file).finally(() => bar.stop());
  await rename(unfinishedOf(output), output);
}

/** Rows as aligned columns, two spaces apart. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  const lines = rows.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  );
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** A time as ISO 8601; null stays null. */
export function isoTime(atMs: number): string;
export function isoTime(atMs: number | null): string | null;
export function isoTime(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}

/**
 * Parses the argument of an option that expects a decimal number.
 *
 * @throws InvalidArgumentError, which Commander reports as wrong usage
 */
export function numberArgument(text: string): number {
  const value = Number(text);
  if (isDecimal(text) && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It must be a number.');
}
