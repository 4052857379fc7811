import type { ShapeHeader, ShapeViews } from '../lookup/shape-file.js';
import {
  type BodyDimension,
  type DimensionKind,
  FITTED,
  GUIDES,
  guideMm,
  kindOf,
} from './dimensions.js';
import { regionsNear, verticesOf } from './focus.js';
import { APART, hangingArms } from './hanging-arms.js';
import { localModel, type Prior, type Row } from './local-model.js';
import { ReadingColumns } from './reading-columns.js';
import { type Regions, skinTriangles } from './regions.js';
import { PARAMETER, type PersonShape } from './shape.js';
import { ARM_FROM_VERTICAL, type OneArm, type Posed, vectorAt } from './skeleton.js';
import type { Term } from './slice.js';
import { type Place, type Reading, type Readings, Tape } from './tape.js';
import { clamp, times, type Vector } from './vectors.js';
import { volumeOf } from './volume.js';

/** What a body is asked for: dimensions in mm, and the volume in litres. */
export interface Asked {
  readonly dimensions: ReadonlyMap<BodyDimension, number>;
  readonly volumeLitres: number | undefined;
}

/** A fitted shape. */
export interface Fit {
  /** The points in the rest pose, mm. */
  readonly points: Float64Array;
  readonly standing: Posed;
  /** Angle of the upper arms of the standing body from vertical, radians. */
  readonly armAngle: number;
  readonly readings: Readings;
}

/** Target accuracy of the fit: standard deviations of the residuals, mm. */
const RESIDUAL_SD: Readonly<Record<DimensionKind, number>> = {
  stature: 1,
  fine: 1.5,
  length: 2.5,
  // After the fit, the face is shaped to its dimensions. The head must only be tall enough for them.
  face: 5,
  girth: 3,
  sitting: 2.5,
};
/** Standard deviation of the volume: a share of the volume, between two limits in litres. `fillOut` adds the rest. */
const VOLUME_SD = { share: 0.002, least: 0.02, most: 0.15 } as const;

/** Modes that soon look wrong: swollen buttocks and shoulders. */
const STIFF_MODES = new Set([
  'buttocks-volume',
  'upperarm-shoulder-muscle',
  'stomach-pregnant',
  'measure-waisttohip-dist',
  'measure-waist-circ',
  'hip-scale-vert',
]);

function priorOf(name: string, index: number, locals: number): Prior {
  if (index === PARAMETER.muscle) return { mean: 0.5, sd: 0.2, least: -0.1, most: 1.1 };
  if (index === PARAMETER.weight) return { mean: 0.5, sd: 0.35, least: -0.1, most: 1 };
  if (index === PARAMETER.scale) return { mean: 0, sd: 0.5, least: -0.6, most: 1.2 };
  if (STIFF_MODES.has(name)) return { mean: 0, sd: 0.12, least: -1.1, most: 1.1 };
  if (index < PARAMETER.first + locals) return { mean: 0, sd: 0.35, least: -1.1, most: 1.1 };
  if (name === 'temple-breadth') return { mean: 0, sd: 0.3, least: -0.6, most: 0.6 };
  if (name.endsWith('squareness')) return { mean: 0, sd: 0.1, least: -0.22, most: 0.22 };
  if (name.endsWith('fullness')) return { mean: 0, sd: 0.2, least: -0.3, most: 0.8 };
  if (name === 'head-height' || name === 'neck-length') {
    return { mean: 0, sd: 0.15, least: -0.5, most: 0.6 };
  }
  if (name === 'arm-distance') return { mean: 0, sd: 0.15, least: -0.5, most: 0.8 };
  return { mean: 0, sd: 0.06, least: -0.5, most: 0.6 };
}

/** The modes of the breast are fixed for men and for children up to this age. */
const BREAST_FROM_YEARS = 12;
/** Arms whose angles differ by less than this are the same, radians. */
const SAME_ANGLE = (2 * Math.PI) / 180;
const STEPS_MOST = 9;
/** Further steps if the parts of the mesh near the tapes were not enough. */
const STEPS_MORE = 5;
/** A reading from those parts may differ from a reading of the whole mesh by this, mm. */
const SCOPE_MM = 0.5;
/**
 * Levels of weight and muscle of the mean person at each start. The fit begins with the start whose weight is nearest
 * to the asked volume. If the residual is larger than this limit, it tries the other starts. The heavy start with much
 * muscle comes last, because its fit mistakes fat for muscle and makes the back hollow.
 */
const STARTS = {
  mean: { weight: 0.5, muscle: 0.5 },
  light: { weight: 0.15, muscle: 0.5 },
  heavy: { weight: 1, muscle: 0.25 },
  strong: { weight: 1, muscle: 0.5 },
} as const;
type StartName = keyof typeof STARTS;
const RESTART_ABOVE_MM = 12;
/**
 * The fit ends when a step lowers the cost by less than this share. There is one limit for undamped steps, and one for
 * all steps.
 */
const ENOUGH = { undamped: 0.02, any: 0.005 } as const;
const DAMPING = { start: 1e-3, least: 0.1, more: 8, less: 0.2, tries: 6 } as const;

interface State {
  readonly points: Float64Array;
  readonly standing: Posed;
  readonly sitting: Posed;
  readonly readings: Readings;
  readonly volumeLitres: number;
  /** Asked minus achieved, divided by the standard deviation. */
  readonly residuals: Float64Array;
  readonly cost: number;
  /** The places that the tapes have measured, standing and sitting. */
  readonly places: readonly [readonly Place[], readonly Place[]];
}

/** The parts of the mesh on which a state is measured. */
interface Scope {
  /** Points to compute, vertices to pose standing, and vertices to pose sitting. Undefined means all. */
  readonly points: Uint16Array | undefined;
  readonly standing: Uint16Array | undefined;
  readonly sitting: Uint16Array;
  readonly regions: Regions;
  /**
   * The closed surface that represents the body's volume, and its vertices. `volumeRatio` is the body's volume divided
   * by that of the surface.
   */
  readonly triangles: Uint16Array;
  readonly surface: Uint16Array;
  readonly volumeRatio: number;
}

/** Memory of a state. */
interface Room {
  readonly points: Float64Array;
  readonly standing: Float64Array;
  readonly sitting: Float64Array;
}

/** Size of a mean person, with its level of weight. */
interface Size {
  readonly weight: number;
  readonly statureMm: number;
  readonly volumeLitres: number;
}

/** A mean person from whom a fit starts. */
interface Start extends Size {
  readonly parameters: Float64Array;
  readonly scope: Scope;
  readonly arms: OneArm;
}

/** Angle of a part of an arm from vertical, radians. */
const angleOf = ([x, y]: Vector): number => Math.atan2(x, -y);

/** What all fits on one artifact share. */
export type FitSurfaces = ReturnType<typeof fitSurfaces>;

export function fitSurfaces(views: ShapeViews) {
  /** A surface without the eyes, and its vertices. */
  const body = (all: Uint16Array, materials: ShapeHeader['materials']) => {
    const triangles = all.subarray(0, 3 * skinTriangles(materials));
    return { triangles, surface: Uint16Array.from(new Set(triangles)).sort((a, b) => a - b) };
  };
  const { vertices: count, joints, materials, lightMaterials } = views.header;
  const room = (): Room => ({
    points: new Float64Array(3 * (count + joints)),
    standing: new Float64Array(3 * count),
    sitting: new Float64Array(3 * count),
  });
  return {
    /** Mean persons of a shape. */
    starts: new WeakMap<PersonShape, Map<StartName, Start>>(),
    full: body(views.triangles, materials),
    light: body(views.lightTriangles, lightMaterials),
    /** Arrays for the present state of a fit and for the state that is tried. */
    rooms: [room(), room()] as readonly [Room, Room],
  };
}

/**
 * Fits shapes of one gender and age to dimensions by Levenberg–Marquardt (Marquardt 1963, SIAM Journal 11:431). Each
 * parameter has a normal prior and bounds.
 */
export class Fitter {
  private readonly priors: readonly Prior[];
  /** The asked dimensions. `names` also has the guides. */
  private readonly asks: readonly BodyDimension[];
  private readonly names: readonly string[];
  private readonly targets: number[];
  private readonly sds: number[];
  private readonly volumeSd: number;
  private readonly whole: Scope;
  /** The arms of the standing body. They spread if the flank is in their way. */
  private arms: OneArm | undefined;

  constructor(
    private readonly shape: PersonShape,
    private readonly regions: Regions,
    private readonly surfaces: FitSurfaces,
    private readonly asked: Asked,
  ) {
    const { views } = shape.model;
    const locals = views.header.localModes.length;
    const breasts = shape.gender === 'Female' && shape.ageYears >= BREAST_FROM_YEARS;
    this.priors = shape.names.map((name, i) =>
      name.startsWith('breast') && !breasts
        ? { mean: 0, sd: 1e-3, least: 0, most: 0 }
        : priorOf(name, i, locals),
    );
    this.asks = FITTED.filter((name) => asked.dimensions.has(name));
    this.targets = this.asks.map((name) => asked.dimensions.get(name) as number);
    this.sds = this.asks.map((name) => RESIDUAL_SD[kindOf(name)]);
    const names: string[] = [...this.asks];
    for (const guide of GUIDES) {
      const mm = guideMm(guide, asked.dimensions, shape.gender, shape.ageYears);
      if (mm === undefined) continue;
      names.push(guide.name);
      this.targets.push(mm);
      const { sd } = guide;
      this.sds.push((typeof sd === 'number' ? sd : sd(shape.ageYears, asked.dimensions)) * mm);
    }
    this.names = names;
    const volume = asked.volumeLitres ?? 0;
    this.volumeSd = clamp(VOLUME_SD.share * volume, VOLUME_SD.least, VOLUME_SD.most);
    this.whole = {
      points: undefined,
      standing: undefined,
      sitting: verticesOf(views.header.vertices, [regions.leg, regions.foot]),
      regions,
      ...surfaces.full,
      volumeRatio: 1,
    };
  }

  /** Returns the shape with the smallest maximum residual, from one start or, if that is not enough, from all. */
  fit(): Fit {
    const [first, ...others] = this.starts();
    let best = this.fitFrom(first);
    for (const name of others) {
      if (this.worst(best.readings) <= RESTART_ABOVE_MM) break;
      const other = this.fitFrom(name);
      if (this.worst(other.readings) < this.worst(best.readings)) best = other;
    }
    return best;
  }

  /** The starts, the most likely one first. */
  private starts(): [StartName, ...StartName[]] {
    // The size of the mean person in the rest pose is enough to choose a start, and needs no measuring.
    const { heightMm: statureMm, volumeLitres } = this.shape;
    const asked = this.weightAsked({ weight: STARTS.mean.weight, statureMm, volumeLitres });
    const away = (name: StartName) => Math.abs(STARTS[name].weight - asked);
    const names = Object.keys(STARTS) as StartName[];
    return names.toSorted((a, b) => away(a) - away(b)) as [StartName, ...StartName[]];
  }

  /**
   * The level of weight at which the body has the asked volume. Each level makes a mean person heavier by about its
   * share.
   */
  private weightAsked({ weight, statureMm, volumeLitres }: Size): number {
    const stature = this.asked.dimensions.get('Stature');
    const volume = this.asked.volumeLitres;
    if (stature === undefined || volume === undefined) return weight;
    return weight + volume / (volumeLitres * (stature / statureMm) ** 3) - 1;
  }

  /** The largest difference of asked and achieved, mm. The face is shaped after the fit. */
  private worst(readings: Readings): number {
    const differences = this.asks.map((name, i) =>
      kindOf(name) === 'face'
        ? 0
        : Math.abs(this.targets[i] - (readings.get(name)?.value ?? Infinity)),
    );
    return Math.max(...differences);
  }

  /** The shape with the least cost near a start. */
  private fitFrom(name: StartName): Fit {
    const start = this.startOf(name);
    this.arms = start.arms;
    let x = this.scaled(start);
    let { scope } = start;
    let begin = this.evaluate(x, scope, this.surfaces.rooms[0]);
    let steps = 0;
    for (let most = STEPS_MOST; ; most = steps + STEPS_MORE) {
      const found = this.descend(x, begin, scope, most - steps);
      steps += found.steps;
      x = found.x;
      if (most === STEPS_MOST) this.spreadArms(this.shape.points(x));
      const state = this.evaluate(x, this.whole);
      const isTrue = this.names.every((name) => {
        const [near, all] = [found.readings.get(name)?.value, state.readings.get(name)?.value];
        return Math.abs((near ?? 0) - (all ?? 0)) <= SCOPE_MM;
      });
      if (isTrue || most > STEPS_MOST) {
        const { points, standing, readings } = state;
        const armAngle =
          this.arms === undefined ? ARM_FROM_VERTICAL : angleOf(this.arms.pose.upper);
        return { points, standing, armAngle, readings };
      }
      scope = this.scopeAt(state);
      begin = state;
    }
  }

  /** Spreads the arms as far as the flank of a shape requires. */
  private spreadArms(points: Float64Array): void {
    const pose = hangingArms(this.shape.model, points, APART);
    const before = this.arms?.pose ?? pose;
    const turned = (['upper', 'fore'] as const).map((part) =>
      Math.abs(angleOf(pose[part]) - angleOf(before[part])),
    );
    if (Math.max(...turned) >= SAME_ANGLE) this.arms = { side: 'both', pose };
  }

  /** The mean person with the weight and muscle of a start. The cache keeps it as long as its shape. */
  private startOf(name: StartName): Start {
    const { starts } = this.surfaces;
    const known = starts.get(this.shape) ?? new Map<StartName, Start>();
    starts.set(this.shape, known);
    const start = known.get(name);
    if (start !== undefined) return start;
    const x = Float64Array.from(this.priors, ({ mean }) => mean);
    const { weight, muscle } = STARTS[name];
    x[PARAMETER.weight] = weight;
    x[PARAMETER.muscle] = muscle;
    const pose = hangingArms(this.shape.model, this.shape.points(x), APART);
    const arms: OneArm = { side: 'both', pose };
    this.arms = arms;
    const state = this.evaluate(x, this.whole);
    const { readings, volumeLitres } = state;
    const statureMm = readings.get('Stature')?.value ?? Number.NaN;
    const scope = this.scopeAt(state);
    const made = { parameters: x, weight, statureMm, volumeLitres, scope, arms };
    known.set(name, made);
    return made;
  }

  /** Parameters of a start with the asked stature. The weight is higher if the volume requires it. */
  private scaled(start: Start): Float64Array {
    const { parameters, statureMm } = start;
    const x = parameters.slice();
    const stature = this.asked.dimensions.get('Stature');
    if (stature === undefined) return x;
    x[PARAMETER.scale] = stature / statureMm - 1;
    x[PARAMETER.weight] = clamp(this.weightAsked(start), start.weight, STARTS.heavy.weight);
    return x;
  }

  /** Returns the parts of the mesh that are needed to measure shapes near a state, and the volume of the light body. */
  private scopeAt({ standing, sitting, readings, volumeLitres, places }: State): Scope {
    const { views } = this.shape.model;
    const { vertices, joints } = views.header;
    const measured = [
      { posed: standing, places: places[0] },
      { posed: sitting, places: places[1] },
    ];
    const regions = regionsNear(this.regions, measured, readings.get('Stature')?.value ?? 0);
    const { light } = this.surfaces;
    const posed = verticesOf(
      vertices,
      Object.values(regions),
      light.surface,
      Object.values(views.header.landmarks),
    );
    const ends = Array.from({ length: joints }, (_, joint) => vertices + joint);
    return {
      points: Uint16Array.from([...posed, ...ends]),
      standing: posed,
      sitting: verticesOf(views.header.vertices, [regions.leg, regions.foot]),
      regions,
      ...light,
      volumeRatio: volumeLitres / volumeOf(standing.vertices, light.triangles),
    };
  }

  /** Levenberg–Marquardt steps until the cost hardly falls. */
  private descend(from: Float64Array, begin: State, scope: Scope, stepsMost: number) {
    let [room, other] = this.surfaces.rooms;
    let x = from;
    let state = begin;
    let damping: number = DAMPING.start;
    let steps = 0;
    while (steps < stepsMost) {
      let damped = false;
      const stepWith = localModel(this.shape, this.priors, x, this.rows(state, scope));
      let next: { x: Float64Array; state: State } | undefined;
      for (let tries = 0; tries < DAMPING.tries; tries++) {
        const to = stepWith(damping);
        const reached = this.evaluate(to, scope, other);
        if (reached.cost < state.cost) {
          next = { x: to, state: reached };
          break;
        }
        damped = true;
        damping = Math.max(damping * DAMPING.more, DAMPING.least);
      }
      if (next === undefined) break;
      const gain = (state.cost - next.state.cost) / state.cost;
      ({ x, state } = next);
      [room, other] = [other, room];
      steps += 1;
      damping *= DAMPING.less;
      if (gain < (damped ? ENOUGH.any : ENOUGH.undamped)) break;
    }
    return { x, steps, readings: state.readings };
  }

  /** @param room arrays for the points; by default new arrays */
  private evaluate(x: Float64Array, scope: Scope, room?: Room): State {
    const { skeleton, views } = this.shape.model;
    const points = this.shape.points(x, scope.points, room?.points);
    const upright = skeleton.rotations(points, 'standing', this.arms);
    const standing = skeleton.pose(points, upright, scope.standing, room?.standing);
    const bent = skeleton.rotations(points, 'sitting');
    const sitting = skeleton.pose(points, bent, scope.sitting, room?.sitting);
    const tape = new Tape(views, skeleton, scope.regions, standing);
    tape.measureStanding();
    const knee = new Tape(views, skeleton, scope.regions, sitting);
    knee.measureKnee();
    const readings = new Map([...tape.readings, ...knee.readings]);
    const volumeLitres = scope.volumeRatio * volumeOf(standing.vertices, scope.triangles);
    const residuals = new Float64Array(this.names.length + 1);
    this.names.forEach((name, i) => {
      const reached = readings.get(name)?.value ?? Number.NaN;
      residuals[i] = (this.targets[i] - reached) / this.sds[i];
    });
    const volume = this.asked.volumeLitres;
    if (volume !== undefined) {
      residuals[this.names.length] = (volume - volumeLitres) / this.volumeSd;
    }
    let cost = 0;
    for (const residual of residuals) cost += residual * residual;
    this.priors.forEach(({ mean, sd }, i) => {
      cost += ((x[i] - mean) / sd) ** 2;
    });
    const places = [tape.places, knee.places] as const;
    return { points, standing, sitting, readings, volumeLitres, residuals, cost, places };
  }

  /** The readings of a state as linear functions of the points. */
  private rows(state: State, scope: Scope): Row[] {
    const columns = new ReadingColumns(this.shape);
    const take = ({ rotations }: Posed, sd: number): Float64Array =>
      columns.take(rotations).map((value) => value / sd);
    const columnsOf = (posed: Posed, terms: readonly Term[], sd: number): Float64Array => {
      for (const { kind, index, gradient } of terms) {
        if (kind === 'head') columns.addHead(index, ...gradient);
        else columns.addVertex(posed, index, ...gradient);
      }
      return take(posed, sd);
    };
    const rows = this.names.map((name, i): Row => {
      const posed = name === 'KneeHeight' ? state.sitting : state.standing;
      const sd = this.sds[i];
      const reading = state.readings.get(name) as Reading;
      return [reading, ...(reading.rivals ?? [])].map(({ value, terms }) => ({
        columns: columnsOf(posed, terms, sd),
        residual: (this.targets[i] - value) / sd,
      }));
    });
    if (this.asked.volumeLitres === undefined) return rows;
    const { standing } = state;
    const gradient = new Float64Array(standing.vertices.length);
    volumeOf(standing.vertices, scope.triangles, gradient);
    for (const vertex of scope.surface) {
      const by = times(vectorAt(gradient, vertex), scope.volumeRatio);
      columns.addVertex(standing, vertex, ...by);
    }
    const residual = state.residuals[this.names.length];
    return [...rows, [{ columns: take(standing, this.volumeSd), residual }]];
  }
}
