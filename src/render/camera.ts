import { cross, dot, type Vector } from '../body/vectors.js';

/** A direction of view without perspective. Lengths parallel to the view plane are true. */
export interface Camera {
  /** Unit vectors of the body that point to the right, up, and to the viewer. */
  readonly right: Vector;
  readonly up: Vector;
  readonly near: Vector;
}

/** The camera with the given right and upward directions, which are perpendicular unit vectors. */
export function cameraOf(right: Vector, up: Vector): Camera {
  return { right, up, near: cross(right, up) };
}

/** A camera for a standing body that is turned about the vertical, in degrees; 0 is from the front. */
function turned(degrees: number): Camera {
  const angle = (degrees * Math.PI) / 180;
  return cameraOf([Math.cos(angle), 0, -Math.sin(angle)], [0, 1, 0]);
}

/**
 * Directions of view of a whole body. In the side view, the body looks to the right. On its back, its head is to the
 * left.
 */
export const CAMERAS = {
  front: turned(0),
  threeQuarter: turned(-40),
  side: turned(-90),
  lyingSide: cameraOf([0, -1, 0], [0, 0, 1]),
} as const satisfies Readonly<Record<string, Camera>>;

/** Points of a body in a view, mm: to the right, up, and towards the viewer. */
export interface Projected {
  readonly right: Float32Array;
  readonly up: Float32Array;
  readonly near: Float32Array;
}

/** Projects points, given as x, y, z in mm. */
export function project(points: Float64Array, camera: Camera): Projected {
  const count = points.length / 3;
  const along = (axis: Vector): Float32Array => {
    const values = new Float32Array(count);
    for (let i = 0, at = 0; i < count; i++, at += 3) {
      values[i] = axis[0] * points[at] + axis[1] * points[at + 1] + axis[2] * points[at + 2];
    }
    return values;
  };
  return { right: along(camera.right), up: along(camera.up), near: along(camera.near) };
}

/** A point in a view, mm to the right and up. */
export function projectPoint(point: Vector, camera: Camera): { x: number; y: number } {
  return { x: dot(point, camera.right), y: dot(point, camera.up) };
}
