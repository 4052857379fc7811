import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../core/project-dir.js';

/** Text of one of the project's own files, for example `docs/api.md`. */
export function projectFile(name: string): string {
  return readFileSync(join(projectDir(), name), 'utf8');
}

/**
 * Text of one section of a document, without its heading.
 *
 * @throws Error when there is no such heading: the page would be empty
 */
export function sectionOf(file: string, heading: string): string {
  const sections = projectFile(file).split(/^## /m);
  const found = sections.find((section) => section.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`${file} has no section "${heading}"`);
  return found.slice(heading.length + 1).trim();
}

/** The text of a Markdown file without its title. */
export function withoutTitle(text: string): string {
  return text.replace(/^# .*\n+/, '');
}

const TEAM_PARTS = /<!-- team: begin -->.*?<!-- team: end -->\n*/gs;

/**
 * A document for readers outside the team: without the parts between the marks `team: begin` and
 * `team: end`, which say how it is made and where it is in the code.
 */
export function withoutTeamParts(text: string): string {
  return text.replace(TEAM_PARTS, '');
}

/** The address that the examples in the documents use. */
export const EXAMPLE_ORIGIN = 'http://127.0.0.1:3000';
