import type { MeasurementName } from '../core/measurements.js';
import { openCurve, type Point, pair, straightLine } from './geometry.js';
import { RUNS, type Run, VIEWS, type ViewName } from './runs.js';
import type { Mark, View } from './view.js';

/** A drawing for an `<svg>`: its view box, and its paths from back to front. */
export interface Drawing {
  readonly view: ViewName;
  /** What the drawing shows, in words. */
  readonly title: string;
  readonly viewBox: string;
  readonly marks: readonly Mark[];
}

const DRAWINGS = new Map<MeasurementName, Drawing>();

/** The body with the line of a measurement on it. */
export function drawMeasurement(name: MeasurementName): Drawing {
  const known = DRAWINGS.get(name);
  if (known !== undefined) return known;
  const run = RUNS[name];
  const view: View = VIEWS[run.view];
  const ends = runEnds(run);
  const { viewBox, size } = shownPart(view, ends);
  const marks = [...view.marks, ...runMarks(run, ends, size)];
  const drawing = { view: run.view, title: view.title, viewBox, marks };
  DRAWINGS.set(name, drawing);
  return drawing;
}

/** Landmarks of a run, and the ends of its drawn line. */
export interface RunEnds {
  readonly from: Point;
  readonly to: Point;
  readonly via: readonly Point[];
  readonly drawn: readonly [Point, Point];
}

/** The points between which a measurement is taken. */
export function runEnds(run: Run): RunEnds {
  const named: Readonly<Record<string, Point>> = VIEWS[run.view].landmarks;
  const place = (name: string) => {
    const found = named[name];
    if (found === undefined) throw new Error(`${run.view} has no landmark ${name}`);
    return found;
  };
  const [from, to] = [place(run.from), place(run.to)];
  const via = run.via.map(place);
  if (run.along === 'vertical') {
    const x = run.at ?? to.x;
    return {
      from,
      to,
      via,
      drawn: [
        { x, y: from.y },
        { x, y: to.y },
      ],
    };
  }
  if (run.along === 'horizontal') {
    const y = run.at ?? to.y;
    return {
      from,
      to,
      via,
      drawn: [
        { x: from.x, y },
        { x: to.x, y },
      ],
    };
  }
  return { from, to, via, drawn: [from, to] };
}

/** A rectangle in mm. */
type Box = readonly [left: number, right: number, bottom: number, top: number];

/** The visible part of a view: the whole view, or for a short run half of it, around the run. */
function shownPart(view: View, ends: RunEnds) {
  const run = boxOf([ends.from, ends.to, ...ends.via, ...ends.drawn]);
  const whole = union(view.extent, run);
  const short = longerSide(run) < CLOSE_BELOW * longerSide(whole);
  const box =
    short && !view.undivided ? windowOn(run, whole, longerSide(whole) * CLOSE_PART) : whole;
  const size = longerSide(box);
  const margin = size * 0.05;
  const [left, right, bottom, top] = box;
  const numbers = [
    left - margin,
    -top - margin,
    right - left + 2 * margin,
    top - bottom + 2 * margin,
  ];
  return { size, viewBox: numbers.map(Math.round).join(' ') };
}

/** A run shorter than this share of the view is enlarged. */
const CLOSE_BELOW = 0.28;
/** The share of the view that an enlargement shows. */
const CLOSE_PART = 0.5;

function boxOf(points: readonly Point[]): Box {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
}

function union(a: Box, b: Box): Box {
  const [left, bottom] = [Math.min(a[0], b[0]), Math.min(a[2], b[2])];
  return [left, Math.max(a[1], b[1]), bottom, Math.max(a[3], b[3])];
}

function longerSide([left, right, bottom, top]: Box): number {
  return Math.max(right - left, top - bottom);
}

/** A square of the given side around the middle of a box, moved and cut to fit into another box. */
function windowOn(middle: Box, whole: Box, side: number): Box {
  const [left, right] = stretch(middle[0], middle[1], whole[0], whole[1], side);
  const [bottom, top] = stretch(middle[2], middle[3], whole[2], whole[3], side);
  return [left, right, bottom, top];
}

function stretch(from: number, to: number, least: number, most: number, side: number) {
  const length = Math.min(side, most - least);
  const start = Math.min(Math.max((from + to - length) / 2, least), most - length);
  return [start, start + length] as const;
}

export function runMarks(run: Run, ends: RunEnds, size: number): readonly Mark[] {
  const { from, to, via, drawn } = ends;
  const dots = (...places: readonly Point[]): Mark => ({
    kind: 'point',
    d: places.map((place) => dot(place, size / 110)).join(''),
  });
  if (run.along === 'around') return around(from, to);
  if (run.along === 'surface') {
    return [{ kind: 'run', d: openCurve([from, ...via, to]) }, dots(from, to)];
  }
  const edges = [
    [from, drawn[0]],
    [to, drawn[1]],
  ].filter(([a, b]) => a !== undefined && b !== undefined && apart(a, b) > 1);
  const [a, b] = drawn;
  const length = apart(a, b);
  // The arrows of short runs point inwards from outside, as on engineering drawings.
  const arrow = size / 34;
  const inside = length > arrow * 3.2;
  const marks: Mark[] = [
    { kind: 'edge', d: edges.map((edge) => straightLine(...edge)).join('') },
    { kind: 'run', d: inside ? straightLine(a, b) : straightLine(a, b) + tails(a, b, arrow * 2) },
    { kind: 'arrow', d: head(a, b, inside, arrow) + head(b, a, inside, arrow) },
    dots(...edges.flatMap(([landmark]) => landmark ?? [])),
  ];
  return marks.filter(({ d }) => d !== '');
}

/** A girth seen from slightly above: the near half is a line, the far half is marked as hidden. */
function around(from: Point, to: Point): readonly Mark[] {
  const length = apart(from, to);
  const [rx, ry] = [length / 2, length * 0.13];
  const turn = (Math.atan2(-(to.y - from.y), to.x - from.x) * 180) / Math.PI;
  const half = (sweep: 0 | 1) =>
    `M${pair(from)}A${rx.toFixed(1)} ${ry.toFixed(1)} ${turn.toFixed(1)} 0 ${sweep} ${pair(to)}`;
  const near = to.x >= from.x ? 0 : 1;
  return [
    { kind: 'hidden', d: half(near === 0 ? 1 : 0) },
    { kind: 'run', d: half(near) },
  ];
}

/** Arrow head at a: it points away from b where it fits inside the run, otherwise towards b. */
function head(a: Point, b: Point, inside: boolean, size: number): string {
  const length = apart(a, b) || 1;
  const sign = inside ? 1 : -1;
  const [ux, uy] = [(sign * (b.x - a.x)) / length, (sign * (b.y - a.y)) / length];
  const base = { x: a.x + ux * size, y: a.y + uy * size };
  const half = size * 0.36;
  const left = { x: base.x - uy * half, y: base.y + ux * half };
  const right = { x: base.x + uy * half, y: base.y - ux * half };
  return `${straightLine(a, left, right)}Z`;
}

function tails(a: Point, b: Point, length: number): string {
  const whole = apart(a, b) || 1;
  const [ux, uy] = [((b.x - a.x) / whole) * length, ((b.y - a.y) / whole) * length];
  return (
    straightLine(a, { x: a.x - ux, y: a.y - uy }) + straightLine(b, { x: b.x + ux, y: b.y + uy })
  );
}

function dot({ x, y }: Point, r: number): string {
  const step = r.toFixed(2);
  return `M${pair({ x: x - r, y })}a${step} ${step} 0 1 0 ${(2 * r).toFixed(2)} 0a${step} ${step} 0 1 0 ${(-2 * r).toFixed(2)} 0Z`;
}

function apart(a: Point, b: Point): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}
