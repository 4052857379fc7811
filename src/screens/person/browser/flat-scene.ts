import { cross, dot, minus, sum, unit, type Vector } from '../../../body/vectors.js';
import type { PersonData } from '../data-types.js';
import type { Eye } from './eye.js';
import {
  bytesOf,
  eyePlace,
  FIELD_DEGREES,
  FIRST_FRAME,
  frameOf,
  GRID_MM,
  moveLabels,
  positionsOf,
  radians,
  SEAT_MM,
  seatPlace,
} from './frame.js';
import {
  HIDDEN_OPACITY,
  LINE_PX,
  type PersonScene,
  STILL_PIXEL_RATIO,
  STILL_PX,
  type SurfaceData,
} from './scene-types.js';

// Draws the person in browsers without WebGL. Triangles are painted over each other, the farthest first.

/** Number of shades of a material, from the darkest to the lightest. */
const SHADES = 32;
const DARKEST = 0.45;
/** Height of the lamp above the eye, mm. */
const LAMP_ABOVE_MM = 900;
/** Distance by which lines are nearer to the eye than the skin below them, mm. */
const LINE_NEARER_MM = 25;
const COLOURS = ['skin', 'suit', 'eyes', 'iris', 'line', 'seat', 'grid'] as const;

type Segment = readonly [Vector, Vector];
/** Distances to the right and down in px, and the distance from the eye in mm. */
type Seen = readonly [x: number, y: number, far: number];
/** A line or a triangle, with its distance from the eye. */
interface Painted {
  readonly far: number;
  paint(): void;
}

/** @throws Error if the browser gives no canvas */
export function createScene(canvas: HTMLCanvasElement, surface: SurfaceData): PersonScene {
  if (canvas.getContext('2d') === null) throw new Error('this browser draws on no canvas');
  const triangles = new Uint16Array(bytesOf(surface.triangles).buffer);
  const materialOf = surface.materials.flatMap(({ name, triangles: count }) =>
    new Array<string>(count).fill(name),
  );
  let colours: Readonly<Record<string, string>> = {};
  let shades: Readonly<Record<string, readonly string[]>> = {};
  let vertices: readonly Vector[] = [];
  let normals: readonly Vector[] = [];
  let frame = FIRST_FRAME;
  let lines: readonly Segment[] = [];
  let seat: readonly Segment[] = [];
  let places: ReadonlyMap<string, Vector> = new Map();
  const grid = gridLines();

  const recolour = (): void => {
    const style = getComputedStyle(canvas);
    const own = COLOURS.map((name) => [name, style.getPropertyValue(`--person-${name}`).trim()]);
    colours = Object.fromEntries(own);
    shades = Object.fromEntries(own.map(([name, colour = '']) => [name, shadesOf(colour)]));
  };
  recolour();

  const paint = (
    target: HTMLCanvasElement,
    eye: Eye,
    labels: HTMLElement | null,
    { width, height, pixelRatio }: Readonly<Record<'width' | 'height' | 'pixelRatio', number>>,
  ): void => {
    target.width = Math.round(width * pixelRatio);
    target.height = Math.round(height * pixelRatio);
    const context = target.getContext('2d');
    if (context === null) return;
    context.scale(pixelRatio, pixelRatio);
    context.lineCap = 'round';
    context.lineJoin = 'round';
    const from = eyePlace(frame, eye, width / height);
    const see = cameraOf(from, frame.centre, { width, height });
    const stroke = ([one, other]: Segment, colour: string, px: number): void => {
      const [a, b] = [see(one), see(other)];
      context.beginPath();
      context.moveTo(a[0], a[1]);
      context.lineTo(b[0], b[1]);
      context.strokeStyle = colour;
      context.lineWidth = px;
      context.stroke();
    };
    for (const one of grid) stroke(one, colours.grid ?? '', 1);

    const lamp: Vector = [from[0], from[1] + LAMP_ABOVE_MM, from[2]];
    const toLamp = unit(minus(lamp, frame.centre));
    const seen = vertices.map(see);
    const all: Painted[] = [];
    for (let at = 0; at < triangles.length; at += 3) {
      const corners = [...triangles.subarray(at, at + 3)];
      const [a, b, c] = corners.map((index) => seen[index]) as [Seen, Seen, Seen];
      // Seen from behind.
      if ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]) >= 0) continue;
      const [k, l, m] = corners.map((index) => normals[index]) as [Vector, Vector, Vector];
      const light = Math.max(0, dot(unit(sum(sum(k, l), m)), toLamp));
      const own = shades[materialOf[at / 3] ?? ''] ?? shades.skin;
      const colour = own?.[Math.round(light * (SHADES - 1))] ?? '';
      all.push({
        far: (a[2] + b[2] + c[2]) / 3,
        paint() {
          context.beginPath();
          context.moveTo(a[0], a[1]);
          context.lineTo(b[0], b[1]);
          context.lineTo(c[0], c[1]);
          context.closePath();
          context.fillStyle = colour;
          context.strokeStyle = colour;
          // Hides the seams between triangles.
          context.lineWidth = 0.8;
          context.fill();
          context.stroke();
        },
      });
    }
    const addLines = (segments: readonly Segment[], colour: string, px: number) => {
      for (const one of segments) {
        const far = (see(one[0])[2] + see(one[1])[2]) / 2 - LINE_NEARER_MM;
        all.push({ far, paint: () => stroke(one, colour, px) });
      }
    };
    addLines(seat, colours.seat ?? '', 1);
    addLines(lines, colours.line ?? '', LINE_PX);
    all.sort((one, other) => other.far - one.far);
    for (const one of all) one.paint();
    context.globalAlpha = HIDDEN_OPACITY;
    for (const one of lines) stroke(one, colours.line ?? '', LINE_PX);
    context.globalAlpha = 1;

    const pointOf = (measurement: string) => {
      const place = places.get(measurement);
      if (place === undefined) return undefined;
      const [x, y] = see(place);
      return { x, y };
    };
    moveLabels(labels, pointOf, { width, height });
  };

  return {
    recolour,
    show(data: PersonData, marked) {
      const positions = positionsOf(data.positions ?? '');
      frame = frameOf(positions);
      vertices = Array.from({ length: positions.length / 3 }, (_, index) => {
        const [x = 0, y = 0, z = 0] = positions.subarray(3 * index, 3 * index + 3);
        return [x, y, z];
      });
      normals = normalsOf(vertices, triangles);
      const shown = data.lines.filter(({ measurement }) => marked.has(measurement));
      lines = shown.flatMap((one) => one.lines.flatMap((way) => segmentsOf(way)));
      places = new Map(shown.map(({ measurement, label }) => [measurement, label]));
      const { pose, seatMm } = data;
      seat = pose === 'sitting' && seatMm !== undefined ? boxEdges(seatPlace(seatMm)) : [];
    },
    draw(eye, labels) {
      const { clientWidth: width, clientHeight: height } = canvas;
      if (width === 0 || height === 0) return;
      paint(canvas, eye, labels, { width, height, pixelRatio: Math.min(devicePixelRatio, 2) });
    },
    drawStill(eye, labels, still) {
      paint(still, eye, labels, { ...STILL_PX, pixelRatio: STILL_PIXEL_RATIO });
    },
    dispose() {},
  };
}

/** A camera that looks from `from` to `centre` and maps places to positions in a picture. */
function cameraOf(
  from: Vector,
  centre: Vector,
  { width, height }: { readonly width: number; readonly height: number },
): (place: Vector) => Seen {
  const ahead = unit(minus(centre, from));
  const right = unit(cross(ahead, [0, 1, 0]));
  const up = cross(right, ahead);
  const pxOfSlope = height / 2 / Math.tan(radians(FIELD_DEGREES / 2));
  return (place) => {
    const way = minus(place, from);
    const far = dot(way, ahead);
    const scale = pxOfSlope / Math.max(far, 1);
    return [width / 2 + dot(way, right) * scale, height / 2 - dot(way, up) * scale, far];
  };
}

/** Normals of the surface at its vertices. With them, neighbouring triangles have similar shades. */
function normalsOf(vertices: readonly Vector[], triangles: Uint16Array): readonly Vector[] {
  const normals: Vector[] = vertices.map(() => [0, 0, 0]);
  for (let at = 0; at < triangles.length; at += 3) {
    const corners = [...triangles.subarray(at, at + 3)];
    const [p, q, r] = corners.map((index) => vertices[index]) as [Vector, Vector, Vector];
    const out = cross(minus(q, p), minus(r, p));
    for (const index of corners) normals[index] = sum(normals[index] as Vector, out);
  }
  return normals;
}

/** The shades of a colour such as `#d9cfc2`, from the darkest to the lightest. */
function shadesOf(colour: string): readonly string[] {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return Array.from({ length: SHADES }, (_, step) => {
    const light = DARKEST + ((1 - DARKEST) * step) / (SHADES - 1);
    return `rgb(${parts.map((part) => Math.round(part * light)).join(' ')})`;
  });
}

function gridLines(): readonly Segment[] {
  const half = GRID_MM.size / 2;
  const steps = Array.from({ length: GRID_MM.size / GRID_MM.step + 1 }, (_, i) => i * GRID_MM.step);
  return steps.flatMap((step): Segment[] => {
    const at = step - half;
    return [
      [
        [at, 0, -half],
        [at, 0, half],
      ],
      [
        [-half, 0, at],
        [half, 0, at],
      ],
    ];
  });
}

function boxEdges([x, y, z]: Vector): readonly Segment[] {
  const [w, h, d] = [SEAT_MM.width / 2, SEAT_MM.thick / 2, SEAT_MM.depth / 2];
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
    (bits): Vector => [x + (bits & 1 ? w : -w), y + (bits & 2 ? h : -h), z + (bits & 4 ? d : -d)],
  );
  return corners.flatMap((corner, bits) =>
    [1, 2, 4].flatMap((bit): Segment[] =>
      bits & bit ? [] : [[corner, corners[bits | bit] as Vector]],
    ),
  );
}

function segmentsOf(way: readonly Vector[]): readonly Segment[] {
  return way.slice(1).map((point, index) => [way[index] ?? point, point]);
}
