/**
 * Whole pieces of each size of an order, which sum to the total (largest remainder method; Balinski and Young 2001, Fair
 * Representation).
 *
 * @param shares share of each size, 0 to 1
 */
export function piecesOf(shares: readonly number[], total: number): readonly number[] {
  const exact = shares.map((share) => share * total);
  const pieces = exact.map(Math.floor);
  const left = total - pieces.reduce((sum, number) => sum + number, 0);
  const byRest = exact.map((_, s) => s);
  byRest.sort((a, b) => ((exact[b] as number) % 1) - ((exact[a] as number) % 1));
  for (const s of byRest.slice(0, Math.max(0, left))) pieces[s] = (pieces[s] as number) + 1;
  return pieces;
}
