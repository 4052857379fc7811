/** A Markdown table; numbers are given as text already. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map((_, i) => (i === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Two decimals. */
export const two = (value: number): string => value.toFixed(2);

/** A share of 1 as percent with one decimal. */
export const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

/** Paragraphs, tables and pictures as one text. */
export const paragraphs = (parts: readonly string[]): string => parts.join('\n\n');
