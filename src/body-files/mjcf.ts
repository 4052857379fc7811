import type { Body } from '../body/body.js';
import { isEye } from '../body/regions.js';
import { SEGMENT_NAMES, type Segment, segmentOfVertices } from '../body/segments.js';
import { minus, type Vector } from '../body/vectors.js';
import { hingesOf } from './joints.js';

const MM_PER_M = 1000;

/** Axes of the file: x forward, y to the left, z up. */
const turned = ([x, y, z]: Vector): Vector => [z, x, y];
const text = (values: readonly number[], digits: number): string =>
  values.map((value) => String(Number(value.toPrecision(digits)))).join(' ');
/** A point in metres, to 0.1 mm. */
const metres = (point: Vector): string =>
  turned(point)
    .map((mm) => String(Number((mm / MM_PER_M).toFixed(4))))
    .join(' ');

/**
 * Returns a body as a model for MuJoCo (MJCF, https://mujoco.readthedocs.io/en/stable/XMLreference.html): metres, x
 * forward, z up, feet on the floor at 0. Each segment is a body with its mass and inertia, joints to its parent, and
 * the convex hull of its surface, which touches the floor and other objects but not the other segments. Angles of
 * joints are 0 in the upright posture with hanging arms, so the body begins with the angles of its pose.
 *
 * @param notes texts that the model holds by name
 */
export function mjcfOf(
  body: Body,
  segments: readonly Segment[],
  notes: Readonly<Record<string, string>>,
): Uint8Array {
  const surfaces = surfacesOf(body);
  const lines = [
    '<mujoco model="body">',
    '  <compiler angle="degree" autolimits="true"/>',
    '  <option integrator="implicitfast"/>',
    '  <default>',
    // As in the model humanoid.xml that comes with MuJoCo.
    '    <joint type="hinge" damping="0.2" armature="0.01"/>',
    '    <geom type="mesh" contype="1" conaffinity="0" rgba="0.35 0.44 0.54 1"/>',
    '  </default>',
    '  <custom>',
    ...Object.entries(notes).map(
      ([name, data]) => `    <text name="${escaped(name)}" data="${escaped(data)}"/>`,
    ),
    '  </custom>',
    '  <asset>',
    ...segments.map(
      ({ name }, i) => `    <mesh name="${name}" vertex="${surfaces[i].map(metres).join('  ')}"/>`,
    ),
    '  </asset>',
    '  <worldbody>',
    '    <light pos="0 0 4" dir="0 0 -1" directional="true"/>',
    '    <geom name="floor" type="plane" size="0 0 0.05" contype="0" conaffinity="1" rgba="0.8 0.8 0.8 1"/>',
    ...treeOf(body, segments, undefined, '    '),
    '  </worldbody>',
    '</mujoco>',
    '',
  ];
  return Buffer.from(lines.join('\n'));
}

/** The bodies below a segment, as lines. */
function treeOf(
  body: Body,
  segments: readonly Segment[],
  parent: Segment | undefined,
  indent: string,
): string[] {
  return segments
    .filter((segment) => segment.parent === parent?.name)
    .flatMap((segment) => {
      const { name, joint, centre, massKg, inertia } = segment;
      const place = minus(joint, parent?.joint ?? [0, 0, 0]);
      const [xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0] = inertia;
      // In the axes of the file, x is z, y is x and z is y.
      const matrix = text([zz, xx, yy, xz, yz, xy], 6);
      const origin = minus([0, 0, 0], joint);
      return [
        `${indent}<body name="${name}" pos="${metres(place)}">`,
        ...jointsOf(body, segment, segments).map((line) => `${indent}  ${line}`),
        `${indent}  <inertial pos="${metres(minus(centre, joint))}" mass="${text([massKg], 9)}" fullinertia="${matrix}"/>`,
        `${indent}  <geom name="${name}" mesh="${name}" pos="${metres(origin)}"/>`,
        ...treeOf(body, segments, segment, `${indent}  `),
        `${indent}</body>`,
      ];
    });
}

function jointsOf(body: Body, segment: Segment, segments: readonly Segment[]): string[] {
  if (segment.parent === undefined) return ['<freejoint name="root"/>'];
  return hingesOf(segment, segments, body.bones).map(
    ({ name, axis, least, most, angle }) =>
      `<joint name="${name}" axis="${text(turned(axis), 5)}" range="${text([least, most], 5)}" ref="${text([angle], 5)}"/>`,
  );
}

/** The vertices of all triangles that touch each segment, without the eyes. */
function surfacesOf(body: Body): Vector[][] {
  const segmentOf = segmentOfVertices(body);
  const found = SEGMENT_NAMES.map(() => new Set<number>());
  for (const { name, triangles } of body.materials) {
    if (isEye(name)) continue;
    for (let i = 0; i < triangles.length; i += 3) {
      const corners = triangles.subarray(i, i + 3);
      for (const corner of corners) {
        for (const vertex of corners) found[segmentOf[corner]].add(vertex);
      }
    }
  }
  return found.map((vertices) =>
    [...vertices].map((vertex): Vector => {
      const [x = 0, y = 0, z = 0] = body.positions.subarray(3 * vertex, 3 * vertex + 3);
      return [x, y, z];
    }),
  );
}

/** Text without control characters as the value of an attribute. XML has no code for some other characters. */
function escaped(value: string): string {
  return value
    .replace(/[\ufffe\uffff]/g, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/"/g, '&quot;');
}
