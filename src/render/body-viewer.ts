import {
  BODY_AGES,
  type BodyBuilder,
  type BodyPerson,
  type FittedPerson,
  REACH_MM,
} from '../body/body.js';
import { BODY_DIMENSIONS, type BodyDimension } from '../body/dimensions.js';
import { hangingArms, restingArms } from '../body/hanging-arms.js';
import { agesAround } from '../body/shape.js';
import { ARM_POSES, type ArmPose, type OneArm, vectorAt } from '../body/skeleton.js';
import { bodyInStance, type Stance } from '../body/stance.js';
import { dot, sum, times } from '../body/vectors.js';
import { vertexNormals } from '../body/volume.js';
import type { RegionId } from '../core/body-regions.js';
import { BoundedMap } from '../core/bounded-map.js';
import { GENDERS, type Gender } from '../core/genders.js';
import { type OpennessPose, opennessStart, type ShapeViews } from '../lookup/shape-file.js';
import { type Camera, project, projectPoint } from './camera.js';
import { boxOf } from './depth-map.js';
import {
  type Box,
  LYING_UNTIL_YEARS,
  type Point,
  type RegionPath,
  straightLine,
  tenth,
} from './drawing.js';
import { featuresOf } from './features.js';
import { Finer } from './finer.js';
import { type Drawing, frameOf, type ViewName } from './frames.js';
import { closedLines, type Fineness, filledPixels, SILHOUETTE } from './outline.js';
import { extremeOf, Probe } from './probe.js';
import { lowered, RELAXED_SHARE, stoopOf } from './relaxed.js';
import { boundedMapOf, type Colour, type Pixels, renderSurface } from './render-surface.js';
import { type LyingSpec, type ViewSpec, viewOf } from './views.js';

/** A person to draw: predicted dimensions, nude or dressed, in mm. */
export interface PersonToDraw {
  readonly gender: Gender;
  readonly ageYears: number;
  readonly valuesMm: Readonly<Record<string, number>>;
  readonly massKg?: number | undefined;
}

/** Views whose bodies can be at ease. */
const AT_EASE: ReadonlySet<ViewName> = new Set<ViewName>([
  ...(['standingFront', 'standingSide', 'standingThreeQuarter'] as const),
  ...(['relaxedFront', 'relaxedSide'] as const),
  ...(['sittingFront', 'sittingSide'] as const),
]);

/** Arms of pictures hang as close to the body as its `WholeBodyBreadthMax` asks, with elbows bent by 12°. */
const BESIDE = { least: (2 * Math.PI) / 180, ahead: 0.2 } as const;

/**
 * Completed years from which on a picture has these dimensions. No survey has them of younger children. What continues
 * them from adults gives infants a long neck, and small children a waist as flat and broad as no other of their girths.
 */
const FROM_YEARS: Readonly<Partial<Record<BodyDimension, number>>> = {
  ...{ C7HeightStanding: LYING_UNTIL_YEARS, ShoulderHeight: LYING_UNTIL_YEARS },
  WaistDepthStanding: 6,
};

/** Least openness of people who lie. That of the shape is of arms and hands that hang. */
const LYING_OPENNESS = 170;

/** Number of fitted people that are kept. Each takes about 3 MB. */
const KEPT = 6;

/** Colours of skin and eyes. People have no skin colour of their own, because the data say nothing about it. */
const SKIN: Colour = [206, 204, 202];
const EYES: Colour = [236, 237, 238];

/** Finest step of silhouettes and regions, smoothing, and farthest distance of a removed point, mm. */
const PART_SILHOUETTE = { pixelMm: 0.5, smoothMm: 1, farMm: 0.15, leastMm2: 10 } as const;
const REGION = { pixelMm: 3, smoothMm: 0, farMm: 3, leastMm2: 300 } as const;

/** What is kept of a fitted person. */
export type ShapeOf = Pick<FittedPerson, 'fit'>;

/** A fitted body in a view or in a stance. */
export interface Seen {
  readonly camera: Camera;
  /** x, y, z of the vertices; the view's origin is at 0. */
  readonly points: Float64Array;
  readonly part: Part;
  readonly fitted: FittedPerson;
  /** The visible part, mm, and how fine its silhouette is. */
  readonly shown: Box;
  readonly fine: Fineness;
  /** The openness of the pose. Arms that are away leave no dark place on the hips; sitting people have none there. */
  readonly openness: Uint8Array;
}

/** A fitted body in a view. */
export interface SeenBody extends Seen {
  readonly drawing: Drawing;
}

type PartSpec = Pick<ViewSpec, 'bones' | 'bothSides'>;

/** The part of the body that a view shows. All people have the same. */
interface Part {
  readonly triangles: Uint16Array;
  readonly finer: Finer;
  /** Material of each triangle. */
  readonly materialOf: Uint8Array;
  /** x, y, z of the vertices of the fine surface on the base mesh. */
  readonly base: Float32Array;
}

/** Shows people as their fitted bodies. It has no side effects, except that it keeps the last bodies. */
export class BodyViewer {
  /** Material of each triangle: skin, suit, eyes, iris. */
  private readonly materialOf: Uint8Array;
  private readonly fitted = new BoundedMap<string, FittedPerson>(KEPT);
  /** What was seen last. A page asks for the pixels of a picture and then for its places. */
  private last: { readonly asked: readonly unknown[]; readonly seen: SeenBody } | undefined;

  constructor(private readonly builder: BodyBuilder) {
    const { materials } = builder.views.header;
    this.materialOf = Uint8Array.from(
      materials.flatMap(({ triangles }, material) => new Array<number>(triangles).fill(material)),
    );
  }

  /**
   * Returns the body of a person. The same person again gets the same object.
   *
   * @param through gets a person that is not known here, by a text that describes the person, or calls `make`
   */
  fit(
    { gender, valuesMm, massKg, ageYears }: PersonToDraw,
    through = (_: string, make: () => ShapeOf) => make(),
  ): FittedPerson {
    const dimensions = new Map<BodyDimension, number>();
    for (const name of BODY_DIMENSIONS) {
      const value = valuesMm[name];
      if (value !== undefined && ageYears >= (FROM_YEARS[name] ?? 0)) dimensions.set(name, value);
    }
    const person: BodyPerson = { gender, ageYears: bodyAgeYears(ageYears), dimensions, massKg };
    const key = JSON.stringify([gender, person.ageYears, massKg, [...dimensions]]);
    const fitted = this.fitted.get(key) ?? this.fitThrough(key, person, through);
    this.fitted.set(key, fitted);
    return fitted;
  }

  private fitThrough(
    key: string,
    person: BodyPerson,
    through: (_: string, make: () => ShapeOf) => ShapeOf,
  ): FittedPerson {
    let own: FittedPerson | undefined;
    const { fit } = through(key, () => {
      own = this.builder.fit(person);
      return { fit: own.fit };
    });
    return own ?? this.builder.fitted(person, fit);
  }

  /**
   * A person's body in a view. If no body has the person's dimensions, it is the nearest body.
   *
   * @param hangs whether the body is at ease: arms hang beside the flank or rest on the thighs, and a lying baby bends
   *   its legs. Otherwise lines of measurements have the length that the tape finds
   */
  see(...asked: Parameters<BodyViewer['look']>): SeenBody {
    const { last } = this;
    if (last?.asked.every((one, i) => one === asked[i]) && last.asked.length === asked.length)
      return last.seen;
    const seen = this.look(...asked);
    this.last = { asked, seen };
    return seen;
  }

  private look(person: PersonToDraw, name: ViewName, hangs = false): SeenBody {
    const { valuesMm } = person;
    const fitted = this.fit(person);
    const spec = viewOf(name, person.ageYears, hangs);
    const { views, skeleton } = this.builder;
    const isAtEase = hangs && AT_EASE.has(name);
    const atEase = spec.pose === 'sitting' ? 'lying_curled' : 'lying';
    const pose = isAtEase && spec.lying ? atEase : spec.pose;
    const stature = fitted.fit.readings.get('Stature')?.value ?? 1700;
    const ease = () => this.armsAtEase(fitted, spec, valuesMm.WholeBodyBreadthMax);
    const arm: OneArm | undefined = isAtEase
      ? { side: 'both', pose: { ...ease(), fingers: 'near' } }
      : this.raised(fitted, spec, valuesMm);
    const isRelaxed = spec.isRelaxed === true && spec.lying === undefined;
    const stoop = isRelaxed ? stoopOf(person.ageYears) : undefined;
    const erect = this.builder.posedBody(fitted, pose, arm, stoop);
    const posed = isRelaxed
      ? lowered(skeleton, erect, views.header.landmarks, (1 - RELAXED_SHARE) * stature)
      : erect;
    // The crown of a lying baby is at its length, though its legs are bent.
    const floor = pose === 'lying' ? extremeOf(posed.vertices, 1) - stature : undefined;
    const probe = new Probe(views, skeleton, posed, floor);
    const places = spec.places(probe, valuesMm, stature);
    const camera = spec.camera(probe);
    const origin = projectPoint(spec.origin?.(places, probe) ?? [0, 0, 0], camera);
    const { upTo } = spec;
    const reading = upTo && fitted.fit.readings.get(upTo.measurement)?.value;
    const end = upTo && projectPoint(places[upTo.place], camera).y - origin.y;
    const scale = reading === undefined || end === undefined ? 1 : reading / end;
    const landmarks: Record<string, Point> = {};
    for (const [place, point] of Object.entries(places)) {
      const { x, y } = projectPoint(point, camera);
      landmarks[place] = { x: tenth(x - origin.x), y: tenth(scale * (y - origin.y)) };
    }
    const part = this.partOf(spec);
    const { triangles } = part;
    const points = moved(probe.vertices, camera, origin, scale);
    const tenths = (box: Box): Box => box.map(tenth) as unknown as Box;
    const extent = tenths(boxOf(project(points, camera), triangles));
    const isPart = /^(head|hand|foot)/.test(name);
    const shown = isPart ? tenths(common(extent, frameOf(name, person))) : extent;
    const props = spec.props?.(landmarks, shown, valuesMm) ?? [];
    const drawing: Drawing = {
      ...{ view: name, title: spec.title, lying: spec.lying, extent, shown, landmarks },
      props: props.map((one) => straightLine(...one)).join(''),
    };
    const isAway =
      spec.arm !== undefined || spec.lying !== undefined || /^(span|akimbo)$/.test(spec.pose);
    const open = this.openness(fitted, name.startsWith('sitting') ? 'sitting' : 'standing', isAway);
    const openness = spec.lying ? open.map((one) => Math.max(one, LYING_OPENNESS)) : open;
    const fine = isPart ? PART_SILHOUETTE : SILHOUETTE;
    return { drawing, camera, points, part, fitted, shown, fine, openness };
  }

  /**
   * Renders a part of a view.
   *
   * @param frame the part, mm
   * @param suit colour of suit and cap
   */
  pixels(
    { camera, points, part, fitted, openness }: Seen,
    frame: Box,
    pixelMm: number,
    suit: Colour,
  ): Pixels {
    const surface = {
      ...{ points, ...part, openness, colours: [SKIN, suit, EYES, EYES] },
      normals: vertexNormals(points, this.builder.views.triangles),
      features: featuresOf(fitted.person.ageYears, pixelMm),
    };
    return renderSurface(camera, surface, frame, pixelMm);
  }

  /** A person in a stance, whose origin is at 0. */
  inStance(person: PersonToDraw, stance: Stance, camera: Camera, shown: Box): Seen {
    const fitted = this.fit(person);
    const { pose } = stance;
    const points = bodyInStance(this.builder, fitted, { ...stance, rests: true }).vertices;
    const openness = this.openness(fitted, pose, pose === 'standing');
    const part = this.partOf({});
    return { camera, points, part, fitted, shown, fine: SILHOUETTE, openness };
  }

  private openness({ person }: FittedPerson, pose: OpennessPose, isAway: boolean): Uint8Array {
    const own = (of: OpennessPose) =>
      opennessOf(this.builder.views, of, person.gender, person.ageYears);
    if (!isAway) return own(pose);
    const other = own(pose === 'sitting' ? 'standing' : 'sitting');
    return own(pose).map((open, vertex) => Math.max(open, other[vertex]));
  }

  /** The silhouette as an SVG path with y downwards. Hands, heads and feet are cut where the view is cut. */
  silhouette({ camera, points, part, shown, fine }: Seen): string {
    const map = boundedMapOf(project(points, camera), part.triangles, shown, fine.pixelMm);
    return closedPaths(map, filledPixels(map), fine);
  }

  /** The regions of a whole body in a view. */
  regions({ camera, points, part: { triangles }, shown }: Seen): RegionPath[] {
    const map = boundedMapOf(project(points, camera), triangles, shown, REGION.pixelMm);
    const { views, skeleton } = this.builder;
    const { skinBone } = views;
    const ofBone = skeleton.names.map((name) => REGIONS.findIndex(([, bones]) => bones.test(name)));
    const regionOf = new Int8Array(map.triangle.length).fill(-1);
    for (let i = 0; i < regionOf.length; i++) {
      const triangle = map.triangle[i];
      if (triangle >= 0) regionOf[i] = ofBone[skinBone[4 * triangles[3 * triangle]]];
    }
    const inside = new Uint8Array(regionOf.length);
    return REGIONS.map(([region], number) => {
      for (let i = 0; i < inside.length; i++) inside[i] = regionOf[i] === number ? 1 : 0;
      return { region, d: closedPaths(map, inside, REGION) };
    }).filter(({ d }) => d !== '');
  }

  /**
   * Arms at ease: loose, on the thighs, or hanging. With hanging arms the body is about as broad as predicted, or as
   * narrow as it can be.
   */
  private armsAtEase(
    fitted: FittedPerson,
    { pose, lying }: LyingSpec,
    breadthMm?: number,
  ): ArmPose {
    if (lying !== undefined) return ARM_POSES.loose;
    if (pose === 'sitting') return restingArms(this.builder, fitted.sitting.posed);
    return hangingArms(this.builder, fitted.fit.points, { ...BESIDE, breadthMm });
  }

  /** The part of the body that a view shows. */
  private partOf(spec: PartSpec): Part {
    const key = `part of ${spec.bones?.source} ${spec.bothSides}`;
    return this.builder.skeleton.once(key, () => this.findPart(spec));
  }

  private findPart({ bones, bothSides }: PartSpec): Part {
    const { views, skeleton } = this.builder;
    const isShown = skeleton.names.map((name) => bones?.test(name) !== false);
    const corners: number[] = [];
    const materials: number[] = [];
    this.materialOf.forEach((material, t) => {
      const triangle = views.triangles.subarray(3 * t, 3 * t + 3);
      if (!triangle.every((vertex) => isShown[views.skinBone[4 * vertex]])) return;
      corners.push(...triangle);
      materials.push(material);
    });
    const outside = Uint16Array.from(corners);
    const isBoth = bothSides === true;
    const triangles = isBoth ? withInside(outside) : outside;
    const finer = new Finer(triangles, views.header.vertices);
    return {
      ...{ triangles, finer, base: finer.means(views.positions, 3, Float32Array) },
      materialOf: Uint8Array.from(isBoth ? [...materials, ...materials] : materials),
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
    const { vertices, heads } = this.builder.posedBody(fitted, pose, arm);
    const knuckle = vectorAt(heads, skeleton.bone(`middle_01_${arm.side}`));
    const seat = views.header.landmarks[`popliteal_${arm.side}`];
    const from = raisedTo.from === 'seat' ? vectorAt(vertices, seat)[1] : -extremeOf(vertices, -1);
    const raiseMm = Math.max(0, asked - (knuckle[1] - from));
    return { ...arm, pose: { ...arm.pose, raiseMm } };
  }
}

/** Age of the body that shows a person, years. Pictures also show infants, whom files do not hold. */
function bodyAgeYears(ageYears: number): number {
  return Math.min(Math.max(Math.floor(ageYears), 0), BODY_AGES.maximum);
}

/** The dimensions of a fitted body as the tape finds them, mm. */
export function achievedMm({ report }: FittedPerson): Readonly<Record<string, number>> {
  return Object.fromEntries(
    report.readings.map(({ measurement, achievedMm: mm }) => [measurement, tenth(mm)]),
  );
}

/** Whether a fitted body is only the nearest one to what was asked for. */
export const isNearest = ({ report }: FittedPerson): boolean => report.worstMm > REACH_MM;

/** The regions of the body, each with its bones. */
const REGIONS: readonly (readonly [RegionId, RegExp])[] = [
  ['head', /^head$/],
  ['trunk', /^(pelvis|spine|clavicle|neck)/],
  ['arm', /^(upper|lower)arm/],
  ['hand', /^(hand|index|middle|ring|pinky|thumb)/],
  ['leg', /^(thigh|calf)/],
  ['foot', /^(foot|ball)/],
];

/** The openness of a person's vertices, interpolated between the ages of the modes. */
function opennessOf(
  { header, openness }: ShapeViews,
  pose: OpennessPose,
  gender: Gender,
  ageYears: number,
): Uint8Array {
  if (openness.length === 0) return new Uint8Array(header.vertices).fill(255);
  const { agesYears, vertices } = header;
  const [low, high] = agesAround(agesYears, ageYears);
  const start = (age: number) => opennessStart(header, pose, GENDERS.indexOf(gender), age);
  const [a, b] = [start(low.knot), start(high.knot)];
  const mixed = new Uint8Array(vertices);
  for (let i = 0; i < vertices; i++) {
    mixed[i] = low.part * openness[a + i] + high.part * openness[b + i] + 0.5;
  }
  return mixed;
}

/** The part that two boxes have in common. */
function common(one: Box, other: Box): Box {
  return one.map((mm, k) =>
    k % 2 === 0 ? Math.max(mm, other[k]) : Math.min(mm, other[k]),
  ) as unknown as Box;
}

/** Closed paths around pixels. */
function closedPaths(...around: Parameters<typeof closedLines>): string {
  return closedLines(...around)
    .map((line) => `${straightLine(...line)}Z`)
    .join('');
}

/** The triangles, followed by the same triangles seen from inside. */
function withInside(triangles: Uint16Array): Uint16Array {
  const inside = triangles.map((_, i) => triangles[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]);
  return Uint16Array.of(...triangles, ...inside);
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
