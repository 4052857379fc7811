import type { VNode } from 'preact';

/** A moment, in UTC to the minute. */
export function Time({ atMs }: { readonly atMs: number }): VNode {
  const iso = new Date(atMs).toISOString();
  return <time dateTime={iso}>{`${iso.slice(0, 16).replace('T', ' ')} UTC`}</time>;
}
