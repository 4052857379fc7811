import type { Gender } from '../core/genders.js';
import type { ShapeViews } from '../lookup/shape-file.js';
import { layArms } from './arm-contact.js';
import type { Mesh } from './contact-map.js';
import {
  type BodyDimension,
  DIMENSION_NAMES,
  type Dimension,
  densityOf,
  MISSING,
  SITTING,
} from './dimensions.js';
import { clearEyes, shapeFace } from './face.js';
import { apartAt, hangingArms } from './hanging-arms.js';
import { type Regions, regionsOf } from './regions.js';
import { BodyModel } from './shape.js';
import { Sitter, type Sitting, withArms } from './sitting.js';
import {
  type DrawnPose,
  type OneArm,
  type Pose,
  type Posed,
  type Skeleton,
  vectorAt,
} from './skeleton.js';
import { FOLDS, fair, smoothCrossings } from './smoothing.js';
import { type Fit, Fitter, fitSurfaces } from './solver.js';
import { type Reading, type Readings, Tape } from './tape.js';
import { length, type Vector } from './vectors.js';
import { type Enclosed, enclosedBy, rangeOf, volumeOf } from './volume.js';

/** Amounts of detail: about 13,400 or 4,100 vertices. */
export const DETAILS = ['full', 'light'] as const;
/** An amount of detail. */
export type Detail = (typeof DETAILS)[number];

/** Completed years of age for which a body can be built. */
export const BODY_AGES = { minimum: 1, maximum: 100 } as const;
/** If any dimension has a larger residual than this, the body is refused, mm. */
export const REACH_MM = 25;

/** A plane is level if the upward part of its unit normal is larger. */
const LEVEL = 1 - 1e-9;

/**
 * The waist is smoothed so often, between two heights: shares of the way from the navel to the nipples. Only skin is
 * smoothed of which the trunk has this share.
 */
const WAIST = { rounds: 30, from: 0.1, to: 0.9, share: 0.9 } as const;

/** A body is filled out if its volume differs by more than this share. */
const ENOUGH_VOLUME = 0.0005;
/** The skin moves by at most this to fill a body out, as a share of stature. What lacks then counts in the report. */
const FILLED_MOST = 0.0013;

/** A person to build: nude and erect, lengths in mm. */
export interface BodyPerson {
  readonly gender: Gender;
  readonly ageYears: number;
  readonly dimensions: ReadonlyMap<BodyDimension, number>;
  readonly massKg: number | undefined;
}

/** A dimension as it was asked for, and as the body has it, mm. */
export interface BodyReading {
  readonly measurement: Dimension;
  readonly askedMm: number | undefined;
  readonly achievedMm: number;
  /** Height above the floor at which a girth was measured, mm. If its plane is not level: the mean of the tape. */
  readonly heightMm?: number;
  /** Unit normal of the plane of a girth, if it is not level. */
  readonly normal?: Vector;
  /** The pose in which the dimension was measured, if the body's pose does not have it. */
  readonly pose?: 'standing' | 'sitting';
}

/** What is measured on a body in its pose and detail. */
export interface BodyReport {
  readonly readings: readonly BodyReading[];
  /** Volume inside all closed surfaces of the body, with the eyes, litres. Nothing counts twice. */
  readonly volumeLitres: number;
  /** Share of this volume that the surfaces enclose more than once. */
  readonly overlap: number;
  readonly densityKgPerLitre: number;
  readonly askedKg: number | undefined;
  /** The largest difference of asked and achieved, mm. That of the mass counts as a layer of equal thickness on the skin. */
  readonly worstMm: number;
  /** Angle of the upper arms of the standing body from vertical, radians. */
  readonly armAngle: number;
}

/** A bone of a posed body. */
export interface BodyBone {
  readonly name: string;
  /** Index of the parent; −1 for the first. */
  readonly parent: number;
  /** The point where the bone begins, mm. */
  readonly head: readonly [number, number, number];
}

export { UV_UNITS } from '../lookup/shape-file.js';

/** The triangles of a material. */
export interface BodyMaterial {
  readonly name: string;
  readonly triangles: Uint16Array;
  /** Place in a texture of each corner of the triangles, u to the right and v up, from 0 to `UV_UNITS`. */
  readonly uv: Uint16Array;
}

/**
 * A body as a closed mesh in mm. x points to the left of the body, y up, z forward; the feet are at 0. Each eye is a
 * closed shell of its own.
 */
export interface Body {
  readonly gender: Gender;
  readonly pose: Pose;
  readonly detail: Detail;
  /** x, y, z of each vertex, mm. */
  readonly positions: Float32Array;
  readonly materials: readonly BodyMaterial[];
  readonly bones: readonly BodyBone[];
  /** Four bones of each vertex. Their weights (`skinWeight`) sum to 65,535. */
  readonly skinBone: Uint8Array;
  readonly skinWeight: Uint16Array;
  readonly landmarks: ReadonlyMap<string, readonly [number, number, number]>;
  readonly report: BodyReport;
}

/** A person's shape before it is posed. */
export interface FittedPerson {
  readonly person: BodyPerson;
  readonly fit: Fit;
  readonly sitting: Sitting;
  /** The report of the standing body in full detail. */
  readonly report: BodyReport;
}

/** A person's body in a stance. */
export interface InStance {
  readonly stance: { readonly pose: 'standing' | 'sitting' };
  /** What `bodyInStance` returns. */
  readonly posed: Posed;
  /** The origin of the mesh in the coordinates of the stance: x forward, y left, z up, mm. */
  readonly origin: Vector;
  /** The dimensions that the stance does not have, beside those that its pose does not have. */
  readonly missing: readonly Dimension[];
}

/** A person's body in a pose: its points, and both the standing and the sitting readings of its detail. */
interface PosedPerson {
  readonly posed: Posed;
  readonly standing: Readings;
  readonly sitting: Sitting;
  /** The volume of these points, if it is known. */
  readonly enclosed?: Enclosed;
  /** Of a body in a stance: the dimensions that it does not have, beside those that its pose does not have. */
  readonly missing?: readonly Dimension[];
}

/** Builds bodies of people from the shapes of an artifact. It has no side effects. */
export class BodyBuilder {
  private readonly model: BodyModel;

  constructor(readonly views: ShapeViews) {
    this.model = new BodyModel(views);
  }

  get skeleton(): Skeleton {
    return this.model.skeleton;
  }

  /** Fits a person's shape. */
  fit(person: BodyPerson): FittedPerson {
    const { gender, ageYears, dimensions, massKg } = person;
    const shape = this.model.shapeOf(gender, ageYears);
    const density = densityOf(gender, ageYears);
    const volumeLitres = massKg === undefined ? undefined : massKg / density;
    const surfaces = this.skeleton.once('surfaces', () => fitSurfaces(this.views));
    const asked = { dimensions, volumeLitres };
    const fitter = new Fitter(shape, this.regionsFor('full'), surfaces, asked);
    return this.fitted(person, this.finished(fitter.fit(), dimensions, volumeLitres));
  }

  /** A person with a known shape. It sits, and it is measured, when somebody asks for that. */
  fitted(person: BodyPerson, fit: Fit): FittedPerson {
    const once = <T>(make: () => T) => {
      let made: T | undefined;
      return (): T => {
        made ??= make();
        return made;
      };
    };
    const enclosed = once(() => enclosedBy(fit.standing.vertices, this.views.triangles));
    const sitting = once(() => this.sit(person, fit, 'full', enclosed().litres));
    const report = once(() => {
      const posed = { posed: fit.standing, standing: fit.readings, sitting: sitting() };
      return this.reportOf(person, fit, { ...posed, enclosed: enclosed() }, 'standing', 'full');
    });
    return {
      ...{ person, fit },
      get sitting() {
        return sitting();
      },
      get report() {
        return report();
      },
    };
  }

  /**
   * A fitted shape with the face of the person and a smooth waist. Its arms rest on the flank. Then trunk, thighs and
   * upper arms are filled out, until the body has the asked volume: all of this has changed it since the fit.
   */
  private finished(fit: Fit, asked: BodyPerson['dimensions'], litres: number | undefined): Fit {
    const { skeleton, views } = this.model;
    const points = fit.points.slice();
    shapeFace(this.model, points, asked);
    clearEyes(views, skeleton, points);
    smoothWaist(this.model, points);
    const pose = hangingArms(this.model, points, apartAt(fit.armAngle));
    const arms: OneArm = { side: 'both', pose };
    const stand = () => {
      const posed = skeleton.pose(points, skeleton.rotations(points, 'standing', arms));
      layArms(this.model, posed, true);
      return posed;
    };
    let standing = stand();
    if (litres !== undefined) {
      const { litres: found } = enclosedBy(standing.vertices, views.triangles);
      if (Math.abs(litres / found - 1) > ENOUGH_VOLUME) {
        const mostMm = FILLED_MOST * (fit.readings.get('Stature')?.value ?? 0);
        fillOut(views, skeleton, points, litres - found, mostMm);
        standing = stand();
      }
    }
    smoothCrossings(this.model, FOLDS.all, standing.vertices);
    const readings = this.tapeOn(fit, standing, 'full');
    readings.set('KneeHeight', fit.readings.get('KneeHeight') as Reading);
    return { ...fit, points, standing, readings };
  }

  /** The mesh of a fitted person in a pose, and what is measured on it. */
  mesh(fitted: FittedPerson, pose: Pose, detail: Detail): Body {
    const { person, fit } = fitted;
    const light = detail === 'light';
    if (pose === 'standing' && !light) {
      return this.meshOf(person, fit.standing, pose, detail, fitted.report);
    }
    const triangles = this.trianglesOf(detail);
    const sitting = light
      ? this.sit(person, fit, detail, enclosedBy(fit.standing.vertices, triangles).litres)
      : fitted.sitting;
    const standing = light ? this.tapeOn(fit, fit.standing, detail) : fit.readings;
    const isSitting = pose === 'sitting';
    const posed = isSitting ? sitting.posed : this.posedBody(fitted, pose);
    const measured = { posed, standing, sitting, ...(isSitting && { enclosed: sitting.enclosed }) };
    const report = this.reportOf(person, fit, measured, pose, detail);
    return this.meshOf(person, posed, pose, detail, report);
  }

  /** The mesh of a fitted person in a stance, and what is measured on it. */
  meshInStance(
    { person, fit, sitting }: FittedPerson,
    { stance: { pose }, posed, origin: [x, y, z], missing }: InStance,
    detail: Detail,
  ): Body {
    const measured = { posed, standing: fit.readings, sitting, missing };
    const report = this.reportOf(person, fit, measured, pose, detail);
    return this.meshOf(person, posed, pose, detail, report, [y, z, x]);
  }

  private regionsFor(detail: Detail): Regions {
    const { views, skeleton } = this.model;
    const triangles = this.trianglesOf(detail);
    return skeleton.once(`regions ${detail}`, () => regionsOf(views, skeleton, triangles));
  }

  private trianglesOf(detail: Detail): Uint16Array {
    return detail === 'light' ? this.views.lightTriangles : this.views.triangles;
  }

  /** Returns a fitted body in a pose. Drawings also ask for poses of their own, for a pose of one arm, and for a stoop. */
  posedBody(fitted: FittedPerson, pose: Pose | DrawnPose, arm?: OneArm, stoop?: number): Posed {
    const { points, standing } = fitted.fit;
    if (pose === 'sitting') {
      const { sitting } = fitted;
      return arm === undefined ? sitting.posed : withArms(this, fitted.fit, sitting, arm);
    }
    if (pose === 'standing' && arm === undefined && stoop === undefined) return standing;
    const { skeleton } = this.model;
    const posed = skeleton.pose(points, skeleton.rotations(points, pose, arm, stoop));
    if (pose === 'standing' && arm?.side === 'both' && arm.right === undefined) {
      layArms(this.model, posed, true);
    }
    return posed;
  }

  /** Returns the sitting body. The light body has the same surface, but is measured by its own triangles. */
  private sit({ dimensions }: BodyPerson, fit: Fit, detail: Detail, litres: number): Sitting {
    const sitter = new Sitter(
      this.model,
      this.regionsFor('full'),
      fit,
      this.trianglesOf(detail),
      dimensions,
      litres,
    );
    return sitter.sit(this.regionsFor(detail));
  }

  /** The readings of a body with the posture of a standing person. */
  private tapeOn(fit: Fit, posed: Posed, detail: Detail): Readings {
    const tape = new Tape(this.views, this.model.skeleton, this.regionsFor(detail), posed);
    // Flat buttocks have no clear point farthest back. The few triangles of the light body could give another height,
    // so the height from the fit is used.
    const hips = fit.readings.get('HipCircumferenceMax')?.heightMm ?? Number.NaN;
    const up = posed.heads[1] - fit.standing.heads[1];
    tape.measureStanding(detail === 'light' ? hips + up : undefined);
    return tape.readings;
  }

  private reportOf(
    person: BodyPerson,
    fit: Fit,
    { posed, standing, sitting, missing, enclosed }: PosedPerson,
    pose: Pose,
    detail: Detail,
  ): BodyReport {
    let own = standing;
    if (pose === 'a_pose' || (pose === 'standing' && missing !== undefined))
      own = this.tapeOn(fit, posed, detail);
    if (pose === 'sitting') {
      const tape = new Tape(this.views, this.model.skeleton, this.regionsFor(detail), posed);
      tape.measureParts(fit.readings.get('Stature')?.value ?? 0);
      own = tape.readings;
    }
    const triangles = this.trianglesOf(detail);
    const floors = { own: floorOf(posed, triangles), standing: floorOf(fit.standing, triangles) };
    const readings = DIMENSION_NAMES.map((measurement): BodyReading => {
      const askedMm = person.dimensions.get(measurement);
      const isMissing =
        MISSING[pose].includes(measurement) || missing?.includes(measurement) === true;
      if (SITTING.includes(measurement)) {
        const achievedMm = sitting.readings.get(measurement) as number;
        const elsewhere = isMissing ? { pose: 'sitting' as const } : {};
        return { measurement, askedMm, achievedMm, ...elsewhere };
      }
      const from = isMissing ? standing : own;
      const { value = Number.NaN, heightMm, normal } = from.get(measurement) ?? {};
      const floor = isMissing ? floors.standing : floors.own;
      return {
        ...{ measurement, askedMm, achievedMm: value },
        ...(heightMm === undefined ? {} : { heightMm: heightMm - floor }),
        ...(normal === undefined || normal[1] > LEVEL ? {} : { normal }),
        ...(isMissing ? { pose: 'standing' as const } : {}),
      };
    });
    const differences = readings.map(({ askedMm, achievedMm, pose: elsewhere }) =>
      askedMm === undefined || elsewhere !== undefined ? 0 : Math.abs(achievedMm - askedMm),
    );
    const normals = new Float64Array(posed.vertices.length);
    volumeOf(posed.vertices, triangles, normals);
    const { litres: volumeLitres, overlap } = enclosed ?? enclosedBy(posed.vertices, triangles);
    const densityKgPerLitre = densityOf(person.gender, person.ageYears);
    const { massKg: askedKg } = person;
    const litres = askedKg === undefined ? 0 : volumeLitres - askedKg / densityKgPerLitre;
    return {
      ...{ readings, volumeLitres, overlap, densityKgPerLitre, askedKg },
      worstMm: Math.max(...differences, Math.abs(litres) / litresPerMm(normals)),
      armAngle: fit.armAngle,
    };
  }

  private meshOf(
    { gender }: BodyPerson,
    posed: Posed,
    pose: Pose,
    detail: Detail,
    report: BodyReport,
    at?: Vector,
  ): Body {
    const { header, skinBone, skinWeight, uv } = this.views;
    const light = detail === 'light';
    const all = this.trianglesOf(detail);
    const used = [...new Set(all)].sort((a, b) => a - b);
    const indexOf = new Uint16Array(header.vertices);
    used.forEach((vertex, index) => {
      indexOf[vertex] = index;
    });
    const hips = header.bones.findIndex(({ parent }) => parent < 0);
    const [x, , z] = vectorAt(posed.heads, hips);
    const origin = at ?? [x, floorOf(posed, all), z];
    const place = (values: Float64Array, index: number): [number, number, number] => {
      const [x = 0, y = 0, z = 0] = origin.map((mm, k) => values[3 * index + k] - mm);
      return [x, y, z];
    };
    const first = light ? this.views.triangles.length : 0;
    let from = 0;
    const materials = (light ? header.lightMaterials : header.materials).map((material) => {
      const to = from + 3 * material.triangles;
      const triangles = all.subarray(from, to).map((vertex) => indexOf[vertex]);
      const places = uv.subarray(2 * (first + from), 2 * (first + to));
      from = to;
      return { name: material.name, triangles, uv: places };
    });
    return {
      ...{ gender, pose, detail },
      positions: Float32Array.from(used.flatMap((vertex) => place(posed.vertices, vertex))),
      materials,
      bones: header.bones.map((bone, index) => ({
        ...{ name: bone.name, parent: bone.parent, head: place(posed.heads, index) },
      })),
      skinBone: picked(skinBone, 4, used),
      skinWeight: picked(skinWeight, 4, used),
      landmarks: new Map(
        Object.entries(header.landmarks).map(([name, vertex]) => [
          name,
          place(posed.vertices, vertex),
        ]),
      ),
      report,
    };
  }
}

/** Smooths grooves and ledges of the waist. */
function smoothWaist(mesh: Mesh, points: Float64Array): void {
  const { landmarks } = mesh.views.header;
  const [, navel] = vectorAt(points, landmarks.omphalion);
  const [, nipples] = vectorAt(points, landmarks.thelion_l);
  const { vertices, shares } = mesh.skeleton.movedBy(/^(pelvis|spine_0.)$/);
  const waist = [...vertices].filter((vertex) => {
    const way = (points[3 * vertex + 1] - navel) / (nipples - navel);
    return shares[vertex] > WAIST.share && way > WAIST.from && way < WAIST.to;
  });
  fair(mesh, waist, points, WAIST.rounds);
}

/** Volume of a layer of 1 mm on the skin, litres, from the gradient of the volume. */
function litresPerMm(normals: Float64Array, shares?: Float32Array): number {
  let sum = 0;
  for (let vertex = 0; 3 * vertex < normals.length; vertex++) {
    sum += (shares?.[vertex] ?? 1) * length(vectorAt(normals, vertex));
  }
  return sum;
}

/**
 * Moves the skin of trunk, thighs and upper arms along its normals until a body holds so many litres more.
 *
 * @param mostMm largest move, mm
 */
function fillOut(
  views: ShapeViews,
  skeleton: Skeleton,
  points: Float64Array,
  litres: number,
  mostMm: number,
): void {
  const { shares } = skeleton.movedBy(/^(pelvis|spine_0.|thigh|upperarm)/);
  const normals = new Float64Array(points.length);
  volumeOf(points, views.triangles, normals);
  const needed = litres / litresPerMm(normals.subarray(0, 3 * shares.length), shares);
  const mm = Math.max(-mostMm, Math.min(mostMm, needed));
  for (let vertex = 0; vertex < shares.length; vertex++) {
    const normal = vectorAt(normals, vertex);
    const size = length(normal);
    if (size === 0) continue;
    for (let k = 0; k < 3; k++) points[3 * vertex + k] += (mm * shares[vertex] * normal[k]) / size;
  }
}

/** Height of the lowest vertex of some triangles, mm. */
export function floorOf({ vertices }: Posed, triangles: Uint16Array): number {
  return rangeOf(vertices, triangles, 3, 1)[0];
}

/** The values of some vertices, of which each has `width`. */
export function picked<T extends Float32Array | Uint8Array | Uint16Array>(
  values: T,
  width: number,
  vertices: readonly number[],
): T {
  const own = new (values.constructor as new (length: number) => T)(width * vertices.length);
  vertices.forEach((vertex, index) => {
    own.set(values.subarray(width * vertex, width * (vertex + 1)), width * index);
  });
  return own;
}
