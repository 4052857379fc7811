/** After a longer wait the user, and not the page, decides whether to ask again. */
export const AUTOMATIC_RETRY_MAX_SECONDS = 90;

/**
 * When to ask again, as the last sentence of a refusal. A page that asks again by itself replaces the sentence
 * by the seconds that are left.
 */
export function waitSentence(seconds: number): string {
  return `Please try again in ${waitText(seconds)}.`;
}

/** A wait in words, such as `57 seconds` or `3 hours`; rounded up, so that it is never too early. */
export function waitText(seconds: number): string {
  if (seconds <= 120) return plural(Math.ceil(seconds), 'second');
  if (seconds <= 120 * 60) return plural(Math.ceil(seconds / 60), 'minute');
  return plural(Math.ceil(seconds / 3600), 'hour');
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
