import { Document, type Material, NodeIO } from '@gltf-transform/core';
import type { Body, BodyBone } from '../body/body.js';
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

/**
 * Returns a body as binary glTF 2.0 in metres: Y up, facing +Z, feet at 0. The file has one skinned mesh in the body's
 * pose with named bones, the materials skin, suit and eyes, and an empty node for each landmark. The same body and
 * extras give the same bytes.
 *
 * @param extras goes into `asset.extras`
 */
export async function glbOf(
  body: Body,
  extras: Readonly<Record<string, unknown>> = {},
): Promise<Uint8Array> {
  const document = new Document();
  const asset = document.getRoot().getAsset();
  asset.generator = GENERATOR;
  asset.extras = { ...extras };
  const buffer = document.createBuffer();
  const accessor = (
    array: Float32Array | Uint8Array | Uint16Array,
    type: 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4',
  ) => document.createAccessor().setArray(array).setType(type).setBuffer(buffer);
  const triangles = body.materials.map((material) => material.triangles);
  const { joints, weights } = influencesOf(body);
  const attributes = {
    POSITION: accessor(
      body.positions.map((mm) => mm / MM_PER_M),
      'VEC3',
    ),
    NORMAL: accessor(normalsOf(body.positions, triangles), 'VEC3'),
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
    const [x, y, z] = at.map((mm) => mm / MM_PER_M) as [number, number, number];
    marks.addChild(document.createNode(name).setTranslation([x, y, z]));
  }
  scene.addChild(marks);
  return new NodeIO().writeBinary(document);
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
