import { GENDERS, type Gender } from '../core/genders.js';
import {
  type OpennessPose,
  opennessStart,
  type ShapeHeader,
  type ShapeViews,
} from '../lookup/shape-file.js';

/** Material of each triangle, as an index of the materials of the shape: skin, suit, eyes, iris. */
export function materialsOf({ materials }: ShapeHeader): Uint8Array {
  return Uint8Array.from(
    materials.flatMap(({ triangles }, material) => new Array<number>(triangles).fill(material)),
  );
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
