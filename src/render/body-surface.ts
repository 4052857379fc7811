import { eyeVertices } from '../body/regions.js';
import { GENDERS, type Gender } from '../core/genders.js';
import { type OpennessPose, opennessStart, type ShapeViews } from '../lookup/shape-file.js';

/** What all pictures of an artifact's bodies share. */
export interface BodySurface {
  /** Material of each triangle, as an index of the materials of the shape: skin, suit, eyes. */
  readonly materialOf: Uint8Array;
  /** How far each vertex lies inside the cap or, of eyes, inside the iris, mm, from −127 to 127; negative outside. */
  readonly insideCap: Int8Array;
}

/** The cap begins this far above the hairline and the ears, mm on the base mesh. */
const CAP_UP_MM = { front: 4, ears: 5 } as const;

/** Radius of the iris, mm on the base mesh, whose eyes are larger than those of people. */
const IRIS_MM = 6.5;

/** Prepares the surface of bodies for pictures. */
export function bodySurfaceOf(views: ShapeViews): BodySurface {
  const { header, positions, skinBone } = views;
  const materialOf = new Uint8Array(header.materials.reduce((sum, one) => sum + one.triangles, 0));
  let from = 0;
  header.materials.forEach(({ triangles }, material) => {
    materialOf.fill(material, from, from + triangles);
    from += triangles;
  });
  const at = (name: string): readonly number[] => {
    const vertex = header.landmarks[name] ?? 0;
    return [...positions.subarray(3 * vertex, 3 * vertex + 3)];
  };
  // People in body scanners wear a cap. Its edge is a plane through the hairline and above both ears.
  const [, hairY = 0, hairZ = 0] = at('trichion');
  const [, earY = 0, earZ = 0] = at('superaurale_l');
  const [frontY, sideY] = [hairY + CAP_UP_MM.front, earY + CAP_UP_MM.ears];
  const slope = (frontY - sideY) / (hairZ - earZ);
  const head = header.bones.findIndex(({ name }) => name === 'head');
  const insideCap = new Int8Array(header.vertices).fill(-127);
  for (let vertex = 0; vertex < header.vertices; vertex++) {
    if (skinBone[4 * vertex] !== head) continue;
    const y = positions[3 * vertex + 1];
    const z = positions[3 * vertex + 2];
    const mm = y - sideY - slope * (z - earZ);
    insideCap[vertex] = Math.max(-127, Math.min(127, Math.round(mm)));
  }
  const eyes = [...eyeVertices(views).entries()].flatMap(([vertex, is]) =>
    is === 1 ? vertex : [],
  );
  for (const side of [-1, 1]) {
    const own = eyes.filter((vertex) => side * positions[3 * vertex] > 0);
    const [x, y, z] = [0, 1, 2].map(
      (k) => own.reduce((sum, vertex) => sum + positions[3 * vertex + k], 0) / own.length,
    );
    for (const vertex of own) {
      const far = Math.hypot(positions[3 * vertex] - x, positions[3 * vertex + 1] - y);
      insideCap[vertex] = Math.round(positions[3 * vertex + 2] > z ? IRIS_MM - far : -far);
    }
  }
  return { materialOf, insideCap };
}

/** The openness of a person's vertices, interpolated between the ages of the modes. */
export function opennessOf(
  { header, openness }: ShapeViews,
  pose: OpennessPose,
  gender: Gender,
  ageYears: number,
): Uint8Array {
  if (openness.length === 0) return new Uint8Array(header.vertices).fill(255);
  const { agesYears, vertices } = header;
  const last = agesYears.length - 1;
  const upper = agesYears.findIndex((years) => years >= ageYears);
  const high = upper < 0 ? last : upper;
  const low = Math.max(0, high - 1);
  const [from, to] = [agesYears[low], agesYears[high]];
  const share = high === low ? 0 : Math.min(1, (ageYears - from) / (to - from));
  const start = (age: number) => opennessStart(header, pose, GENDERS.indexOf(gender), age);
  const [a, b] = [start(low), start(high)];
  const mixed = new Uint8Array(vertices);
  for (let i = 0; i < vertices; i++) {
    mixed[i] = (1 - share) * openness[a + i] + share * openness[b + i] + 0.5;
  }
  return mixed;
}
