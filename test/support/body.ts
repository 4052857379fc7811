import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildShape } from '../../pipeline/body/build-shape.js';
import { BODY_SOURCE } from '../../pipeline/body/read-tables.js';
import { BodyBuilder, type BodyPerson, type FittedPerson } from '../../src/body/body.js';
import type { Dimension } from '../../src/body/dimensions.js';
import type { Gender } from '../../src/core/genders.js';
import { FORMAT_VERSION } from '../../src/lookup/format.js';
import { readShape, type ShapeViews, writeShape } from '../../src/lookup/shape-file.js';
import { fileOfSources } from './artifacts-of-sources.js';
import { writeTinyArtifact } from './tiny-artifact.js';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Names of the people in `test/body/people.json`. The model drew them, and completed face and elbows from their other
 * dimensions. Values have a precision of 0.1 mm.
 */
export const PEOPLE = ['man', 'woman', 'heavyMan', 'girl'] as const;
export type PersonName = (typeof PEOPLE)[number];

/** Those of the people who differ most. */
export const EXTREMES = ['heavyMan', 'girl'] as const satisfies readonly PersonName[];

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

const written = new Map<string, Promise<string>>();

/**
 * Writes a tiny artifact with the mesh, once for all files that a worker runs. Its medians are the dimensions of two of
 * the people. Bodies of adults can be
 * built from it, but not those of children.
 *
 * @returns the folder to give as `ARTIFACTS_DIR`
 */
export function writeBodyArtifact(version = 'tiny'): Promise<string> {
  const artifact = written.get(version) ?? writeArtifact(version);
  written.set(version, artifact);
  return artifact;
}

async function writeArtifact(version: string): Promise<string> {
  const { man, woman } = stored;
  const names = Object.keys(woman.dimensions);
  const sizesMm = new Map(
    names.map((name) => [
      name,
      [man.dimensions[name] as number, woman.dimensions[name] as number] as const,
    ]),
  );
  return writeTinyArtifact(version, { bodies: { shape: await bodyShape(), sizesMm } });
}

let shape: Promise<ShapeViews> | undefined;

/** Sources of the shape. */
const ORIGINS = [
  ...[`data/raw/${BODY_SOURCE}`, 'pipeline/body', 'pipeline/plans', 'src/core', 'src/body'],
  ...['src/lookup', 'src/render', 'package-lock.json'],
];

/** The shape of the tables in `data/raw`, built once for all workers. */
export function bodyShape(): Promise<ShapeViews> {
  shape ??= fileOfSources('shape', ORIGINS, async () =>
    writeShape(
      await buildShape(join(ROOT, 'data/raw')),
      `${FORMAT_VERSION.major}.${FORMAT_VERSION.minor}`,
    ),
  ).then(readShape);
  return shape;
}

let builder: Promise<BodyBuilder> | undefined;

/** Builds bodies of that shape. */
export function bodyBuilder(): Promise<BodyBuilder> {
  builder ??= bodyShape().then((views) => new BodyBuilder(views));
  return builder;
}

const fitted = new Map<PersonName, FittedPerson>();

/** The body of one of the people. It is fitted once for all files that a worker runs. */
export async function fittedPerson(name: PersonName): Promise<FittedPerson> {
  const person = fitted.get(name) ?? (await bodyBuilder()).fit(personNamed(name));
  fitted.set(name, person);
  return person;
}
