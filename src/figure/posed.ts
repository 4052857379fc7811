import type { RegionId } from '../core/body-regions.js';
import { type Point, straightLine } from './geometry.js';
import { type DimensionsMm, type Pose, poseOf } from './pose-dimensions.js';
import { sittingFrontOf, sittingSideOf } from './posed-sitting.js';
import { type PosedParts, standingFrontOf, standingSideOf } from './posed-standing.js';
import { body, type Mark, type View } from './view.js';

/** Postures of a posed body. */
export const POSED_POSTURES = ['standing', 'sitting'] as const;
/** Sides from which it is seen. */
export const POSED_SIDES = ['front', 'side'] as const;

/** One of the postures. */
export type PosedPosture = (typeof POSED_POSTURES)[number];
/** One of the sides. */
export type PosedSide = (typeof POSED_SIDES)[number];

/** How a body is posed and seen. */
export interface PoseOptions {
  readonly posture: PosedPosture;
  readonly side: PosedSide;
}

/** A body drawn from its dimensions; y is the height over the floor in mm. */
export interface PosedView extends View {
  /** Areas of the body regions, in the order in which they lie on each other. */
  readonly regions: readonly { readonly region: RegionId; readonly d: string }[];
  /** The corners of all outlines, in mm. */
  readonly outlines: readonly (readonly Point[])[];
}

const POSES: Readonly<
  Record<PosedPosture, Readonly<Record<PosedSide, (pose: Pose) => PosedParts>>>
> = {
  standing: { front: standingFrontOf, side: standingSideOf },
  sitting: { front: sittingFrontOf, side: sittingSideOf },
};

/**
 * Draws a body from its dimensions. The drawings of the average body are stretched part by part, so
 * that heights, breadths and depths at the landmarks are the dimensions. What is between the
 * landmarks is drawn, not predicted. Landmarks have the names of the same view in `VIEWS`, so the
 * lines of `RUNS` can be drawn on the posed body. A missing dimension is the average body's in
 * proportion to the stature; `POSE_MEASUREMENTS` lists the dimensions that are used.
 *
 * @param dimensionsMm dimensions by name, in mm, of one person or of one percentile
 * @throws RangeError if a dimension is not a positive number
 */
export function posedBody(dimensionsMm: DimensionsMm, { posture, side }: PoseOptions): PosedView {
  const posed = POSES[posture][side](poseOf(dimensionsMm));
  const { title, parts, details, props, regions, landmarks } = posed;
  const layers = [...new Set(parts.map(({ layer }) => layer))];
  const outlines = parts.map((part) => part.points);
  const outlineMarks = layers.map((layer) =>
    body(...parts.filter((part) => part.layer === layer).map((part) => part.points)),
  );
  const [first, ...others] = outlineMarks;
  const marks: Mark[] = [
    { kind: 'prop', d: props.map((line) => straightLine(...line)).join('') },
    ...(first === undefined ? [] : [first]),
    { kind: 'detail', d: details.join('') },
    ...others,
  ];
  return {
    title,
    extent: extentOf([...outlines, ...props].flat()),
    marks: marks.filter(({ d }) => d !== ''),
    landmarks,
    regions: regions
      .filter((one) => one.points.length > 2)
      .map((one) => ({ region: one.region, d: `${straightLine(...one.points)}Z` })),
    outlines,
  };
}

function extentOf(corners: readonly Point[]): View['extent'] {
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return [Math.min(...xs), Math.max(...xs), Math.min(0, ...ys), Math.max(...ys)];
}
