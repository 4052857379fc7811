/**
 * An answer as text, for clients that do not read `structuredContent`: one line for each field and
 * one for each entry of a list. Deeper parts are JSON. The text has every number of the answer.
 */
export function answerText(answer: Readonly<Record<string, unknown>>): string {
  return Object.entries(answer).flatMap(lines).join('\n');
}

function lines([name, value]: [string, unknown]): string[] {
  if (!Array.isArray(value)) return [`${name}: ${valueText(value)}`];
  return [`${name}:`, ...value.map((entry) => `- ${entryText(entry)}`)];
}

function entryText(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return String(entry);
  return Object.entries(entry)
    .map(([name, value]) => `${name} ${valueText(value)}`)
    .join(', ');
}

function valueText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
