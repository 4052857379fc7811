import { BodyModel } from '../../src/body/shape.js';
import { hangingArm, levelArm } from '../../src/body/skeleton.js';
import { cross, type Vector } from '../../src/body/vectors.js';
import { vertexNormals } from '../../src/body/volume.js';
import { GENDERS } from '../../src/core/genders.js';
import { OPENNESS_POSES, opennessStart, type ShapeViews } from '../../src/lookup/shape-file.js';
import { type Camera, cameraOf, project } from '../../src/render/camera.js';
import { boxOf, depthMapOf } from '../../src/render/depth-map.js';

/** Number of directions from which a body is seen, and pixels along its largest side. */
const DIRECTIONS = 96;
const PIXELS = 220;
/** A vertex is hidden if something is nearer to the viewer by more than this, mm. */
const CLEAR_MM = 4;
/** Minimum cosine of a direction to the normal of its vertex. Directions along the surface do not count. */
const FACING_LEAST = 0.02;
/** Weights of light from straight below and from straight above. */
const WEIGHT = { below: 0.35, above: 1 } as const;

/**
 * Angle of the arms from vertical, radians. At 9° the arm hides the skin of the armpit, and its darkness spreads over the
 * large triangles beside it.
 */
const ARMS = (25 * Math.PI) / 180;

/** Adds the openness of the mean people of each gender and age of the modes, in the poses of `opennessStart`. */
export function withOpenness(views: ShapeViews): ShapeViews {
  const { header, triangles } = views;
  const model = new BodyModel(views);
  const ages = header.agesYears;
  const all = new Uint8Array(
    OPENNESS_POSES.length * GENDERS.length * ages.length * header.vertices,
  );
  for (const pose of OPENNESS_POSES) {
    const arms = pose === 'sitting' ? levelArm(ARMS) : hangingArm(ARMS);
    for (const [gender, name] of GENDERS.entries()) {
      for (const [age, years] of ages.entries()) {
        const rest = Float64Array.from(model.shapeOf(name, years).mean);
        const turned = model.skeleton.rotations(rest, pose, { side: 'both', pose: arms });
        const posed = model.skeleton.pose(rest, turned).vertices;
        all.set(opennessOf(posed, triangles), opennessStart(header, pose, gender, age));
      }
    }
  }
  return { ...views, openness: all };
}

/**
 * The share of the sky that each vertex of a surface sees (ambient occlusion; Zhukov et al. 1998, Rendering
 * Techniques '98, p. 45). It is the mean over directions, weighted by the cosine to the vertex's normal.
 *
 * @param points x, y, z of the vertices, mm
 * @returns one value for each vertex, from 0 to 255
 */
function opennessOf(points: Float64Array, triangles: Uint16Array): Uint8Array {
  const normals = vertexNormals(points, triangles);
  const seen = new Float64Array(points.length / 3);
  const total = new Float64Array(seen.length);
  for (let d = 0; d < DIRECTIONS; d++) {
    const near = pointOfSphere(d);
    const view = project(points, cameraTowards(near));
    const box = boxOf(view, triangles);
    const size = Math.max(box[1] - box[0], box[3] - box[2]);
    const map = depthMapOf(view, triangles, box, size / PIXELS);
    const weight = WEIGHT.below + (WEIGHT.above - WEIGHT.below) * (0.5 + 0.5 * near[1]);
    for (let i = 0; i < seen.length; i++) {
      const at = 3 * i;
      const facing = normals[at] * near[0] + normals[at + 1] * near[1] + normals[at + 2] * near[2];
      if (facing <= FACING_LEAST) continue;
      const x = Math.floor((view.right[i] - map.left) / map.pixelMm);
      const y = Math.floor((view.up[i] - map.bottom) / map.pixelMm);
      const isOpen = view.near[i] + CLEAR_MM * (2 - facing) >= map.near[y * map.width + x];
      total[i] += facing * weight;
      if (isOpen) seen[i] += facing * weight;
    }
  }
  return Uint8Array.from(seen, (sum, i) => Math.round((255 * sum) / (total[i] || 1)));
}

/** Points that are spread evenly on a sphere (Fibonacci lattice; Gonzalez 2010, Mathematical Geosciences 42:49). */
function pointOfSphere(index: number): Vector {
  const up = 1 - (2 * index + 1) / DIRECTIONS;
  const angle = index * Math.PI * (3 - Math.sqrt(5));
  const beside = Math.sqrt(1 - up * up);
  return [beside * Math.cos(angle), up, beside * Math.sin(angle)];
}

function cameraTowards(near: Vector): Camera {
  const helper: Vector = Math.abs(near[1]) > 0.9 ? [1, 0, 0] : [0, 1, 0];
  const [x, y, z] = cross(helper, near);
  const size = Math.hypot(x, y, z);
  const right: Vector = [x / size, y / size, z / size];
  return cameraOf(right, cross(near, right));
}
