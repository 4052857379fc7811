/** One line of the table: a measure, and its floor or ceiling. */
export interface Line {
  readonly measure: string;
  readonly value: number;
  readonly unit: string;
  readonly floor?: number;
  readonly ceiling?: number;
}

/** Whether a line is within its bounds. */
export const met = ({ value, floor, ceiling }: Line): boolean =>
  (floor === undefined || value >= floor) && (ceiling === undefined || value <= ceiling);

/** Prints the lines, each with its bound and whether it is met. */
export function printTable(lines: readonly Line[]): void {
  const number = (value: number) =>
    value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
  for (const line of lines) {
    const { measure, value, unit, floor, ceiling } = line;
    const bound =
      floor !== undefined
        ? `≥ ${number(floor)}`
        : ceiling !== undefined
          ? `≤ ${number(ceiling)}`
          : '';
    const verdict = bound === '' ? '' : met(line) ? 'met' : 'MISSED';
    const cells = [measure.padEnd(52), `${number(value)} ${unit}`.padStart(14)];
    process.stdout.write(`${cells.join(' ')}   ${bound.padEnd(12)} ${verdict}\n`);
  }
}
