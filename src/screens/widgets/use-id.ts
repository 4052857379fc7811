import { useState } from 'preact/hooks';

let count = 0;

/**
 * An id that no other element of the page has. Preact's own ids start again in each root. A screen has two
 * roots: its own and the population bar.
 */
export function useId(): string {
  const [id] = useState(() => `id-${++count}`);
  return id;
}
