import { dampedStep, type Prior } from './damped-step.js';
import { DIMENSIONS, type Dimension, type DimensionKind, FITTED } from './dimensions.js';
import { eyeVertices, type Regions } from './regions.js';
import { PARAMETER, type PersonShape } from './shape.js';
import { Adjoint, type Posed } from './skeleton.js';
import { type Readings, Tape, volumeOf } from './tape.js';

/** What a body is asked for: dimensions in mm, and the volume in litres. */
export interface Asked {
  readonly dimensions: ReadonlyMap<Dimension, number>;
  readonly volumeLitres: number | undefined;
}

/** A fitted shape. */
export interface Fit {
  readonly parameters: Float64Array;
  /** The points in the rest pose, mm. */
  readonly points: Float64Array;
  readonly standing: Posed;
  readonly readings: Readings;
  readonly volumeLitres: number;
  /** Steps that lowered the cost. */
  readonly steps: number;
}

/** Accuracy at which the fit aims, mm: standard deviations of the residuals. */
const RESIDUAL_SD: Readonly<Record<DimensionKind, number>> = {
  stature: 1,
  fine: 1.5,
  length: 2.5,
  girth: 3,
  sitting: 2.5,
};
/** Of the volume: a share of it within limits, litres. */
const VOLUME_SD = { share: 0.01, least: 0.15, most: 0.6 } as const;

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
  if (name.endsWith('squareness')) return { mean: 0, sd: 0.1, least: -0.22, most: 0.22 };
  if (name.endsWith('fullness')) return { mean: 0, sd: 0.2, least: -0.3, most: 0.8 };
  if (name === 'arm-distance') return { mean: 0, sd: 0.15, least: -0.5, most: 0.8 };
  if (name === 'deltoid-breadth') return { mean: 0, sd: 0.05, least: -0.2, most: 0.2 };
  return { mean: 0, sd: 0.06, least: -0.5, most: 0.6 };
}

/** Modes of the breast are fixed for men and for children up to this age. */
const BREAST_FROM_YEARS = 12;
const STEPS_MOST = 9;
/**
 * Levels of weight at the starts; the first rises by the share that the volume of the mean person lacks. A fit
 * that leaves a larger residual than this tries the others.
 */
const WEIGHT_STARTS = { first: 0.5, others: [0.15, 0.9] } as const;
const RESTART_ABOVE_MM = 12;
/** The fit ends when an undamped step lowers the cost by less than this share. */
const ENOUGH = 0.02;
const DAMPING = { start: 1e-3, least: 0.1, more: 8, less: 0.2, tries: 6 } as const;

interface State {
  readonly points: Float64Array;
  readonly standing: Posed;
  readonly sitting: Posed;
  readonly readings: Readings;
  readonly volumeLitres: number;
  /** Asked less achieved, over the standard deviation. */
  readonly residuals: Float64Array;
  readonly cost: number;
}

/**
 * Fits shapes of one gender and age to dimensions: Levenberg–Marquardt (Marquardt 1963, SIAM Journal 11:431)
 * with a normal prior for each parameter and bounds.
 */
export class Fitter {
  private readonly priors: readonly Prior[];
  private readonly names: readonly Dimension[];
  private readonly targets: readonly number[];
  private readonly sds: readonly number[];
  private readonly volumeSd: number;
  private readonly bodyTriangles: Uint16Array;
  private readonly kneeVertices: Uint16Array;

  constructor(
    private readonly shape: PersonShape,
    private readonly regions: Regions,
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
    this.names = FITTED.filter((name) => asked.dimensions.has(name));
    this.targets = this.names.map((name) => asked.dimensions.get(name) as number);
    this.sds = this.names.map((name) => RESIDUAL_SD[DIMENSIONS[name]]);
    const volume = asked.volumeLitres ?? 0;
    this.volumeSd = Math.min(Math.max(VOLUME_SD.share * volume, VOLUME_SD.least), VOLUME_SD.most);
    this.kneeVertices = Uint16Array.from([...regions.leg.vertices, ...regions.foot.vertices]);
    const eyes = eyeVertices(views);
    this.bodyTriangles = views.triangles.filter(
      (_, i) => eyes[views.triangles[i - (i % 3)] as number] === 0,
    );
  }

  /** The shape whose worst residual is least, from one start or, if that is not enough, from three. */
  fit(): Fit {
    let best = this.fitFrom(WEIGHT_STARTS.first);
    for (const weight of WEIGHT_STARTS.others) {
      if (this.worst(best.readings) <= RESTART_ABOVE_MM) break;
      const other = this.fitFrom(weight);
      if (this.worst(other.readings) < this.worst(best.readings)) best = other;
    }
    return best;
  }

  /** The largest difference of asked and achieved, mm. */
  private worst(readings: Readings): number {
    const differences = this.names.map((name, i) =>
      Math.abs((this.targets[i] as number) - (readings.get(name)?.value ?? Infinity)),
    );
    return Math.max(...differences);
  }

  /** The shape with the least cost near a start with a level of weight. */
  private fitFrom(weight: number): Fit {
    let x: Float64Array = Float64Array.from(this.priors, ({ mean }) => mean);
    x[PARAMETER.weight] = weight;
    const stature = this.asked.dimensions.get('Stature');
    let state = this.evaluate(x);
    const reached = state.readings.get('Stature')?.value;
    if (stature !== undefined && reached !== undefined) {
      const scale = stature / reached;
      x[PARAMETER.scale] = scale - 1;
      const volume = this.asked.volumeLitres;
      if (volume !== undefined && weight === WEIGHT_STARTS.first) {
        const more = volume / (state.volumeLitres * scale ** 3) - 1;
        x[PARAMETER.weight] = Math.min(weight + Math.max(more, 0), 1);
      }
      state = this.evaluate(x);
    }
    let damping: number = DAMPING.start;
    let steps = 0;
    while (steps < STEPS_MOST) {
      let damped = false;
      const rows = this.jacobian(state, x);
      let next: { x: Float64Array; state: State } | undefined;
      for (let tries = 0; tries < DAMPING.tries; tries++) {
        const to = dampedStep(rows, state.residuals, x, this.priors, damping);
        const reached = this.evaluate(to);
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
      steps += 1;
      damping *= DAMPING.less;
      if (gain < ENOUGH && !damped) break;
    }
    const { points, standing, readings, volumeLitres } = state;
    return { parameters: x, points, standing, readings, volumeLitres, steps };
  }

  private evaluate(x: Float64Array): State {
    const { skeleton, views } = this.shape.model;
    const points = this.shape.points(x);
    const standing = skeleton.pose(points, skeleton.rotations(points, 'standing'));
    const bent = skeleton.rotations(points, 'sitting');
    const sitting = skeleton.pose(points, bent, this.kneeVertices);
    const tape = new Tape(views, skeleton, this.regions, standing);
    tape.measureStanding();
    const knee = new Tape(views, skeleton, this.regions, sitting);
    knee.measureKnee();
    const readings = new Map([...tape.readings, ...knee.readings]);
    const volumeLitres = volumeOf(standing.vertices, this.bodyTriangles);
    const residuals = new Float64Array(this.names.length + 1);
    this.names.forEach((name, i) => {
      const reached = readings.get(name)?.value ?? Number.NaN;
      residuals[i] = ((this.targets[i] as number) - reached) / (this.sds[i] as number);
    });
    const volume = this.asked.volumeLitres;
    if (volume !== undefined) {
      residuals[this.names.length] = (volume - volumeLitres) / this.volumeSd;
    }
    let cost = 0;
    for (const residual of residuals) cost += residual * residual;
    this.priors.forEach(({ mean, sd }, i) => {
      cost += (((x[i] as number) - mean) / sd) ** 2;
    });
    return { points, standing, sitting, readings, volumeLitres, residuals, cost };
  }

  /** Derivatives of the readings by the parameters, over the standard deviations: one row for each. */
  private jacobian(state: State, x: Float64Array): Float64Array[] {
    const { skeleton, views } = this.shape.model;
    const tangent = this.shape.tangent(x, state.points);
    const adjoint = new Adjoint(skeleton, views.skinBone);
    const rows = [...this.names, undefined].map((name) => {
      const row = new Float64Array(x.length);
      if (name === undefined && this.asked.volumeLitres === undefined) return row;
      const posed = name === 'KneeHeight' ? state.sitting : state.standing;
      adjoint.clear();
      const pull = (vertex: number, gx: number, gy: number, gz: number): void => {
        adjoint.addVertex(posed.rotations, vertex, gx, gy, gz);
        for (let k = 0; k < 3; k++) tangent.add(3 * vertex + k, adjoint.vertex[k] as number, row);
      };
      if (name === undefined) {
        const gradient = new Float64Array(posed.vertices.length);
        volumeOf(posed.vertices, this.bodyTriangles, gradient);
        for (let i = 0; i < gradient.length; i += 3) {
          pull(i / 3, gradient[i] as number, gradient[i + 1] as number, gradient[i + 2] as number);
        }
      } else {
        for (const { kind, index, gradient } of state.readings.get(name)?.terms ?? []) {
          if (kind === 'head') adjoint.addHead(index, ...gradient);
          else pull(index, ...gradient);
        }
      }
      adjoint.finish(posed.rotations);
      skeleton.heads.forEach((joint, bone) => {
        for (let k = 0; k < 3; k++) {
          tangent.add(3 * joint + k, adjoint.joints[3 * bone + k] as number, row);
        }
      });
      return row;
    });
    rows.forEach((row, i) => {
      const sd = this.sds[i] ?? this.volumeSd;
      for (let k = 0; k < row.length; k++) row[k] = (row[k] as number) / sd;
    });
    return rows;
  }
}
