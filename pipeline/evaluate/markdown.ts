/** A Markdown table of texts. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map((_, i) => (i === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Two decimals. */
export const two = (value: number): string => value.toFixed(2);

/** Three decimals. */
export const three = (value: number): string => value.toFixed(3);

/** A share (0 to 1) in percent with one decimal. */
export const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

/** Paragraphs, tables and pictures as one text. */
export const paragraphs = (parts: readonly string[]): string => parts.join('\n\n');
