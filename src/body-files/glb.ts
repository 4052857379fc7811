import { Document, type GLTF, type Material, NodeIO, type TypedArray } from '@gltf-transform/core';
import { type Body, type BodyBone, picked, UV_UNITS } from '../body/body.js';
import { vertexNormals } from '../body/volume.js';

/** Base colour (linear RGBA) and roughness of each material. */
const MATERIALS: Readonly<
  Record<string, { colour: [number, number, number, number]; rough: number }>
> = {
  skin: { colour: [0.56, 0.41, 0.32, 1], rough: 0.75 },
  suit: { colour: [0.1, 0.17, 0.27, 1], rough: 0.9 },
  eyes: { colour: [0.8, 0.8, 0.8, 1], rough: 0.4 },
  iris: { colour: [0.12, 0.15, 0.17, 1], rough: 0.3 },
};
const MM_PER_M = 1000;
/** In the file, the weights of a vertex sum to this value. */
const FILE_WEIGHTS = 255;
/** A length of a node in whole micrometres: digits that nobody needs would make a tenth of its text more. */
const metres = (mm: number): number => Math.round(MM_PER_M * mm) / MM_PER_M ** 2;

/** A new document, and what adds an array of numbers to it. */
function newDocument() {
  const document = new Document();
  document.getRoot().getAsset().generator = 'Vitruvia';
  const buffer = document.createBuffer();
  const accessor = (array: TypedArray, type: GLTF.AccessorType) =>
    document.createAccessor().setArray(array).setType(type).setBuffer(buffer);
  return { document, accessor };
}

/**
 * Returns a body as binary glTF 2.0 in metres: Y up, facing +Z, feet at 0. The file has one skinned mesh in the body's
 * pose with named bones, places in a texture, the materials skin, suit, eyes and iris, and an empty node for each
 * landmark. The same body and extras give the same bytes.
 *
 * @param extras goes into `asset.extras`
 */
export async function glbOf(
  body: Body,
  extras: Readonly<Record<string, unknown>> = {},
): Promise<Uint8Array> {
  const { document, accessor } = newDocument();
  document.getRoot().getAsset().extras = { ...extras };
  const { triangles, vertexOf, uv } = splitAtSeams(body);
  const own = <T extends Float32Array | Uint8Array>(values: T, width: number): T =>
    picked(values, width, vertexOf);
  const { joints, weights } = influencesOf(body);
  const all = Uint16Array.from(body.materials.flatMap((one) => [...one.triangles]));
  const normals = vertexNormals(body.positions, all);
  const attributes = {
    POSITION: accessor(
      own(body.positions, 3).map((mm) => mm / MM_PER_M),
      'VEC3',
    ),
    NORMAL: accessor(own(normals, 3), 'VEC3'),
    TEXCOORD_0: accessor(uv, 'VEC2').setNormalized(true),
    JOINTS_0: accessor(own(joints, 4), 'VEC4'),
    WEIGHTS_0: accessor(own(weights, 4), 'VEC4').setNormalized(true),
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
    .setInverseBindMatrices(accessor(bindMatrices(body.bones), 'MAT4'));
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
    const [x, y, z] = at.map(metres) as [number, number, number];
    marks.addChild(document.createNode(name).setTranslation([x, y, z]));
  }
  scene.addChild(marks);
  return new NodeIO().writeBinary(document);
}

/** The triangles with a vertex for each place in the texture. A seam passes vertices with several places. */
function splitAtSeams({ materials }: Body) {
  const known = new Map<number, number>();
  const vertexOf: number[] = [];
  const uv: number[] = [];
  const triangles = materials.map(({ triangles: corners, uv: places }) =>
    corners.map((vertex, i) => {
      const [u = 0, v = 0] = places.subarray(2 * i, 2 * i + 2);
      const key = (vertex * (UV_UNITS + 1) + u) * (UV_UNITS + 1) + v;
      const index = known.get(key) ?? vertexOf.length;
      if (index === vertexOf.length) {
        known.set(key, index);
        vertexOf.push(vertex);
        // The format counts v from the top.
        uv.push(u, UV_UNITS - v);
      }
      return index;
    }),
  );
  return { triangles, vertexOf, uv: Uint16Array.from(uv) };
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
  const [x, y, z] = head.map((mm, k) => metres(mm - (parent?.head[k] ?? 0)));
  return [x, y, z];
}

/** The inverse of each bone's place, column by column. */
function bindMatrices(bones: readonly BodyBone[]): Float32Array {
  return Float32Array.from(
    bones.flatMap(({ head }) => {
      const [x, y, z] = head.map((mm) => -mm / MM_PER_M);
      return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
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
      weights[k] = Math.round((skinWeight[k] / 65_535) * FILE_WEIGHTS);
      rest -= weights[k];
    }
    weights[i] = rest;
    for (let k = i; k < i + 4; k++) joints[k] = weights[k] === 0 ? 0 : skinBone[k];
  }
  return { joints, weights };
}

/** A closed surface, such as that around the places that people reach. */
export interface Solid {
  readonly name: string;
  /** In mm: x forward, y left, z up. */
  readonly positions: Float32Array;
  readonly triangles: Uint16Array;
}

/** Linear RGBA: so that a person inside can be seen. */
const COLOUR: [number, number, number, number] = [0.1, 0.35, 0.6, 0.35];

/** Solids as binary glTF 2.0 in metres: Y up, facing +Z. Each is a node with its name. */
export async function solidsGlb(solids: readonly Solid[]): Promise<Uint8Array> {
  const { document, accessor } = newDocument();
  const scene = document.createScene();
  const material = document
    .createMaterial('reach')
    .setBaseColorFactor(COLOUR)
    .setAlphaMode('BLEND');
  for (const { name, positions, triangles } of solids) {
    // x, y, z of the file are y, z, x of the solid.
    const metres = positions.map((_, i) => positions[i % 3 === 2 ? i - 2 : i + 1] / MM_PER_M);
    const primitive = document
      .createPrimitive()
      .setMaterial(material)
      .setAttribute('POSITION', accessor(metres, 'VEC3'))
      .setAttribute('NORMAL', accessor(vertexNormals(metres, triangles), 'VEC3'))
      .setIndices(accessor(triangles, 'SCALAR'));
    const mesh = document.createMesh(name).addPrimitive(primitive);
    scene.addChild(document.createNode(name).setMesh(mesh));
  }
  return new NodeIO().writeBinary(document);
}
