import { type Posed, type Skeleton, vectorAt } from '../body/skeleton.js';
import { extremeOf } from './probe.js';

/**
 * Mean angle of the thoracic kyphosis by age, degrees: Katzman et al. 2010, Journal of Orthopaedic & Sports Physical
 * Therapy 40:352, after Fon, Pitt and Thies 1980, American Journal of Roentgenology 134:979 (20° to 29° up to 40 years)
 * and Ensrud et al. 1997 (43° at 55 to 60 and 52° at 76 to 80 years, in women).
 */
const KYPHOSIS = [
  [40, 29],
  [57.5, 43],
  [78, 52],
] as const;

/** How much more the thoracic spine bends in relaxed people of an age than in people of 40 years, radians. */
export function stoopOf(ageYears: number): number {
  const [[young, least]] = KYPHOSIS;
  let degrees: number = least;
  KYPHOSIS.forEach(([to, end], i) => {
    const [from, start] = KYPHOSIS[i - 1] ?? [young, least];
    if (ageYears > from)
      degrees =
        start + ((end - start) * Math.min(ageYears - from, to - from)) / Math.max(1, to - from);
  });
  return ((degrees - least) * Math.PI) / 180;
}

/** Relaxed standing lowers the head by this share of stature (`/docs/clothing-and-posture`, KAN-Praxis). */
export const RELAXED_SHARE = 0.0125;

/**
 * Lowers a standing body to a stature. Trunk and head lose height as in the posture `standing_relaxed` of the model: a
 * point of the trunk loses its share of the height from the crotch to the seventh cervical vertebra, and the arms
 * move with the shoulders.
 */
export function lowered(
  skeleton: Skeleton,
  { vertices, heads, rotations }: Posed,
  landmarks: Readonly<Record<string, number>>,
  statureMm: number,
): Posed {
  const heightOf = (name: string): number => vectorAt(vertices, landmarks[name] ?? 0)[1];
  const [crotch, c7] = [heightOf('crotch'), heightOf('cervicale')];
  const shareAt = (y: number): number => Math.min(1, Math.max(0, (y - crotch) / (c7 - crotch)));
  const ofShoulder = shareAt(heightOf('acromion_l'));
  const lossMm = extremeOf(vertices, 1) + extremeOf(vertices, -1) - statureMm;
  const { shares } = skeleton.movedBy(ARM);
  const lower = (points: Float64Array, armShare: (point: number) => number): Float64Array =>
    points.map((value, at) => {
      if (at % 3 !== 1) return value;
      const arm = armShare((at - 1) / 3);
      return value - lossMm * (arm * ofShoulder + (1 - arm) * shareAt(value));
    });
  return {
    vertices: lower(vertices, (vertex) => shares[vertex]),
    heads: lower(heads, (bone) => (ARM.test(skeleton.names[bone] as string) ? 1 : 0)),
    rotations,
  };
}

const ARM = /^(upperarm|lowerarm|hand|index|middle|ring|pinky|thumb)_/;
