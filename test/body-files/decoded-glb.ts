import { MeshoptDecoder } from 'meshoptimizer';
import type { Point, Triangle } from './independent-tape.js';

interface GlbJson {
  readonly skins: readonly {
    readonly joints: readonly number[];
    readonly inverseBindMatrices: number;
  }[];
  readonly nodes: readonly {
    readonly translation?: readonly number[];
    readonly children?: readonly number[];
  }[];
  readonly meshes: readonly {
    readonly primitives: readonly {
      readonly attributes: Readonly<Record<string, number>>;
      readonly indices: number;
    }[];
  }[];
  readonly accessors: readonly { readonly bufferView: number; readonly count: number }[];
  readonly bufferViews: readonly {
    readonly extensions: {
      readonly EXT_meshopt_compression: {
        readonly byteOffset: number;
        readonly byteLength: number;
        readonly byteStride: number;
        readonly count: number;
        readonly mode: string;
        readonly filter?: string;
      };
    };
  }[];
}

/** A value that must be there. */
function sure<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a value is missing');
  return value;
}

const INT16_MAX = 32_767;
const MM_PER_M = 1000;

/** Reads a compressed GLB like a viewer: decodes it, and moves the vertices into the pose of the file. */
export async function decodeGlb(bytes: Uint8Array) {
  await MeshoptDecoder.ready;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const jsonBytes = view.getUint32(12, true);
  const text = Buffer.from(bytes.subarray(20, 20 + jsonBytes)).toString('utf8');
  const json = JSON.parse(text) as GlbJson;
  const binary = bytes.subarray(20 + jsonBytes + 8);
  const decode = (accessor: number) => {
    const { bufferView } = sure(json.accessors[accessor]);
    const { byteOffset, byteLength, byteStride, count, mode, filter } = sure(
      json.bufferViews[bufferView],
    ).extensions.EXT_meshopt_compression;
    const target = new Uint8Array(count * byteStride);
    const source = binary.subarray(byteOffset, byteOffset + byteLength);
    MeshoptDecoder.decodeGltfBuffer(target, count, byteStride, source, mode, filter);
    return { data: new DataView(target.buffer), stride: byteStride, count };
  };
  const skin = sure(json.skins[0]);
  const bind = decode(skin.inverseBindMatrices).data;
  const places = new Map<number, Point>();
  const walk = (node: number, from: Point): void => {
    const { translation = [0, 0, 0], children = [] } = sure(json.nodes[node]);
    const at = from.map((mm, k) => mm + MM_PER_M * sure(translation[k])) as Point;
    places.set(node, at);
    for (const child of children) walk(child, at);
  };
  walk(sure(skin.joints[0]), [0, 0, 0]);
  const first = sure(json.meshes[0]);
  const { attributes } = sure(first.primitives[0]);
  const positions = decode(sure(attributes.POSITION));
  const joints = decode(sure(attributes.JOINTS_0));
  const weights = decode(sure(attributes.WEIGHTS_0));
  const vertices = Array.from({ length: positions.count }, (_, i): Point => {
    const q = [0, 1, 2].map(
      (k) => positions.data.getInt16(i * positions.stride + 2 * k, true) / INT16_MAX,
    );
    const place: Point = [0, 0, 0];
    for (let k = 0; k < 4; k++) {
      const weight = weights.data.getUint8(i * weights.stride + k) / 255;
      const bone = joints.data.getUint8(i * joints.stride + k);
      const home = sure(places.get(sure(skin.joints[bone])));
      for (let axis = 0; axis < 3; axis++) {
        const entry = (column: number) =>
          bind.getFloat32(64 * bone + 4 * (4 * column + axis), true);
        const bound = entry(3) + [0, 1, 2].reduce((sum, c) => sum + entry(c) * sure(q[c]), 0);
        place[axis] = sure(place[axis]) + weight * (sure(home[axis]) + MM_PER_M * bound);
      }
    }
    return place;
  });
  const triangles = first.primitives.flatMap(({ indices }): Triangle[] => {
    const { data, count } = decode(indices);
    const corner = (i: number) => sure(vertices[data.getUint16(2 * i, true)]);
    return Array.from({ length: count / 3 }, (_, i) => [
      corner(3 * i),
      corner(3 * i + 1),
      corner(3 * i + 2),
    ]);
  });
  return { triangles, bones: skin.joints.length };
}
