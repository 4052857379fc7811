import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ImportRefusal } from '../importer.js';
import type { InputDigest } from '../input.js';

const REMEDY =
  'Give the folder with base.obj, targets, rig and weights of the commits in SOURCE.md';
/** MakeHuman works in decimetres. */
export const MM_PER_UNIT = 100;

/** The base mesh: vertices in mm, the faces of each named group, and the place of each corner of a face in textures. */
export interface BaseMesh {
  readonly positions: readonly (readonly [number, number, number])[];
  readonly groups: ReadonlyMap<string, readonly (readonly number[])[]>;
  readonly uvs: ReadonlyMap<readonly number[], readonly (readonly [u: number, v: number])[]>;
}

/** A bone of the rig: its parent, and the groups of the joints at its ends. */
export interface RigBone {
  readonly name: string;
  readonly parent: string;
  readonly head: string;
  readonly tail: string;
}

/** Displacements of a target in mm, by vertex of the base mesh. */
export type Target = ReadonlyMap<number, readonly [number, number, number]>;

/** Reads the files of MakeHuman's assets and remembers the digest of each. */
export class AssetFolder {
  private readonly read = new Map<string, InputDigest>();

  constructor(private readonly folder: string) {}

  /** Names, sizes and checksums of the files read so far, sorted by name. */
  get digests(): InputDigest[] {
    return [...this.read.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** @throws ImportRefusal when the file is not in the folder */
  bytes(name: string): Buffer {
    let content: Buffer;
    try {
      content = readFileSync(join(this.folder, name));
    } catch {
      throw new ImportRefusal(name, `is not in ${this.folder}`, REMEDY);
    }
    const sha256 = createHash('sha256').update(content).digest('hex');
    this.read.set(name, { name, bytes: content.byteLength, sha256 });
    return content;
  }

  /** Names, without endings, of the targets in a folder below `targets`, sorted. */
  targets(folder: string): string[] {
    const root = join(this.folder, 'targets');
    const names = readdirSync(join(root, folder)).map((name) => join(root, folder, name));
    return names
      .filter((name) => name.endsWith('.target.gz'))
      .map((name) => relative(root, name).replace(/\.target\.gz$/, ''))
      .sort();
  }

  /**
   * Reads the base mesh.
   *
   * @throws ImportRefusal if it is not the expected mesh or does not state CC0
   */
  baseMesh(): BaseMesh {
    const text = this.bytes('base.obj').toString('utf8');
    checkStatement('base.obj', text);
    const positions: [number, number, number][] = [];
    const places: [u: number, v: number][] = [];
    const uvs = new Map<number[], [u: number, v: number][]>();
    const groups = new Map<string, number[][]>();
    let faces: number[][] = [];
    for (const line of text.split('\n')) {
      const [kind, ...words] = line.trim().split(/\s+/);
      if (kind === 'v') positions.push(triple(words));
      else if (kind === 'vt') places.push([Number(words[0]), Number(words[1])]);
      else if (kind === 'f') {
        const corners = words.map((word) => word.split('/').map((number) => Number(number) - 1));
        const face = corners.map(([vertex = -1]) => vertex);
        faces.push(face);
        uvs.set(
          face,
          corners.map(([, place = -1]) => places[place] ?? [Number.NaN, Number.NaN]),
        );
      } else if (kind === 'g') {
        faces = groups.get(words[0] ?? '') ?? [];
        groups.set(words[0] ?? '', faces);
      }
    }
    if (positions.length !== 19_158) {
      const reason = `has ${positions.length} vertices, not the 19158 of the mesh hm08`;
      throw new ImportRefusal('base.obj', reason, REMEDY);
    }
    return { positions, groups, uvs };
  }

  /**
   * Reads a target.
   *
   * @param name without ending, such as `neck/neck-scale-depth-incr`
   * @throws ImportRefusal if it is missing, broken or does not state CC0
   */
  target(name: string): Target {
    const file = `targets/${name}.target.gz`;
    const text = gunzipSync(this.bytes(file)).toString('utf8');
    checkStatement(file, text);
    const displacements = new Map<number, [number, number, number]>();
    for (const line of text.split('\n')) {
      if (line.startsWith('#') || line.trim() === '') continue;
      const [vertex, ...words] = line.trim().split(/\s+/);
      const moved = triple(words);
      if (!moved.every(Number.isFinite)) {
        throw new ImportRefusal(file, `has the line "${line}"`, REMEDY);
      }
      displacements.set(Number(vertex), moved);
    }
    return displacements;
  }

  /** The bones of the rig, each after its parent. The root is left out, because it moves nothing. */
  bones(): RigBone[] {
    type Joint = { cube_name?: string };
    type Entry = { parent: string; head: Joint; tail: Joint };
    const rig = this.json('rig.game_engine.json') as Record<string, Entry>;
    const bones: RigBone[] = [];
    const add = (parent: string): void => {
      for (const [name, entry] of Object.entries(rig)) {
        if (entry.parent !== parent) continue;
        const [head, tail] = [entry.head.cube_name, entry.tail.cube_name];
        if (head === undefined || tail === undefined) {
          throw new ImportRefusal('rig.game_engine.json', `${name} has no joints`, REMEDY);
        }
        bones.push({ name, parent: parent === 'Root' ? '' : parent, head, tail });
        add(name);
      }
    };
    add('Root');
    return bones;
  }

  /** Skin weights: for each bone, its vertices and their weights. */
  weights(): Readonly<Record<string, readonly (readonly [number, number])[]>> {
    const file = 'weights.game_engine.json';
    const { license, weights } = this.json(file) as {
      license: string;
      weights: Record<string, [number, number][]>;
    };
    if (license !== 'CC0') {
      throw new ImportRefusal(file, `states the licence ${license}, not CC0`, REMEDY);
    }
    return weights;
  }

  private json(file: string): unknown {
    return JSON.parse(this.bytes(file).toString('utf8'));
  }
}

function triple(words: readonly string[]): [number, number, number] {
  const [x, y, z] = words.map((word) => Number(word) * MM_PER_UNIT);
  return [x ?? Number.NaN, y ?? Number.NaN, z ?? Number.NaN];
}

/** Refuses a file that does not state CC0 in its own header. */
function checkStatement(file: string, text: string): void {
  if (text.slice(0, 1000).includes('explicitly released as CC0')) return;
  throw new ImportRefusal(file, 'does not state CC0 in its header', REMEDY);
}
