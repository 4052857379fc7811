import { ArtifactError } from './errors.js';
import { ARTIFACT_TYPES, FILES } from './format.js';
import { checkFormat } from './manifest.js';

/** A bone of the skeleton: the index of its parent (−1 for the first bone) and the joints at its ends. */
export interface ShapeBone {
  readonly name: string;
  readonly parent: number;
  readonly head: number;
  readonly tail: number;
}

/** Header of `shape.bin`. */
export interface ShapeHeader {
  /** Number of vertices; joints follow them among the points. */
  readonly vertices: number;
  readonly joints: number;
  /** Bones, each after its parent. */
  readonly bones: readonly ShapeBone[];
  /** Vertex of each landmark. */
  readonly landmarks: Readonly<Record<string, number>>;
  /** Ages in years of the macro modes, ascending. A shape between two ages is interpolated linearly. */
  readonly agesYears: readonly number[];
  /** Names of the local modes, in their order. */
  readonly localModes: readonly string[];
  /** Number of triangles of each material, in the order of `triangles`. */
  readonly materials: readonly { readonly name: string; readonly triangles: number }[];
  /** Number of triangles of each material, in the order of `lightTriangles`. */
  readonly lightMaterials: readonly { readonly name: string; readonly triangles: number }[];
}

/** Number of levels of muscle, and of weight, in the macro modes. */
export const MACRO_LEVELS = 3;
/** Influences of a vertex. */
export const INFLUENCES = 4;
/** The weights of a vertex sum to this. */
export const WEIGHT_UNITS = 65_535;
/** Right and upper end of a texture, in the units of `ShapeViews.uv`. */
export const UV_UNITS = 65_535;

/**
 * Views over `shape.bin`. The body is linear in the weights of its modes. Lengths are in mm; x points to the left of
 * the body, y up, z forward.
 */
export interface ShapeViews {
  readonly header: ShapeHeader;
  /** x, y, z of each point (vertices, then joints) of the base mesh. */
  readonly positions: Float32Array;
  /** Displacements of the macro modes, by `macroIndex`: three for each point, in units of `macroScale`. */
  readonly macro: Int16Array;
  /** Unit of each macro mode, mm. */
  readonly macroScale: Float32Array;
  /** Index of the first entry of each local mode in `localPoint`. The last value is the number of entries. */
  readonly localStart: Uint32Array;
  readonly localPoint: Uint16Array;
  /** x, y, z for each entry of `localPoint`, in units of `localScale`. */
  readonly localMove: Int16Array;
  readonly localScale: Float32Array;
  /** `INFLUENCES` bones of each vertex, largest weight first. */
  readonly skinBone: Uint8Array;
  readonly skinWeight: Uint16Array;
  /** Three vertices of each triangle, counterclockwise from outside, ordered by material. */
  readonly triangles: Uint16Array;
  /** Triangles of the light body, which uses only some of the vertices. */
  readonly lightTriangles: Uint16Array;
  /**
   * Place in a texture, u to the right and v up, of each corner of `triangles`, then of `lightTriangles`. Empty in
   * artifacts built before December 2026.
   */
  readonly uv: Uint16Array;
  /**
   * The share of the sky that each vertex sees, from 0 to 255, by `opennessStart`. Empty in artifacts built before
   * November 2026.
   */
  readonly openness: Uint8Array;
}

/** The poses with an openness. */
export const OPENNESS_POSES = ['standing', 'sitting'] as const;
/** A pose with an openness. */
export type OpennessPose = (typeof OPENNESS_POSES)[number];

/** Index of the openness of the first vertex. The people are the mean ones of a gender and of an age of the modes. */
export function opennessStart(
  { vertices, agesYears }: Pick<ShapeHeader, 'vertices' | 'agesYears'>,
  pose: OpennessPose,
  gender: number,
  age: number,
): number {
  const block = OPENNESS_POSES.indexOf(pose) * 2 + gender;
  return (block * agesYears.length + age) * vertices;
}

/**
 * Index of a macro mode. For each gender and age, the first mode is the mean of the races, followed by muscle × weight.
 */
export function macroIndex(ages: number, gender: number, age: number, cell: number): number {
  return (gender * ages + age) * (1 + MACRO_LEVELS * MACRO_LEVELS) + cell;
}

/** Index of the first coordinate of a macro mode in `macro`. */
export function macroStart({ vertices, joints }: ShapeHeader, mode: number): number {
  return mode * (vertices + joints) * 3;
}

const SECTIONS = {
  positions: Float32Array,
  macro: Int16Array,
  macroScale: Float32Array,
  localStart: Uint32Array,
  localPoint: Uint16Array,
  localMove: Int16Array,
  localScale: Float32Array,
  skinBone: Uint8Array,
  skinWeight: Uint16Array,
  triangles: Uint16Array,
  lightTriangles: Uint16Array,
  openness: Uint8Array,
  uv: Uint16Array,
} as const;
type Section = keyof typeof SECTIONS;
const SECTION_NAMES = Object.keys(SECTIONS) as Section[];

const MAGIC = 'VITSHAPE';
/** The magic word and the length of the JSON. */
const PREFIX_BYTES = 12;
const ALIGNMENT = 8;

interface FileHeader extends ShapeHeader {
  readonly artifactType: string;
  readonly formatVersion: string;
  /** Number of values of each section. Each section begins at the next multiple of eight bytes. */
  readonly lengths: Readonly<Partial<Record<Section, number>>>;
}

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** The bytes of `shape.bin`: magic word, length of the header, header as JSON, aligned sections. */
export function writeShape(views: ShapeViews, formatVersion: string): Uint8Array {
  const header: FileHeader = {
    artifactType: ARTIFACT_TYPES.shape,
    formatVersion,
    lengths: Object.fromEntries(
      SECTION_NAMES.map((name) => [name, views[name].length]),
    ) as FileHeader['lengths'],
    ...views.header,
  };
  const json = Buffer.from(JSON.stringify(header));
  const parts: { at: number; bytes: Uint8Array }[] = [];
  let end = aligned(PREFIX_BYTES + json.length);
  for (const name of SECTION_NAMES) {
    const { buffer, byteOffset, byteLength } = views[name];
    parts.push({ at: end, bytes: new Uint8Array(buffer, byteOffset, byteLength) });
    end = aligned(end + byteLength);
  }
  const file = Buffer.alloc(end);
  file.write(MAGIC, 'latin1');
  file.writeUInt32LE(json.length, MAGIC.length);
  file.set(json, PREFIX_BYTES);
  for (const { at, bytes } of parts) file.set(bytes, at);
  return file;
}

/**
 * Makes views over the bytes of `shape.bin`, without copying them.
 *
 * @throws ArtifactError `not_a_shape`, `truncated`, `wrong_type`, `newer_format`, `wrong_rows`
 */
export function readShape(bytes: Uint8Array): ShapeViews {
  const file = FILES.shape;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new ArtifactError('wrong_type', file, `does not begin with ${MAGIC}`);
  }
  const json = bytes.length < PREFIX_BYTES ? 0 : buffer.readUInt32LE(MAGIC.length);
  let header: FileHeader;
  try {
    header = JSON.parse(buffer.toString('utf8', PREFIX_BYTES, PREFIX_BYTES + json)) as FileHeader;
  } catch {
    throw new ArtifactError('truncated', file, 'has no whole header');
  }
  if (header.artifactType !== ARTIFACT_TYPES.shape) {
    throw new ArtifactError('wrong_type', file, `holds ${header.artifactType ?? 'no artifact'}`);
  }
  checkFormat(file, header.formatVersion);
  let end = aligned(PREFIX_BYTES + json);
  const sections = SECTION_NAMES.map((name) => {
    const View = SECTIONS[name];
    const length = header.lengths[name] ?? 0;
    if (end + length * View.BYTES_PER_ELEMENT > bytes.length) {
      throw new ArtifactError('truncated', file, `ends in ${name}`);
    }
    const view = new View(bytes.buffer as ArrayBuffer, bytes.byteOffset + end, length);
    end = aligned(end + view.byteLength);
    return [name, view] as const;
  });
  const { artifactType: _, formatVersion: __, lengths: ___, ...rest } = header;
  const views = { header: rest, ...Object.fromEntries(sections) } as unknown as ShapeViews;
  checkLengths(views);
  return views;
}

/** Checks that the sections have the lengths that the header implies. */
function checkLengths(views: ShapeViews): void {
  const { header } = views;
  const points = header.vertices + header.joints;
  const macros = macroIndex(header.agesYears.length, 2, 0, 0);
  const local = views.localStart.at(-1) ?? -1;
  const triangles = (materials: ShapeHeader['materials']) =>
    materials.reduce((sum, material) => sum + 3 * material.triangles, 0);
  const wanted: Record<Section, number> = {
    positions: 3 * points,
    macro: macros * 3 * points,
    macroScale: macros,
    localStart: header.localModes.length + 1,
    localPoint: local,
    localMove: 3 * local,
    localScale: header.localModes.length,
    skinBone: INFLUENCES * header.vertices,
    skinWeight: INFLUENCES * header.vertices,
    triangles: triangles(header.materials),
    lightTriangles: triangles(header.lightMaterials),
    openness:
      views.openness.length === 0
        ? 0
        : OPENNESS_POSES.length * 2 * header.agesYears.length * header.vertices,
    uv:
      views.uv.length === 0
        ? 0
        : 2 * (triangles(header.materials) + triangles(header.lightMaterials)),
  };
  for (const name of SECTION_NAMES) {
    if (views[name].length === wanted[name]) continue;
    const message = `section ${name} holds ${views[name].length} values, not ${wanted[name]}`;
    throw new ArtifactError('wrong_rows', FILES.shape, message);
  }
}

/** Maximum distance, in mm, of a point of a body from the origin, and maximum displacement of a point. */
const LARGEST_MM = 4000;

/**
 * Checks every number of a shape. Positions and units must be finite and small, and indices in range. The weights of a
 * vertex must sum to 1, and bones must follow their parents.
 *
 * @throws ArtifactError `not_a_number`, `out_of_range`
 */
export function verifyShape(views: ShapeViews): void {
  const { header } = views;
  const refuse = (name: string, value: number): never => {
    const fault = Number.isNaN(value) ? 'not_a_number' : 'out_of_range';
    throw new ArtifactError(fault, FILES.shape, `section ${name} holds ${value}`);
  };
  const within = (name: Section, least: number, most: number): void => {
    for (const value of views[name]) if (!(value >= least && value <= most)) refuse(name, value);
  };
  within('positions', -LARGEST_MM, LARGEST_MM);
  within('macroScale', 0, LARGEST_MM / 32_767);
  within('localScale', 0, LARGEST_MM / 32_767);
  within('localPoint', 0, header.vertices + header.joints - 1);
  within('skinBone', 0, header.bones.length - 1);
  within('triangles', 0, header.vertices - 1);
  within('lightTriangles', 0, header.vertices - 1);
  views.localStart.forEach((start, i) => {
    if (i > 0 && start < views.localStart[i - 1]) refuse('localStart', start);
  });
  for (let i = 0; i < views.skinWeight.length; i += INFLUENCES) {
    let sum = 0;
    for (let k = i; k < i + INFLUENCES; k++) sum += views.skinWeight[k];
    if (sum !== WEIGHT_UNITS) refuse('skinWeight', sum);
  }
  header.bones.forEach(({ parent, head, tail }, i) => {
    const joints = head >= 0 && head < header.joints && tail >= 0 && tail < header.joints;
    if (!(parent < i) || !joints) refuse('bones', i);
  });
  for (const vertex of Object.values(header.landmarks)) {
    if (!(vertex >= 0 && vertex < header.vertices)) refuse('landmarks', vertex);
  }
}
