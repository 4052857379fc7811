import { NodeIO } from '@gltf-transform/core';
import { vertexNormals } from '../body/volume.js';
import { newDocument } from './glb.js';

/** A closed surface, such as that around the places that people reach. */
export interface Solid {
  readonly name: string;
  /** In mm: x forward, y left, z up. */
  readonly positions: Float32Array;
  readonly triangles: Uint16Array;
}

const MM_PER_M = 1000;
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
