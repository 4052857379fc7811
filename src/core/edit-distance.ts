/**
 * Number of edits that turn one word into another: letters that are added, removed, replaced, or exchanged with their
 * neighbour (optimal string alignment; Damerau 1964), computed row by row.
 *
 * @param limit if there are at least this many edits, the function returns this number
 */
export function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: from.length + 1 }, (_, i) => i);
  for (let j = 1; j <= to.length; j++) {
    const row = [j];
    for (let i = 1; i <= from.length; i++) {
      const isSame = from[i - 1] === to[j - 1];
      const replaced = (last[i - 1] as number) + (isSame ? 0 : 1);
      const least = Math.min(replaced, (last[i] as number) + 1, (row[i - 1] as number) + 1);
      const isExchanged = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(isExchanged ? Math.min(least, (before[i - 2] as number) + 1) : least);
    }
    if (Math.min(...row) >= limit && Math.min(...last) >= limit) return limit;
    [before, last] = [last, row];
  }
  return Math.min(limit, last[from.length] as number);
}
