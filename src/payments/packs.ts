/** Sizes of the packs on sale, in credits (specification, 8.6). */
export const PACKS = [100, 500, 1000] as const;
/** One of them. */
export type PackCredits = (typeof PACKS)[number];

/** The pack of that size, or undefined where there is none. */
export function packOf(credits: number): PackCredits | undefined {
  return PACKS.find((pack) => pack === credits);
}
