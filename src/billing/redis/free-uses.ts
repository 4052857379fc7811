import type { FreeUse } from '../../core/billing-terms.js';

/** Free uses as the hash of an account's funds keeps them: `ms:calls,ms:calls,…`, oldest first. */
export function packFreeUses(uses: readonly FreeUse[]): string {
  return uses.map(({ atMs, calls }) => `${atMs}:${calls}`).join(',');
}

/**
 * Reads what `packFreeUses` or the step's script wrote.
 *
 * @throws TypeError for anything else
 */
export function unpackFreeUses(packed: string): FreeUse[] {
  if (packed === '') return [];
  return packed.split(',').map((use) => {
    const [, atMs, calls] = /^(\d+):(\d+)$/.exec(use) ?? [];
    if (calls === undefined) throw new TypeError(`"${use}" is no free use.`);
    return { atMs: Number(atMs), calls: Number(calls) };
  });
}
