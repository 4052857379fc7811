import { useState } from 'preact/hooks';

let count = 0;

/**
 * An id that no other element of the page has. That of Preact begins again in each place that a page renders
 * into, and a screen has two: its own and that of the bar of populations.
 */
export function useId(): string {
  const [id] = useState(() => `id-${++count}`);
  return id;
}
