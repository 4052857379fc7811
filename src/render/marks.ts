import { curveCardinal, line } from 'd3-shape';
import { clamp } from '../body/vectors.js';
import type { MeasurementName } from '../core/measurements.js';
import { type Box, type Point, pair, straightLine } from './drawing.js';
import type { Drawing, ViewName } from './frames.js';
import { RUNS, type Run, type Side } from './runs.js';

/** One line or area of a picture: an SVG path, and a kind that determines its style. */
export interface Mark {
  readonly kind: 'edge' | 'run' | 'arrow' | 'hidden' | 'point';
  readonly d: string;
}

/** The lines of measurements on a body, for an `<svg>`. The paths are ordered from back to front. */
export interface Figure {
  readonly viewBox: string;
  readonly marks: readonly Mark[];
}

/** A figure with several measurements, each with its number. */
export interface NumberedFigure extends Figure {
  readonly numbers: readonly { readonly number: number; readonly at: Point }[];
  /** Radius of the circle of a number, mm. */
  readonly radiusMm: number;
}

/** The views that show some measurements, in their order. */
export function viewsOf(names: readonly MeasurementName[]): ViewName[] {
  return [...new Set(names.map((name) => RUNS[name].view))];
}

/** The body with the line of one measurement on it. */
export function measurementFigure(drawing: Drawing, name: MeasurementName): Figure {
  const run = runIn(drawing, name);
  const ends = runEnds(drawing, run);
  const { viewBox, size } = shownPart(drawing, ends);
  return { viewBox, marks: runMarks(run, ends, size) };
}

const TURNED = { vertical: 'horizontal', horizontal: 'vertical' } as const;
const TURNED_SIDES: Readonly<Record<Side, Side>> = {
  ...{ left: 'below', right: 'above', above: 'left', below: 'right' },
};

/** The line of a measurement in a drawing. In the side view of a lying person, heights run to the left. */
function runIn({ lying }: Drawing, name: MeasurementName): Run {
  const run = RUNS[name];
  if (lying !== 'fromSide') return run;
  const { along, at } = run;
  const way = along === 'vertical' || along === 'horizontal' ? TURNED[along] : along;
  if (at === undefined) return { ...run, along: way };
  if (typeof at === 'string') return { ...run, along: way, at: TURNED_SIDES[at] };
  return { ...run, along: way, at: { ...at, by: along === 'horizontal' ? -at.by : at.by } };
}

/** The length of a measurement in a drawing, mm. It is undefined for girths, because no drawing shows their length. */
export function drawnMm(drawing: Drawing, name: MeasurementName): number | undefined {
  const run = runIn(drawing, name);
  if (run.along === 'around') return undefined;
  const { from, to, via } = runEnds(drawing, run);
  if (run.along === 'vertical') return Math.abs(to.y - from.y);
  if (run.along === 'horizontal') return Math.abs(to.x - from.x);
  const way = [from, ...via, to];
  return way.slice(1).reduce((sum, point, i) => sum + apart(way[i], point), 0);
}

/** A dimension whose length in a picture differs from the prediction, mm. */
export interface Miss {
  readonly measurement: string;
  readonly askedMm: number;
  readonly drawnMm: number;
}

/** If a drawn dimension differs by more than this, the caption says so, mm. */
const MISS_MM = 3;

/**
 * Returns the dimensions whose drawn length differs from the prediction. If the tape does not measure a dimension, the
 * length of its line in the drawing is used.
 *
 * @param achievedMm the dimensions that the tape finds on the drawn body
 * @param valuesMm the predicted dimensions
 */
export function missesOf(
  drawing: Drawing,
  achievedMm: Readonly<Record<string, number>>,
  valuesMm: Readonly<Record<string, number>>,
  names: readonly string[],
): Miss[] {
  return [...new Set(names)].flatMap((measurement) => {
    const askedMm = valuesMm[measurement];
    const found = achievedMm[measurement] ?? lineMm(drawing, measurement as MeasurementName);
    if (askedMm === undefined || found === undefined) return [];
    return Math.abs(found - askedMm) > MISS_MM ? [{ measurement, askedMm, drawnMm: found }] : [];
  });
}

/** The length of a measurement's line in a drawing that shows it. */
function lineMm(drawing: Drawing, name: MeasurementName): number | undefined {
  const { view, along, from, to } = RUNS[name];
  const shows =
    drawing.view === view ||
    // Heights are the same from all sides.
    (along === 'vertical' &&
      postureOf(drawing.view) === postureOf(view) &&
      from in drawing.landmarks &&
      to in drawing.landmarks);
  return shows ? drawnMm(drawing, name) : undefined;
}

const WHOLE = /^(standing|sitting)(Front|Side)$/;

function postureOf(view: ViewName): string {
  return WHOLE.exec(view)?.[1] ?? view;
}

/** Landmarks of a run, and the ends of its drawn line. */
export interface RunEnds {
  readonly from: Point;
  readonly to: Point;
  readonly via: readonly Point[];
  readonly drawn: readonly [Point, Point];
}

/** The points between which a measurement is taken. */
export function runEnds(drawing: Drawing, run: Run, awayMm = 0): RunEnds {
  const place = (name: string): Point => {
    const found = drawing.landmarks[name];
    if (found === undefined) throw new Error(`${drawing.view} has no landmark ${name}`);
    return found;
  };
  const [from, to] = [place(run.from), place(run.to)];
  const beside = (axis: 'x' | 'y'): number => besideOf(drawing, run, to, axis) + awayMm;
  const drawn = (point: Point): Point => {
    if (run.along === 'vertical') return { ...point, x: beside('x') };
    return run.along === 'horizontal' ? { ...point, y: beside('y') } : point;
  };
  return { from, to, via: run.via.map(place), drawn: [drawn(from), drawn(to)] };
}

/** Distance from the body of lines that are drawn outside it, as a share of the drawing. */
const OUTSIDE = 0.05;

function besideOf({ shown, landmarks }: Drawing, { at }: Run, to: Point, axis: 'x' | 'y'): number {
  const [left, right, bottom, top] = shown;
  const size = longerSide(shown);
  if (at === undefined) return to[axis];
  if (typeof at === 'object') return (landmarks[at.near] ?? to)[axis] + at.by * size;
  const sides = { left, right, below: bottom, above: top } as const;
  const sign = at === 'left' || at === 'below' ? -1 : 1;
  return sides[at] + sign * OUTSIDE * size;
}

/** The visible part of a view. It is the whole view, or for a short run the half around the run. */
function shownPart(drawing: Drawing, ends: RunEnds) {
  const places = [ends.from, ends.to, ...ends.via, ...ends.drawn];
  const run = boxOf(places);
  const whole = boxOf([...cornersOf(drawing.shown), ...places]);
  const short = longerSide(run) < CLOSE_BELOW * longerSide(whole);
  const box =
    short && !UNDIVIDED.has(drawing.view)
      ? windowOn(run, whole, longerSide(whole) * CLOSE_PART)
      : whole;
  const size = longerSide(box);
  return { size, viewBox: viewBoxOf(box, size * 0.05) };
}

function viewBoxOf([left, right, bottom, top]: Box, margin: number): string {
  const box = [left - margin, -top - margin, right - left + 2 * margin, top - bottom + 2 * margin];
  return box.map(Math.round).join(' ');
}

/** Views that are always shown whole, even for a short run. */
const UNDIVIDED: ReadonlySet<ViewName> = new Set<ViewName>(['footSide', 'handFist']);
/** A run shorter than this share of the view is enlarged. */
const CLOSE_BELOW = 0.28;
/** The share of the view that an enlargement shows. */
const CLOSE_PART = 0.5;

function boxOf(points: readonly Point[]): Box {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
}

const cornersOf = ([left, right, bottom, top]: Box): readonly Point[] => [
  { x: left, y: bottom },
  { x: right, y: top },
];

function longerSide([left, right, bottom, top]: Box): number {
  return Math.max(right - left, top - bottom);
}

/** A square of the given side around the middle of a box. It is moved and cut to fit into another box. */
function windowOn(middle: Box, whole: Box, side: number): Box {
  const [left, right] = stretch(middle[0], middle[1], whole[0], whole[1], side);
  const [bottom, top] = stretch(middle[2], middle[3], whole[2], whole[3], side);
  return [left, right, bottom, top];
}

function stretch(from: number, to: number, least: number, most: number, side: number) {
  const length = Math.min(side, most - least);
  const start = clamp((from + to - length) / 2, least, most - length);
  return [start, start + length] as const;
}

/** SVG path of a smooth open curve through the points. */
function openCurve(points: readonly Point[]): string {
  const curve = line<Point>(
    ({ x }) => x,
    ({ y }) => -y,
  ).curve(curveCardinal);
  return curve.digits(1)([...points]) ?? '';
}

function runMarks(run: Run, ends: RunEnds, size: number): readonly Mark[] {
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
  // The arrows of a short run point inwards from outside, as in engineering drawings.
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

/** A girth seen from slightly above. The near half is a line, and the far half is marked as hidden. */
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

/** Arrow head at a. It points away from b if it fits inside the run, otherwise towards b. */
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

/** Distance between lines that would otherwise coincide, as a share of the drawing. */
const APART = 0.035;

/** The figure of those measurements that a drawing shows. The number of a measurement is its place in the list, from 1. */
export function numberedFigure(
  drawing: Drawing,
  names: readonly MeasurementName[],
): NumberedFigure {
  const [left, right] = drawing.shown;
  const size = longerSide(drawing.shown);
  const apart = size * APART;
  const radiusMm = size * 0.021;
  const taken = new Map<string, number>();
  const placed: Point[] = [];
  const reached = [...cornersOf(drawing.shown)];
  const marks: Mark[] = [];
  const numbers = names.flatMap((name, index) => {
    if (RUNS[name].view !== drawing.view) return [];
    const run = runIn(drawing, name);
    const ends = runEnds(drawing, run);
    const [a, b] = ends.drawn;
    // Lines at the same place are moved outwards, each farther than the one before.
    const isVertical = run.along === 'vertical';
    const isStraight = isVertical || run.along === 'horizontal';
    const place = isVertical ? a.x : a.y;
    const key = isStraight ? `${run.along} ${Math.round(place / apart)}` : name;
    const before = taken.get(key) ?? 0;
    taken.set(key, before + 1);
    const isDown = run.at === 'below' || (isVertical && place < (left + right) / 2);
    const away = before * apart * (isDown ? -1 : 1);
    const shown = isStraight ? runEnds(drawing, run, away) : ends;
    marks.push(...runMarks(run, shown, size * 0.6));
    const [from, to] = shown.drawn;
    // The number is placed on the line. Numbers of neighbouring lines are at different heights.
    const at = freePlace(from, to, 0.5 + ((before % 5) - 2) * 0.07, placed, 2 * radiusMm);
    placed.push(at);
    reached.push(from, to, a, b, at);
    return [{ number: index + 1, at }];
  });
  return { viewBox: viewBoxOf(boxOf(reached), size * 0.04), marks, numbers, radiusMm };
}

/** Positions that are tried for a number on its line: distances from the first position, as shares of the line. */
const MOVES = [0, 0.07, -0.07, 0.14, -0.14, 0.21, -0.21, 0.28, -0.28, 0.35, -0.35];
/** Minimum distance between two numbers, as a factor of the distance at which they touch. */
const ROOM = 1.1;

/**
 * Finds the place for a number on a line that is nearest to a share of its length and touches no other number. If there
 * is no such place, returns the place that is farthest from the others.
 *
 * @param touchMm distance at which two numbers touch
 */
function freePlace(
  from: Point,
  to: Point,
  share: number,
  others: readonly Point[],
  touchMm: number,
): Point {
  const places = MOVES.map((move) => {
    const part = clamp(share + move, 0.05, 0.95);
    return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
  });
  const gaps = places.map((place) => Math.min(...others.map((other) => apart(place, other))));
  const free = gaps.findIndex((gap) => gap >= ROOM * touchMm);
  return places[free === -1 ? gaps.indexOf(Math.max(...gaps)) : free] as Point;
}
