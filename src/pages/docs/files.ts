import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../core/project-dir.js';

/** Text of one of the project's own files, for example `docs/api.md`. The build has made or completed some of them. */
export function projectFile(name: string): string {
  const built = join(projectDir(), 'dist', name);
  return readFileSync(existsSync(built) ? built : join(projectDir(), name), 'utf8');
}

/**
 * Text of one section of a document, without its heading.
 *
 * @throws Error if the document has no such heading, because the page would be empty
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
/** A note in brackets that names only decision records, and files of the code or of the data. */
const TEAM_NOTES =
  /\s\((?:(?:, )?(?:decision \d{4}|`(?:data\/raw|pipeline|src)\/[\w./*-]+`|`[\w-]+\.csv`))+\)/g;
/** A data file at the end of a note that also has other words. */
const TEAM_FILES = /; `data\/raw\/[\w./*-]+`(?=\))/g;

/**
 * The document for readers outside the team. It lacks the parts between the marks `team: begin` and `team:
 * end`, and the notes in brackets that name only files or decision records.
 */
export function withoutTeamParts(text: string): string {
  return text.replace(TEAM_PARTS, '').replace(TEAM_NOTES, '').replace(TEAM_FILES, '');
}

/**
 * A document whose examples call this service and name the key as all other examples do.
 *
 * @param origin public URL of the service, such as `https://vitruvia.example`
 */
export function withOwnAddress(text: string, origin: string): string {
  return text
    .replaceAll(EXAMPLE_ORIGIN, origin)
    .replaceAll('curl -s localhost:3000', `curl -s ${origin}`)
    .replaceAll('Bearer $KEY', 'Bearer <API_KEY>');
}

/** The address that the examples in the documents use. */
export const EXAMPLE_ORIGIN = 'http://127.0.0.1:3000';
