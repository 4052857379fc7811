import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildShape } from '../../pipeline/body/build-shape.js';
import { BodyBuilder, type BodyPerson } from '../../src/body/body.js';
import type { Dimension } from '../../src/body/dimensions.js';
import type { Gender } from '../../src/core/genders.js';
import type { ShapeViews } from '../../src/lookup/shape-file.js';

const ROOT = join(import.meta.dirname, '../..');

/** Names of the people of `test/body/people.json`: drawn by the model, values to 0.1 mm. */
export const PEOPLE = ['man', 'woman', 'heavyMan', 'girl'] as const;
export type PersonName = (typeof PEOPLE)[number];

interface StoredPerson {
  readonly gender: Gender;
  readonly ageYears: number;
  readonly massKg: number;
  readonly dimensions: Readonly<Record<string, number>>;
}

const stored = JSON.parse(readFileSync(join(ROOT, 'test/body/people.json'), 'utf8')) as Record<
  PersonName,
  StoredPerson
>;

/** One of the people, to build. */
export function personNamed(name: PersonName): BodyPerson {
  const { dimensions, ...person } = stored[name];
  return { ...person, dimensions: new Map(Object.entries(dimensions) as [Dimension, number][]) };
}

let shape: Promise<ShapeViews> | undefined;

/** The shape of the tables in `data/raw`, built once for a file of tests. */
export function bodyShape(): Promise<ShapeViews> {
  shape ??= buildShape(join(ROOT, 'data/raw'));
  return shape;
}

/** Builds bodies of that shape. */
export async function bodyBuilder(): Promise<BodyBuilder> {
  return new BodyBuilder(await bodyShape());
}
