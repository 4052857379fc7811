/**
 * A Markdown table; the cells are Markdown.
 *
 * @param isOfNumbers whether a column has numbers, which are aligned on the right
 */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  isOfNumbers: (column: number) => boolean = () => false,
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  const rule = header.map((_, column) => (isOfNumbers(column) ? '--:' : '---'));
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}

/** A Markdown block of code. */
export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** A JSON value as a compact Markdown block. */
export function json(value: unknown): string {
  return fenced('json', prettyJson(value));
}

/** Joins paragraphs, tables, headings and blocks. Empty and undefined parts are left out. */
export function blocks(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}

const WIDTH = 96;

/** A JSON value as text. Each list or object that fits is on one line. */
export function prettyJson(value: unknown, indent = ''): string {
  const flat = flatJson(value);
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= WIDTH) {
    if (indent !== '' || typeof value !== 'object') return flat;
  }
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => inner + prettyJson(item, inner))
    : Object.entries(value as object).map(
        ([name, item]) => `${inner}${JSON.stringify(name)}: ${prettyJson(item, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

function flatJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}: ${flatJson(item)}`,
  );
  return `{ ${members.join(', ')} }`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
