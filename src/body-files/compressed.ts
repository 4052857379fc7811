import { MeshoptEncoder } from 'meshoptimizer';

// Compresses a binary glTF with EXT_meshopt_compression
// (https://github.com/KhronosGroup/glTF/tree/main/extensions/2.0/Vendor/EXT_meshopt_compression) and
// KHR_mesh_quantization.

const MESHOPT = 'EXT_meshopt_compression';
const QUANTIZATION = 'KHR_mesh_quantization';

/** Version of the encoding that the extension describes. */
const ENCODING_VERSION = 0;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** Bits of a component of an encoded normal. */
const NORMAL_BITS = 8;

/** The parts of a file that compression changes. */
interface Gltf {
  readonly accessors: readonly {
    bufferView: number;
    byteOffset?: number;
    readonly componentType: number;
    readonly count: number;
    readonly type: string;
  }[];
  bufferViews: {
    readonly buffer: number;
    readonly byteOffset?: number;
    readonly byteLength: number;
    readonly byteStride?: number;
    readonly target?: number;
    readonly extensions?: object;
  }[];
  buffers: { readonly byteLength: number; readonly extensions?: object }[];
  extensionsUsed?: string[];
  extensionsRequired?: string[];
  readonly meshes: readonly {
    readonly primitives: readonly { readonly attributes: Readonly<Record<string, number>> }[];
  }[];
}

const COMPONENT_BYTES: Readonly<Record<number, number>> = {
  5120: 1,
  5121: 1,
  5122: 2,
  5123: 2,
  5125: 4,
  5126: 4,
};
const COMPONENTS: Readonly<Record<string, number>> = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };

/** Puts lists of triangles into an order that compresses well. The surface stays the same. */
export async function inGoodOrder(lists: readonly Uint16Array[]): Promise<readonly Uint16Array[]> {
  await MeshoptEncoder.ready;
  return lists.map((list) => {
    const ordered = Uint32Array.from(list);
    // `reorderMesh` also renumbers the vertices, in the order in which the triangles use them.
    const [renamed] = MeshoptEncoder.reorderMesh(ordered, true, true);
    const nameOf = new Uint16Array(list.length);
    renamed.forEach((name, vertex) => {
      if (name < nameOf.length) nameOf[name] = vertex;
    });
    return Uint16Array.from(ordered, (name) => nameOf[name] as number);
  });
}

/**
 * Compresses a glTF file. Each accessor gets its own part of the file. Accessors with the meaning `NORMAL` have signed
 * bytes.
 *
 * @param glb a binary glTF of one buffer
 */
export async function compressed(glb: Uint8Array): Promise<Uint8Array> {
  await MeshoptEncoder.ready;
  const { gltf, binary } = chunksOf(glb);
  const normals = new Set(
    gltf.meshes.flatMap(({ primitives }) => primitives.map(({ attributes }) => attributes.NORMAL)),
  );
  const parts: Uint8Array[] = [];
  const views: Gltf['bufferViews'] = [];
  let [written, decodedBytes] = [0, 0];
  gltf.accessors.forEach((accessor, index) => {
    const { count, componentType, type } = accessor;
    const view = gltf.bufferViews[accessor.bufferView];
    const bytes = (COMPONENT_BYTES[componentType] ?? 0) * (COMPONENTS[type] ?? 0);
    if (view === undefined || bytes === 0) throw new Error(`accessor ${index} is of unknown form`);
    const isList = type === 'SCALAR';
    const width = isList ? bytes : aligned(bytes);
    const from = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const plain = new Uint8Array(count * width);
    for (let i = 0; i < count; i++) {
      const at = from + i * (view.byteStride ?? bytes);
      plain.set(binary.subarray(at, at + bytes), i * width);
    }
    const isNormal = normals.has(index);
    const source = isNormal ? filteredNormals(plain, count) : plain;
    const mode = isList ? 'TRIANGLES' : 'ATTRIBUTES';
    const encoded = MeshoptEncoder.encodeGltfBuffer(source, count, width, mode, ENCODING_VERSION);
    const extension = {
      ...{ buffer: 0, byteOffset: written, byteLength: encoded.length, byteStride: width },
      ...{ count, mode },
      ...(isNormal ? { filter: 'OCTAHEDRAL' } : {}),
    };
    views.push({
      ...{ buffer: 1, byteOffset: decodedBytes, byteLength: plain.length },
      ...(isList || view.target === undefined ? {} : { byteStride: width }),
      ...(view.target === undefined ? {} : { target: view.target }),
      extensions: { [MESHOPT]: extension },
    });
    accessor.bufferView = index;
    delete accessor.byteOffset;
    const padded = new Uint8Array(aligned(encoded.length));
    padded.set(encoded);
    parts.push(padded);
    written += padded.length;
    decodedBytes += aligned(plain.length);
  });
  gltf.bufferViews = views;
  // The file does not contain the second buffer. It stands for the decoded content of the first buffer.
  gltf.buffers = [
    { byteLength: written },
    { byteLength: decodedBytes, extensions: { [MESHOPT]: { fallback: true } } },
  ];
  const extensions = [MESHOPT, QUANTIZATION];
  gltf.extensionsUsed = [...(gltf.extensionsUsed ?? []), ...extensions];
  gltf.extensionsRequired = [...(gltf.extensionsRequired ?? []), ...extensions];
  return fileOf(gltf, Buffer.concat(parts));
}

/** Converts normals of signed bytes to the form that the filter's decoder expects. */
function filteredNormals(plain: Uint8Array, count: number): Uint8Array {
  const signed = new Int8Array(plain.buffer, plain.byteOffset, plain.length);
  const most = 2 ** (NORMAL_BITS - 1) - 1;
  return MeshoptEncoder.encodeFilterOct(
    Float32Array.from(signed, (value) => value / most),
    count,
    COMPONENTS.VEC4 as number,
    NORMAL_BITS,
  );
}

function chunksOf(glb: Uint8Array): { gltf: Gltf; binary: Uint8Array } {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const jsonBytes = view.getUint32(HEADER_BYTES, true);
  const begin = HEADER_BYTES + CHUNK_HEADER_BYTES;
  const json = new TextDecoder().decode(glb.subarray(begin, begin + jsonBytes));
  const binary = glb.subarray(begin + jsonBytes + CHUNK_HEADER_BYTES);
  return { gltf: JSON.parse(json) as Gltf, binary };
}

function fileOf(gltf: Gltf, binary: Uint8Array): Uint8Array {
  const text = Buffer.from(JSON.stringify(gltf));
  const json = Buffer.alloc(aligned(text.length), ' ');
  json.set(text);
  const chunks = [
    { type: JSON_CHUNK, bytes: json },
    { type: BIN_CHUNK, bytes: binary },
  ];
  const length = chunks.reduce(
    (sum, { bytes }) => sum + CHUNK_HEADER_BYTES + bytes.length,
    HEADER_BYTES,
  );
  const file = Buffer.alloc(length);
  file.write('glTF', 'latin1');
  file.writeUInt32LE(2, 4);
  file.writeUInt32LE(length, 8);
  let at = HEADER_BYTES;
  for (const { type, bytes } of chunks) {
    file.writeUInt32LE(bytes.length, at);
    file.writeUInt32LE(type, at + 4);
    file.set(bytes, at + CHUNK_HEADER_BYTES);
    at += CHUNK_HEADER_BYTES + bytes.length;
  }
  return file;
}

/** The next multiple of four. */
function aligned(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}
