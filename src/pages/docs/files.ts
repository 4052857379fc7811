import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../core/project-dir.js';

/** Text of one of the project's own files, as `README.md`. */
export function projectFile(name: string): string {
  return readFileSync(join(projectDir(), name), 'utf8');
}

/**
 * What stands under a heading of the README, without the heading.
 *
 * @throws Error when there is no such heading: the page would be empty
 */
export function readmeSection(heading: string): string {
  const sections = projectFile('README.md').split(/^## /m);
  const found = sections.find((section) => section.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`README.md has no section "${heading}"`);
  return found.slice(heading.length + 1).trim();
}

/** A Markdown file whose text is a page, without its title. */
export function withoutTitle(text: string): string {
  return text.replace(/^# .*\n+/, '');
}

/** The address the README's examples are written for. */
export const README_ORIGIN = 'http://127.0.0.1:3000';
