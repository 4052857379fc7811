import type { MeasurementName } from '../core/measurements.js';
import { runEnds, runMarks } from './draw.js';
import type { Point } from './geometry.js';
import { RUNS, type Run, VIEWS, type ViewName } from './runs.js';
import type { Mark } from './view.js';

/** A body with the lines of several measurements, each with its number. */
export interface NumberedDrawing {
  readonly view: ViewName;
  readonly title: string;
  readonly viewBox: string;
  readonly marks: readonly Mark[];
  readonly numbers: readonly { readonly number: number; readonly at: Point }[];
  /** Radius of the circle of a number, mm. */
  readonly radiusMm: number;
}

/** Distance between lines that would lie on one another, as a share of the drawing. */
const APART = 0.035;

/** Drawings of the measurements: one for each view that shows any of them, in their order. */
export function numberedDrawings(names: readonly MeasurementName[]): NumberedDrawing[] {
  const byView = new Map<ViewName, { number: number; run: Run }[]>();
  names.forEach((name, index) => {
    const run = RUNS[name];
    const entry = { number: index + 1, run };
    const known = byView.get(run.view);
    if (known === undefined) byView.set(run.view, [entry]);
    else known.push(entry);
  });
  return [...byView].map(([name, entries]) => drawing(name, entries));
}

function drawing(
  name: ViewName,
  entries: readonly { readonly number: number; readonly run: Run }[],
): NumberedDrawing {
  const view = VIEWS[name];
  let [left, right, bottom, top] = view.extent;
  const size = Math.max(right - left, top - bottom);
  const apart = size * APART;
  const radiusMm = size * 0.021;
  const taken = new Map<string, number>();
  const marks: Mark[] = [...view.marks];
  const numbers = entries.map(({ number, run }) => {
    const ends = runEnds(run);
    const [a, b] = ends.drawn;
    // Lines at the same place move outwards, one after the other.
    const isVertical = run.along === 'vertical';
    const isStraight = isVertical || run.along === 'horizontal';
    const place = isVertical ? a.x : a.y;
    const key = isStraight ? `${run.along} ${Math.round(place / apart)}` : `${number}`;
    const before = taken.get(key) ?? 0;
    taken.set(key, before + 1);
    const away = before * apart * (isVertical && place < (left + right) / 2 ? -1 : 1);
    const moved = isStraight ? { ...run, at: place + away } : run;
    const shown = runEnds(moved);
    marks.push(...runMarks(moved, shown, size * 0.6));
    const [from, to] = shown.drawn;
    // The number stands on the line; on lines side by side the numbers stand at different heights.
    const share = 0.5 + ((before % 5) - 2) * 0.07;
    const at = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
    for (const { x, y } of [from, to, a, b, at]) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      bottom = Math.min(bottom, y);
      top = Math.max(top, y);
    }
    return { number, at };
  });
  const margin = size * 0.04;
  const box = [left - margin, -top - margin, right - left + 2 * margin, top - bottom + 2 * margin];
  const viewBox = box.map(Math.round).join(' ');
  return { view: name, title: view.title, viewBox, marks, numbers, radiusMm };
}
