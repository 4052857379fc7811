import type { VNode } from 'preact';

/** A moment, in UTC to the minute. */
export function Time({ atMs }: { readonly atMs: number }): VNode {
  const iso = new Date(atMs).toISOString();
  return (
    <time dateTime={iso}>
      <span class="whole">{iso.slice(0, 10)}</span>{' '}
      <span class="whole">{iso.slice(11, 16)} UTC</span>
    </time>
  );
}
