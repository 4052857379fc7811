/** A figure of the bench, with its floor or ceiling. */
export interface Figure {
  readonly measure: string;
  readonly value: number;
  readonly unit: string;
  readonly floor?: number;
  readonly ceiling?: number;
}

/** The result of an attack. `held` says whether the service held; it is undefined for a figure without a bound. */
export interface Finding {
  readonly what: string;
  readonly seen: string;
  readonly held?: boolean | undefined;
}

export const figure = (measure: string, value: number, unit: string): Figure => ({
  ...{ measure, value, unit },
});
export const atLeast = (floor: number, measure: string, value: number, unit: string): Figure => ({
  ...{ measure, value, unit, floor },
});
export const atMost = (ceiling: number, measure: string, value: number, unit: string): Figure => ({
  ...{ measure, value, unit, ceiling },
});

/** Whether a figure is within its bounds. */
export const met = ({ value, floor = -Infinity, ceiling = Infinity }: Figure): boolean =>
  value >= floor && value <= ceiling;

/** A line of output: the figure, its bound, and whether the figure meets it. */
export function figureLine(one: Figure): string {
  const number = (value: number) =>
    value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
  const { measure, value, unit, floor, ceiling } = one;
  const below = ceiling === undefined ? '' : `≤ ${number(ceiling)}`;
  const bound = floor === undefined ? below : `≥ ${number(floor)}`;
  const verdict = bound === '' ? '' : met(one) ? 'met' : 'MISSED';
  const cells = [measure.padEnd(52), `${number(value)} ${unit}`.padStart(14)];
  return `${cells.join(' ')}   ${bound.padEnd(12)} ${verdict}`;
}

/** A line of an item of the attack. */
export function findingLine(item: string, { what, seen, held }: Finding): string {
  const verdict = held === undefined ? '' : held ? 'held' : 'FELL';
  return `${item}  ${verdict.padEnd(5)} ${what}: ${seen}`;
}

export const ms = (value: number): string =>
  `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
export const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
export const times = (value: number): string => `${value.toFixed(1)} ×`;
export const first = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 160);
