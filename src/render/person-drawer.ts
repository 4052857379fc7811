import {
  BODY_AGES,
  type BodyBuilder,
  type BodyPerson,
  type FittedPerson,
  REACH_MM,
} from '../body/body.js';
import { DIMENSIONS, type Dimension } from '../body/dimensions.js';
import { type OneArm, vectorAt } from '../body/skeleton.js';
import { dot, length, minus, sum, times, unit, type Vector } from '../body/vectors.js';
import type { RegionId } from '../core/body-regions.js';
import { BoundedMap } from '../core/bounded-map.js';
import type { Gender } from '../core/genders.js';
import { type Camera, type Projected, project, projectPoint } from './camera.js';
import { type DepthMap, type Window, windowOf } from './depth-map.js';
import { type Drawn, drawBody, type Seen } from './draw-body.js';
import type { Drawing, DrawnPerson, Point, ViewName } from './drawing.js';
import { outlinesOf } from './outline.js';
import { PartEdges, Probe } from './probe.js';
import { partsOf } from './surface.js';
import { rounder } from './tessellate.js';
import { VIEWS, type ViewSpec } from './views.js';

/** A person to draw: predicted dimensions, nude or dressed, in mm. */
export interface PersonToDraw {
  readonly gender: Gender;
  readonly ageYears: number;
  readonly valuesMm: Readonly<Record<string, number>>;
  readonly massKg?: number | undefined;
}

/** Number of fitted people that are kept. Each takes about 3 MB. */
const KEPT = 2;
/** Margin around the visible part of a view, as a share of it. The margin hides the cut through the body. */
const BEYOND = 0.12;

/** Draws people from their fitted bodies. It has no side effects, except that it keeps the last bodies. */
export class PersonDrawer {
  private readonly edges: PartEdges;
  private readonly partOf: Uint8Array;
  private readonly triangles = new Map<string, Uint16Array>();
  private readonly fitted = new BoundedMap<string, FittedPerson>(KEPT);

  constructor(private readonly builder: BodyBuilder) {
    this.edges = new PartEdges(builder.views, builder.skeleton);
    this.partOf = partsOf(builder.views, builder.skeleton);
  }

  /** Draws a person in some views. If no body has the person's dimensions, the nearest body is drawn. */
  draw(person: PersonToDraw, views: readonly ViewName[]): DrawnPerson {
    const { valuesMm } = person;
    const years = Math.floor(person.ageYears);
    const bodyAge = Math.min(Math.max(years, BODY_AGES.minimum), BODY_AGES.maximum);
    const fitted = this.fit(person, bodyAge);
    const achievedMm = Object.fromEntries(
      fitted.report.readings.map(({ measurement, achievedMm: mm }) => [measurement, tenth(mm)]),
    );
    return {
      drawings: this.drawings(fitted, views, valuesMm),
      achievedMm,
      ...(bodyAge === years ? {} : { bodyAgeYears: bodyAge }),
      isNearest: fitted.report.worstMm > REACH_MM,
    };
  }

  /**
   * Drawings of a fitted body.
   *
   * @param valuesMm the dimensions that determine seat, table and the like
   */
  drawings(
    fitted: FittedPerson,
    views: readonly ViewName[],
    valuesMm: Readonly<Record<string, number>>,
  ): readonly Drawing[] {
    return views.map((name) => this.drawing(fitted, name, valuesMm));
  }

  /** Returns the body of a person. The same person again gets the same object. */
  fit({ gender, valuesMm, massKg }: PersonToDraw, ageYears: number): FittedPerson {
    const dimensions = new Map<Dimension, number>();
    for (const name of Object.keys(DIMENSIONS) as Dimension[]) {
      const value = valuesMm[name];
      if (value !== undefined) dimensions.set(name, value);
    }
    const person: BodyPerson = { gender, ageYears, dimensions, massKg };
    const key = JSON.stringify([gender, ageYears, massKg, [...dimensions]]);
    const fitted = this.fitted.get(key) ?? this.builder.fit(person);
    this.fitted.set(key, fitted);
    return fitted;
  }

  private trianglesOf(bones: RegExp | undefined): Uint16Array {
    const { views, skeleton } = this.builder;
    if (bones === undefined) return views.triangles;
    let own = this.triangles.get(bones.source);
    if (own === undefined) {
      const matches = skeleton.names.map((name) => bones.test(name));
      const isIn = (vertex: number) => matches[views.skinBone[4 * vertex]] === true;
      own = views.triangles.filter((_, i, all) => {
        const t = i - (i % 3);
        return [0, 1, 2].every((k) => isIn(all[t + k]));
      });
      this.triangles.set(bones.source, own);
    }
    return own;
  }

  private drawing(
    fitted: FittedPerson,
    name: ViewName,
    valuesMm: Readonly<Record<string, number>>,
  ): Drawing {
    const spec = VIEWS[name];
    const { views, skeleton } = this.builder;
    const arm = this.raised(fitted, spec, valuesMm);
    const posed = this.builder.posedBody(fitted, spec.pose, arm);
    const { vertices, heads } = placed(posed.vertices, posed.heads, skeleton.bone('pelvis'));
    const probe = new Probe(views, skeleton, this.edges, vertices, heads);
    const stature = fitted.fit.readings.get('Stature')?.value ?? 1700;
    const places = spec.places(probe, valuesMm, stature);
    const camera = spec.camera(probe);
    const origin = projectPoint(spec.origin?.(places) ?? [0, 0, 0], camera);
    const { upTo } = spec;
    const reading = upTo && fitted.fit.readings.get(upTo.measurement)?.value;
    const end = upTo && projectPoint(places[upTo.place], camera).y - origin.y;
    const scale = reading === undefined || end === undefined ? 1 : reading / end;
    const landmarks: Record<string, Point> = {};
    for (const [place, point] of Object.entries(places)) {
      const { x, y } = projectPoint(point, camera);
      landmarks[place] = { x: tenth(x - origin.x), y: tenth(scale * (y - origin.y)) };
    }
    const triangles = this.trianglesOf(spec.bones);
    const points = moved(vertices, camera, origin, scale);
    const view = project(points, camera);
    const window = windowOf(view, triangles);
    const whole = [window.left, window.right, window.bottom, window.top] as const;
    const extent = [...whole] as unknown as Drawing['extent'];
    const wanted = spec.shown?.(landmarks, extent) ?? extent;
    const beyond = BEYOND * (wanted[3] - wanted[2]);
    const part = {
      left: Math.max(window.left, wanted[0] - beyond),
      right: Math.min(window.right, wanted[1] + beyond),
      bottom: Math.max(window.bottom, wanted[2] - beyond),
      top: Math.min(window.top, wanted[3] + beyond),
    };
    const inWindow = spec.fineness.rounds === 0 ? triangles : trianglesIn(part, view, triangles);
    let drawn: Drawn = { points, triangles: inWindow, partOf: this.partOf };
    for (let round = 0; round < spec.fineness.rounds; round++) drawn = rounder(drawn);
    const seen = drawBody(drawn, camera, spec.fineness, part, {
      bothSides: spec.bothSides,
      withShade: WHOLE_PEOPLE.has(name),
    });
    const filled = filledBox(seen.map);
    const shown = wanted.map((mm, k) =>
      spec.shown === undefined ? mm : (k % 2 === 0 ? Math.max : Math.min)(mm, filled[k]),
    ) as unknown as Drawing['shown'];
    const props = spec.props?.(landmarks, shown, valuesMm) ?? [];
    return {
      view: name,
      title: spec.title,
      extent: extent.map(tenth) as unknown as Drawing['extent'],
      shown: shown.map(tenth) as unknown as Drawing['shown'],
      outline: seen.lines.outline,
      creases: seen.lines.creases,
      props: props.map(straight).join(''),
      landmarks,
      ...(WHOLE_PEOPLE.has(name)
        ? { shade: seen.lines.shade, regions: this.regionsOf(seen, triangles) }
        : {}),
    };
  }

  /**
   * The pose of the arm in a view. If the arm reaches up, its shoulder is raised as far as the reach requires and the
   * body allows.
   */
  private raised(
    fitted: FittedPerson,
    { pose, arm, raisedTo }: ViewSpec,
    valuesMm: Readonly<Record<string, number>>,
  ): OneArm | undefined {
    const asked = raisedTo && valuesMm[raisedTo.measurement];
    if (arm === undefined || raisedTo === undefined || asked === undefined) return arm;
    const { views, skeleton } = this.builder;
    const { vertices, heads } = this.builder.posedBody(fitted, pose);
    const joint = (name: string) => vectorAt(heads, skeleton.bone(`${name}_${arm.side}`));
    const shoulder = joint('upperarm');
    const [elbow, wrist, knuckle] = [joint('lowerarm'), joint('hand'), joint('middle_01')];
    const apart = (a: Vector, b: Vector): number => length(minus(a, b));
    const { upper, fore } = arm.pose;
    const reach =
      apart(shoulder, elbow) * unit(upper)[1] +
      (apart(elbow, wrist) + apart(wrist, knuckle)) * unit(fore)[1];
    const seat = views.header.landmarks[`popliteal_${arm.side}`];
    const from = raisedTo.from === 'seat' ? vectorAt(vertices, seat)[1] : lowestOf(vertices);
    const raiseMm = Math.max(0, asked - (shoulder[1] + reach - from));
    return { ...arm, pose: { ...arm.pose, raiseMm } };
  }

  private regionsOf({ map }: Seen, triangles: Uint16Array): { region: RegionId; d: string }[] {
    const width = Math.ceil(map.width / REGION_PX);
    const height = Math.ceil(map.height / REGION_PX);
    const regions = new Int8Array(width * height).fill(-1);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const triangle = map.triangle[REGION_PX * (y * map.width + x)];
        if (triangle < 0) continue;
        const part = this.partOf[triangles[3 * triangle]];
        regions[y * width + x] = REGION_OF_PART[part];
      }
    }
    // The shift puts the centre of each coarse pixel on the pixel that was looked up for it.
    const aside = ((1 - REGION_PX) * map.pixelMm) / 2;
    const coarse = {
      width,
      height,
      pixelMm: REGION_PX * map.pixelMm,
      left: map.left + aside,
      bottom: map.bottom + aside,
    };
    const inside = new Uint8Array(regions.length);
    return REGIONS.map(({ region }, number) => {
      for (let i = 0; i < inside.length; i++) inside[i] = regions[i] === number ? 1 : 0;
      const d = outlinesOf(coarse, inside, 300)
        .map((line) => `${straight(simplified(line, 3))}Z`)
        .join('');
      return { region, d };
    }).filter(({ d }) => d !== '');
  }
}

/** Width of a coarse pixel, used for clickable regions, in pixels of the view. */
const REGION_PX = 2;

/** Views of whole people. They have shade and clickable regions. */
const WHOLE_PEOPLE: ReadonlySet<ViewName> = new Set<ViewName>([
  'standingFront',
  'standingSide',
  'sittingFront',
  'sittingSide',
]);

/** The regions of the body, each with the numbers of its parts from `partsOf`. */
const REGIONS: readonly { readonly region: RegionId; readonly parts: readonly number[] }[] = [
  { region: 'head', parts: [1] },
  { region: 'trunk', parts: [0] },
  { region: 'arm', parts: [2, 3] },
  { region: 'hand', parts: [4, 5] },
  { region: 'leg', parts: [6, 7] },
  { region: 'foot', parts: [8, 9] },
];

/** The place in `REGIONS` of each part. */
const REGION_OF_PART = Int8Array.from({ length: 10 }, (_, part) =>
  REGIONS.findIndex(({ parts }) => parts.includes(part)),
);

const tenth = (mm: number): number => Math.round(mm * 10) / 10 + 0;

/** The triangles that overlap a part of a view. */
function trianglesIn(
  { left, right, bottom, top }: Window,
  view: Projected,
  triangles: Uint16Array,
): Uint16Array {
  const isIn = (vertex: number): boolean => {
    const x = view.right[vertex];
    const y = view.up[vertex];
    return x >= left && x <= right && y >= bottom && y <= top;
  };
  const own = new Uint16Array(triangles.length);
  let length = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t];
    const b = triangles[t + 1];
    const c = triangles[t + 2];
    if (!isIn(a) && !isIn(b) && !isIn(c)) continue;
    own[length++] = a;
    own[length++] = b;
    own[length++] = c;
  }
  return own.subarray(0, length);
}

/** Left, right, bottom and top of the visible surface, mm. */
function filledBox({ triangle, width, height, pixelMm, left, bottom }: DepthMap): number[] {
  let [from, to, low, high] = [width, 0, height, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (triangle[y * width + x] < 0) continue;
      if (x < from) from = x;
      if (x > to) to = x;
      if (y < low) low = y;
      if (y > high) high = y;
    }
  }
  return [
    left + from * pixelMm,
    left + (to + 1) * pixelMm,
    bottom + low * pixelMm,
    bottom + (high + 1) * pixelMm,
  ];
}

function lowestOf(vertices: Float64Array): number {
  let lowest = Infinity;
  for (let i = 1; i < vertices.length; i += 3) lowest = Math.min(lowest, vertices[i]);
  return lowest;
}

/** Moves a posed body so that its lowest point is on the floor and its pelvis above the origin. */
function placed(vertices: Float64Array, heads: Float64Array, pelvis: number) {
  const floor = lowestOf(vertices);
  const [x, , z] = vectorAt(heads, pelvis);
  const shift = (values: Float64Array): Float64Array => {
    const result = values.slice();
    for (let i = 0; i < result.length; i += 3) {
      result[i] -= x;
      result[i + 1] -= floor;
      result[i + 2] -= z;
    }
    return result;
  };
  return { vertices: shift(vertices), heads: shift(heads) };
}

/** Moves points so that an origin, given in the view, is at 0, then stretches them upwards. */
function moved(points: Float64Array, camera: Camera, { x, y }: Point, scale: number): Float64Array {
  if (x === 0 && y === 0 && scale === 1) return points;
  const shift = sum(times(camera.right, x), times(camera.up, y));
  const result = points.map((value, i) => value - shift[i % 3]);
  const { up } = camera;
  for (let i = 0; i < result.length; i += 3) {
    const more = (scale - 1) * dot(up, vectorAt(result, i / 3));
    for (let k = 0; k < 3; k++) {
      result[i + k] += more * up[k];
    }
  }
  return result;
}

/** Straight lines as a path, whole mm. */
function straight(line: readonly Point[]): string {
  return `M${line.map(({ x, y }) => `${Math.round(x)} ${Math.round(-y) + 0}`).join('L')}`;
}

/**
 * Removes points from a closed line. No removed point is farther than `farMm` from the result (Douglas and Peucker
 * 1973).
 */
function simplified(line: Float64Array, farMm: number): Point[] {
  const points = Array.from({ length: line.length / 2 }, (_, i) => ({
    x: line[2 * i],
    y: line[2 * i + 1],
  }));
  const kept = new Set<number>([0, points.length >> 1, points.length - 1]);
  const split = (from: number, to: number): void => {
    const [a, b] = [points[from] as Point, points[to] as Point];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const size = Math.hypot(dx, dy) || 1;
    let [worst, most] = [-1, farMm];
    for (let i = from + 1; i < to; i++) {
      const { x, y } = points[i] as Point;
      const far = Math.abs((x - a.x) * dy - (y - a.y) * dx) / size;
      if (far > most) [worst, most] = [i, far];
    }
    if (worst < 0) return;
    kept.add(worst);
    split(from, worst);
    split(worst, to);
  };
  split(0, points.length >> 1);
  split(points.length >> 1, points.length - 1);
  return points.filter((_, i) => kept.has(i));
}
