import { Document, type Material, NodeIO } from '@gltf-transform/core';
import type { Body, BodyBone } from '../body/body.js';
import { compressed, inGoodOrder } from './compressed.js';
import { normalsOf } from './surface.js';

/** Base colour (linear RGBA) and roughness of each material. */
const MATERIALS: Readonly<
  Record<string, { colour: [number, number, number, number]; rough: number }>
> = {
  skin: { colour: [0.56, 0.41, 0.32, 1], rough: 0.75 },
  suit: { colour: [0.1, 0.17, 0.27, 1], rough: 0.9 },
  eyes: { colour: [0.42, 0.36, 0.32, 1], rough: 0.5 },
};
const MM_PER_M = 1000;
/** In the file, the weights of a vertex sum to this value. */
const FILE_WEIGHTS = 255;
const GENERATOR = 'Vitruvia';

/** Options for the content and form of a file. */
export interface GlbOptions {
  /** Goes into `asset.extras`. */
  readonly extras?: Readonly<Record<string, unknown>>;
  /** Whether the file is compressed with meshopt. A program that reads the file must then know this extension. */
  readonly compress?: boolean;
}

/**
 * Returns a body as binary glTF 2.0 in metres: Y up, facing +Z, feet at 0. The file has one skinned mesh in the body's
 * pose with named bones, the materials skin, suit and eyes, and an empty node for each landmark. The same body and
 * options give the same bytes.
 */
export async function glbOf(
  body: Body,
  { extras = {}, compress = false }: GlbOptions = {},
): Promise<Uint8Array> {
  const document = new Document();
  const asset = document.getRoot().getAsset();
  asset.generator = GENERATOR;
  asset.extras = { ...extras };
  const buffer = document.createBuffer();
  const accessor = (array: Values, type: 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4') =>
    document.createAccessor().setArray(array).setType(type).setBuffer(buffer);
  const shape = compress ? await inWholeNumbers(meshOf(body)) : meshOf(body);
  const { positions, normals, joints, weights, bindMatrices, triangles } = shape;
  const attributes = {
    POSITION: accessor(positions, 'VEC3').setNormalized(compress),
    NORMAL: accessor(normals, 'VEC3').setNormalized(compress),
    JOINTS_0: accessor(joints, 'VEC4'),
    WEIGHTS_0: accessor(weights, 'VEC4').setNormalized(true),
  };
  const mesh = document.createMesh('body');
  body.materials.forEach(({ name }, material) => {
    const primitive = document
      .createPrimitive()
      .setIndices(accessor(triangles[material] as Uint16Array, 'SCALAR'))
      .setMaterial(materialOf(document, name));
    for (const [semantic, values] of Object.entries(attributes)) {
      primitive.setAttribute(semantic, values);
    }
    mesh.addPrimitive(primitive);
  });
  const scene = document.createScene('body');
  document.getRoot().setDefaultScene(scene);
  const nodes = body.bones.map(({ name, head, parent }) =>
    document.createNode(name).setTranslation(offset(head, body.bones[parent])),
  );
  const skin = document
    .createSkin('skeleton')
    .setInverseBindMatrices(accessor(bindMatrices, 'MAT4'));
  body.bones.forEach(({ parent }, bone) => {
    const node = nodes[bone];
    if (node === undefined) return;
    skin.addJoint(node);
    const above = nodes[parent];
    if (above === undefined) {
      scene.addChild(node);
      skin.setSkeleton(node);
    } else above.addChild(node);
  });
  scene.addChild(document.createNode('body').setMesh(mesh).setSkin(skin));
  const marks = document.createNode('landmarks');
  for (const [name, at] of body.landmarks) {
    const [x, y, z] = at.map((mm) => mm / MM_PER_M) as [number, number, number];
    marks.addChild(document.createNode(name).setTranslation([x, y, z]));
  }
  scene.addChild(marks);
  const file = await new NodeIO().writeBinary(document);
  return compress ? compressed(file) : file;
}

type Values = Float32Array | Uint8Array | Int8Array | Uint16Array | Int16Array;

/** The arrays of a mesh as the file stores them. */
interface FileMesh {
  readonly positions: Float32Array | Int16Array;
  readonly normals: Float32Array | Int8Array;
  readonly joints: Uint8Array;
  readonly weights: Uint8Array;
  readonly bindMatrices: Float32Array;
  /** For each material. */
  readonly triangles: readonly Uint16Array[];
}

function meshOf(body: Body): FileMesh {
  const triangles = body.materials.map((material) => material.triangles);
  return {
    positions: body.positions.map((mm) => mm / MM_PER_M),
    normals: normalsOf(body.positions, triangles),
    ...influencesOf(body),
    bindMatrices: bindMatrices(body.bones),
    triangles,
  };
}

const INT16_MAX = 32_767;
const INT8_MAX = 127;

/**
 * Converts a mesh to whole numbers, as KHR_mesh_quantization allows. Its vertices get the order in which the triangles
 * use them. Positions fill the range of 16 bits, in steps of 0.03 mm. The bind matrices convert them back.
 */
async function inWholeNumbers(mesh: FileMesh): Promise<FileMesh> {
  const triangles = await inGoodOrder(mesh.triangles);
  const met = [...new Set(triangles.flatMap((list) => [...list]))];
  const placeOf = new Uint16Array(mesh.positions.length / 3);
  met.forEach((vertex, place) => {
    placeOf[vertex] = place;
  });
  const moved = <T extends Values>(values: T, width: number): T => {
    const result = new (values.constructor as new (length: number) => T)(met.length * width);
    met.forEach((vertex, place) => {
      result.set(values.subarray(width * vertex, width * (vertex + 1)), width * place);
    });
    return result;
  };
  const positions = moved(mesh.positions, 3);
  const [low, high] = [Math.min, Math.max].map((pick, end) =>
    [0, 1, 2].map((axis) => {
      let found = end === 0 ? Infinity : -Infinity;
      for (let i = axis; i < positions.length; i += 3) found = pick(found, positions[i] as number);
      return found;
    }),
  ) as [number[], number[]];
  const centre = low.map((least, axis) => (least + (high[axis] as number)) / 2);
  const half = Math.max(...low.map((least, axis) => ((high[axis] as number) - least) / 2));
  return {
    positions: Int16Array.from(positions, (value, i) =>
      Math.round(((value - (centre[i % 3] as number)) / half) * INT16_MAX),
    ),
    normals: Int8Array.from(moved(mesh.normals, 3), (value) => Math.round(value * INT8_MAX)),
    joints: moved(mesh.joints, 4),
    weights: moved(mesh.weights, 4),
    bindMatrices: scaled(mesh.bindMatrices, half, centre),
    triangles: triangles.map((list) => list.map((vertex) => placeOf[vertex] as number)),
  };
}

/**
 * Combines matrices that have no rotation with a scale and a shift. Each result converts a whole number to a position,
 * then binds it.
 */
function scaled(matrices: Float32Array, scale: number, shift: readonly number[]): Float32Array {
  return matrices.map((value, i) => {
    const [column, row] = [Math.floor((i % 16) / 4), i % 4];
    if (column === row && row < 3) return value * scale;
    return column === 3 && row < 3 ? value + (shift[row] as number) : value;
  });
}

function materialOf(document: Document, name: string): Material {
  const { colour, rough } = MATERIALS[name] ?? { colour: [0.5, 0.5, 0.5, 1], rough: 0.9 };
  return document
    .createMaterial(name)
    .setBaseColorFactor(colour)
    .setRoughnessFactor(rough)
    .setMetallicFactor(0);
}

/** Position of a bone relative to its parent, metres. The bones of the file are not rotated. */
function offset(head: BodyBone['head'], parent: BodyBone | undefined): [number, number, number] {
  const [x, y, z] = head.map((mm, k) => (mm - (parent?.head[k] ?? 0)) / MM_PER_M);
  return [x ?? 0, y ?? 0, z ?? 0];
}

/** The inverse of each bone's place, column by column. */
function bindMatrices(bones: readonly BodyBone[]): Float32Array {
  return Float32Array.from(
    bones.flatMap(({ head }) => {
      const [x, y, z] = head.map((mm) => -mm / MM_PER_M);
      return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x ?? 0, y ?? 0, z ?? 0, 1];
    }),
  );
}

/** Converts bones and weights to bytes. Weights sum to 255. A bone of weight 0 gets index 0, as the format requires. */
function influencesOf({ skinBone, skinWeight }: Body): { joints: Uint8Array; weights: Uint8Array } {
  const joints = new Uint8Array(skinBone.length);
  const weights = new Uint8Array(skinBone.length);
  for (let i = 0; i < skinBone.length; i += 4) {
    let rest = FILE_WEIGHTS;
    for (let k = i + 3; k > i; k--) {
      weights[k] = Math.round(((skinWeight[k] as number) / 65_535) * FILE_WEIGHTS);
      rest -= weights[k] as number;
    }
    weights[i] = rest;
    for (let k = i; k < i + 4; k++) joints[k] = weights[k] === 0 ? 0 : (skinBone[k] as number);
  }
  return { joints, weights };
}
