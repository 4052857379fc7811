// Writes the picture of the folders and their imports into docs/architecture.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Contents of allowed-imports.json. */
export interface AllowedImports {
  /** For each folder or entry file: what it may import besides itself. */
  readonly mayImport: Readonly<Record<string, readonly string[]>>;
  /** For each pattern of package names: the only places that may import these packages. */
  readonly onlyIn: Readonly<Record<string, readonly string[]>>;
}

const DOCUMENT = fileURLToPath(new URL('../docs/architecture.md', import.meta.url));
const BLOCK = /(<!-- imports: begin -->\n)[\s\S]*(<!-- imports: end -->)/;

/** Reads the allow-list. */
export function readAllowedImports(): AllowedImports {
  return JSON.parse(readFileSync(new URL('../allowed-imports.json', import.meta.url), 'utf8'));
}

/** Returns the document with a picture of the present allow-list. */
export function withImportGraph(text: string, { mayImport }: AllowedImports): string {
  const graph = mermaidGraph(mayImport);
  return text.replace(BLOCK, (_, begin, end) => `${begin}\n${graph}\n${end}`);
}

/** Mermaid text of the folders of `src`. An arrow that follows from two others is left out. */
function mermaidGraph(mayImport: AllowedImports['mayImport']): string {
  const service = Object.entries(mayImport).filter(([place]) => place.startsWith('src/'));
  const reachable = new Map<string, Set<string>>();
  const arrows: string[] = [];
  for (const [place, direct] of service) {
    const indirect = new Set(direct.flatMap((other) => [...(reachable.get(other) ?? [])]));
    reachable.set(place, new Set([...direct, ...indirect]));
    for (const other of direct) {
      if (!indirect.has(other)) arrows.push(`  ${shortName(other)} --> ${shortName(place)}`);
    }
  }
  return ['```mermaid', 'flowchart LR', ...arrows, '```', ''].join('\n');
}

function shortName(place: string): string {
  return place.replace('src/', '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = readFileSync(DOCUMENT, 'utf8');
  writeFileSync(DOCUMENT, withImportGraph(text, readAllowedImports()));
}
