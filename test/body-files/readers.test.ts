import assimp from 'assimpjs';
import { type Object3D, SkinnedMesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js';
import { STLLoader } from 'three/addons/loaders/STLLoader.js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../../src/body/body.js';
import { glbOf } from '../../src/body-files/glb.js';
import { objOf } from '../../src/body-files/obj.js';
import { stlOf } from '../../src/body-files/stl.js';
import { bodyBuilder, personNamed } from '../support/body.js';
import { enclosedLitres, type Point, type Triangle } from './independent-tape.js';

// Other programs read the files: assimp, which many engines use, and the loaders of three.

let body: Body;
beforeAll(async () => {
  const builder = await bodyBuilder();
  body = builder.mesh(builder.fit(personNamed('woman')), 'sitting', 'light');
});

/** Triangles of positions and of indices, if there are any. */
function trianglesOf(points: readonly Point[], indices?: ArrayLike<number>): Triangle[] {
  const order = indices === undefined ? points.map((_, i) => i) : Array.from(indices);
  return Array.from(
    { length: order.length / 3 },
    (_, i) => [0, 1, 2].map((k) => points[order[3 * i + k] as number]) as Triangle,
  );
}

const pointsOf = (values: ArrayLike<number>, scale = 1): Point[] =>
  Array.from(
    { length: values.length / 3 },
    (_, i) => [0, 1, 2].map((k) => scale * (values[3 * i + k] as number)) as Point,
  );

const arrayOf = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer;

describe('three', () => {
  it('shows the GLB as it is', async () => {
    const file = await new GLTFLoader().parseAsync(arrayOf(await glbOf(body)), '');
    expect(file.scene.getObjectByName('hand_l')).toBeDefined();
    file.scene.updateMatrixWorld(true);
    const meshes: SkinnedMesh[] = [];
    file.scene.traverse((node: Object3D) => {
      if (node instanceof SkinnedMesh) meshes.push(node);
    });
    expect(meshes).toHaveLength(3);
    const at = new Vector3();
    const litres = meshes.reduce((sum, mesh) => {
      const count = mesh.geometry.getAttribute('position').count;
      const points = Array.from({ length: count }, (_, i): Point => {
        mesh.getVertexPosition(i, at).applyMatrix4(mesh.matrixWorld);
        return [1000 * at.x, 1000 * at.y, 1000 * at.z];
      });
      return sum + enclosedLitres(trianglesOf(points, mesh.geometry.index?.array));
    }, 0);
    expect(litres).toBeCloseTo(body.report.volumeLitres, 1);
  });

  it('shows STL and OBJ', () => {
    const stl = new STLLoader().parse(arrayOf(stlOf(body)));
    const obj = new OBJLoader().parse(Buffer.from(objOf(body, ['a remark'])).toString());
    const parts = obj.children.map((child) => {
      const { geometry } = child as SkinnedMesh;
      return trianglesOf(pointsOf(geometry.getAttribute('position').array));
    });
    expect(obj.children.map(({ name }) => name)).toEqual(['skin', 'suit', 'eyes']);
    for (const triangles of [
      trianglesOf(pointsOf(stl.getAttribute('position').array)),
      parts.flat(),
    ]) {
      expect(enclosedLitres(triangles)).toBeCloseTo(body.report.volumeLitres, 2);
    }
  });
});

describe('assimp', () => {
  it.each([
    ['glb', () => glbOf(body), 1000],
    ['stl', async () => stlOf(body), 1],
    ['obj', async () => objOf(body, ['a remark']), 1],
  ] as const)('reads %s', async (ending, make, toMm) => {
    const reader = await assimp();
    const files = new reader.FileList();
    files.AddFile(`body.${ending}`, await make());
    const result = reader.ConvertFileList(files, 'assjson');
    expect(result.IsSuccess()).toBe(true);
    const scene = JSON.parse(new TextDecoder().decode(result.GetFile(0).GetContent())) as {
      meshes: { vertices: number[]; faces: number[][]; bones?: { name: string }[] }[];
    };
    const triangles = scene.meshes.flatMap(({ vertices, faces }) =>
      trianglesOf(pointsOf(vertices, toMm), faces.flat()),
    );
    expect(enclosedLitres(triangles)).toBeCloseTo(body.report.volumeLitres, 1);
    if (ending === 'glb') {
      expect(scene.meshes[0]?.bones?.map(({ name }) => name)).toContain('hand_l');
    }
  });
});
