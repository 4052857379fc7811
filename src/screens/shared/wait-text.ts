/** Longest wait after which a page asks again by itself. After a longer wait, the user decides. */
export const AUTOMATIC_RETRY_MAX_SECONDS = 90;

/**
 * The last sentence of a refusal, which says when to ask again. A page that asks again by itself shows the
 * remaining seconds instead.
 */
export function waitSentence(seconds: number): string {
  return `Please try again in ${waitText(seconds)}.`;
}

/** A wait in words, such as `57 seconds` or `3 hours`. It is rounded up, so nobody asks too early. */
export function waitText(seconds: number): string {
  if (seconds <= 120) return plural(Math.ceil(seconds), 'second');
  if (seconds <= 120 * 60) return plural(Math.ceil(seconds / 60), 'minute');
  return plural(Math.ceil(seconds / 3600), 'hour');
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
