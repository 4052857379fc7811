import Type, { type Static } from 'typebox';
import { SURFACE_STEP } from '../reach/envelope.js';
import { answerFields, paidAnswer } from './fields.js';
import { peopleFields } from './population-request.js';
import { notesField } from './reach-request.js';

// An envelope in at most 800 tokens, for a language model. All angles are named in the answer.

const place = Type.Object({ x: Type.Number(), y: Type.Number(), z: Type.Number() });

/** An envelope as its route answers it. */
export interface LongEnvelope {
  readonly people: number;
  readonly unit: string;
  readonly stepDegrees: number;
  readonly centre: Static<typeof place>;
  readonly surfaces: readonly {
    readonly percentile: number;
    readonly distances: readonly number[];
  }[];
  readonly curves: readonly {
    readonly z?: number;
    readonly y?: number;
    readonly percentiles: readonly {
      readonly percentile: number;
      readonly points: readonly Static<typeof place>[];
    }[];
  }[];
  readonly notes?: string[];
}

const numbers = (description: string) => Type.Array(Type.Number(), { description });

/** The schema of the answer of the tool. */
export const shortEnvelope = paidAnswer({
  ...peopleFields,
  unit: answerFields.unit('Unit of lengths.'),
  centre: place,
  azimuths: numbers('Directions of `distances` in a surface, in degrees: 0 ahead, 90 left.'),
  surfaces: Type.Array(
    Type.Object({
      percentile: Type.Number(),
      elevation: answerFields.number('Degrees: 0 level, 90 up.'),
      distances: numbers('From the centre, one for each azimuth; 0: too few reach that way.'),
    }),
  ),
  angles: Type.Optional(
    numbers('Directions of `distances` in a curve, in degrees: 0 ahead, 90 left or up.'),
  ),
  curves: Type.Optional(
    Type.Array(
      Type.Object({
        z: Type.Optional(Type.Number()),
        y: Type.Optional(Type.Number()),
        percentile: Type.Number(),
        distances: numbers('From the place of the plane that is nearest to the centre.'),
      }),
    ),
  ),
  notes: notesField,
});

/** Steps between the elevations, the azimuths and the angles of curves, the finest first, in degrees. */
const STEPS = [
  [30, 45, 30],
  [45, 45, 45],
  [45, 90, 90],
] as const;
/** Estimate of the tokens that the surfaces and curves may take. The rest of the answer takes about 120. */
const TOKENS_MAX = 640;

const range = (from: number, until: number, step: number): number[] =>
  Array.from({ length: Math.floor((until - from) / step) + 1 }, (_, i) => from + i * step);

/** The same envelope at fewer directions, in whole millimetres or tenths of other units. */
export function shortened(envelope: LongEnvelope): Static<typeof shortEnvelope> {
  const { unit, centre, surfaces, curves, stepDegrees: _, ...others } = envelope;
  const decimals = unit === 'mm' ? 0 : 1;
  const rounded = (value: number) => Number(value.toFixed(decimals));
  const lines = STEPS.map(([elevationStep, azimuthStep, angleStep]) => ({
    elevations: range(-90 + elevationStep, 90 - elevationStep, elevationStep),
    azimuths: range(0, 359, azimuthStep),
    angles: range(0, 359, angleStep),
  }));
  const tokensOf = ({ elevations, azimuths, angles }: (typeof lines)[number]) =>
    surfaces.length *
    (tokensOfRow(azimuths) * elevations.length +
      2 * tokensOfRow([0]) +
      tokensOfRow(angles) * curves.length);
  const tokensOfRow = ({ length }: readonly number[]) => 14 + length * (decimals === 0 ? 2 : 4);
  const { elevations, azimuths, angles } = (lines.find((one) => tokensOf(one) <= TOKENS_MAX) ??
    lines.at(-1)) as (typeof lines)[number];
  const perRow = 360 / SURFACE_STEP;
  return {
    ...others,
    unit,
    centre: { x: rounded(centre.x), y: rounded(centre.y), z: rounded(centre.z) },
    azimuths,
    surfaces: surfaces.flatMap(({ percentile, distances }) =>
      [-90, ...elevations, 90].map((elevation) => ({
        percentile,
        elevation,
        // Straight up and down, all azimuths are one direction.
        distances: (Math.abs(elevation) === 90 ? [0] : azimuths).map((azimuth) => {
          const row = (elevation + 90) / SURFACE_STEP;
          return rounded(distances[row * perRow + azimuth / SURFACE_STEP] as number);
        }),
      })),
    ),
    ...(curves.length === 0 ? {} : { angles, curves: curves.flatMap(shortCurves) }),
  };

  function shortCurves({ percentiles, ...plane }: LongEnvelope['curves'][number]) {
    return percentiles.map(({ percentile, points }) => {
      const byAngle = new Map(
        points.map(({ x, y, z }) => {
          const [ahead, across] = [
            x - centre.x,
            plane.z === undefined ? z - centre.z : y - centre.y,
          ];
          const degrees = (Math.atan2(across, ahead) * 180) / Math.PI;
          return [(Math.round(degrees) + 360) % 360, Math.hypot(ahead, across)];
        }),
      );
      return {
        ...plane,
        percentile,
        distances: angles.map((angle) => rounded(byAngle.get(angle) ?? 0)),
      };
    });
  }
}
