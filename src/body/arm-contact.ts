import { farthestAround, type Mesh, skinOf } from './contact-map.js';
import { edgesWithin } from './regions.js';
import { type Posed, vectorAt } from './skeleton.js';
import { hullOf, perimeterOf, sliceOf } from './slice.js';
import { PLACES } from './tape.js';
import { about, between, dot, fromAxis, length, minus, ramp, sum, turn, unit } from './vectors.js';

/** Distance between the skin of arm and flank, mm. */
const GAP_MM = 1;
/** A vertex belongs to the trunk or to an arm from this share of its bones on. */
const SHARE = 0.5;
/** Skin of the arm gives way fully from `SHARE` and this share of its bones on. */
const FULL = 0.2;
/** The forearm gives way fully and not at all at these shares of the way to the wrist. */
const FOREARM = { fully: 0.8, none: 1 } as const;
/**
 * Near its middle, the upper arm is made deeper, because the flank makes it narrower: fully up to the first distance from
 * the middle, and not beyond the other one. Distances are shares of the upper arm.
 */
const DEEPER = { fully: 0.15, none: 0.35 } as const;
/** Largest number of rounds in which the arm gets its girth back. */
const ROUNDS = 3;
/** Depths nearer to the wrist than this share of the palm count as if they lay there, so that the angle stays small. */
const PALM_FROM = 0.4;
/** A hand turns out by at most this, radians. */
const TURNED_MOST = Math.PI / 6;

/**
 * Flattens the inner side of arms where it lies in the flank or in the thigh, as flesh that rests on flesh. The upper arm
 * keeps the girth of its middle, so it becomes deeper. Hanging hands turn out at the wrist until they are free. The trunk
 * keeps its form, because tapes lie on it.
 *
 * @param posed the posed body; its arms are changed in place
 * @param hang whether the hands hang beside the thighs
 */
export function layArms(
  mesh: Mesh,
  { vertices, heads }: Pick<Posed, 'vertices' | 'heads'>,
  hang: boolean,
): void {
  const { skeleton } = mesh;
  const arms = skeleton.once('arms', () => armsOf(mesh));
  const elbowY = vectorAt(heads, skeleton.bone('lowerarm_l'))[1];
  const flankAt = farthestAround(skinOf(mesh, FLANK), vertices, 0, elbowY);
  for (const { sign, skin, shares, upper, hand, handBones, bones } of arms) {
    /** How deep a vertex lies in trunk and thighs, sideways, mm. */
    const depthOf = (vertex: number): number => {
      const far = flankAt(vertices[3 * vertex + 1], vertices[3 * vertex + 2]) + GAP_MM;
      return Math.max(0, far - sign * vertices[3 * vertex]);
    };
    const [shoulder, elbow, wrist, knuckle] = bones.map((bone) => vectorAt(heads, bone));
    const normal = unit(minus(elbow, shoulder));
    const level = dot(between(shoulder, elbow, PLACES.upperArm), normal);
    const girth = (): number => {
      const { points } = sliceOf(upper, vertices, normal, level);
      return perimeterOf(hullOf(points, normal));
    };
    const wanted = girth();
    const free = vertices.slice();
    // How much each vertex gives way, and how far it moves forward when the arm becomes deeper.
    const gives = new Float64Array(skin.length);
    const ahead = new Float64Array(skin.length);
    skin.forEach((vertex, i) => {
      const at = vectorAt(vertices, vertex);
      const fore = fromAxis(at, elbow, wrist).way - FOREARM.fully;
      gives[i] = shares[i] * (1 - ramp(fore / (FOREARM.none - FOREARM.fully)));
      const { way, out } = fromAxis(at, shoulder, elbow);
      const beside = Math.abs(way - PLACES.upperArm) - DEEPER.fully;
      ahead[i] = out[2] * (1 - ramp(beside / (DEEPER.none - DEEPER.fully)));
    });
    let factor = 1;
    for (let round = 0; ; round++) {
      skin.forEach((vertex, i) => {
        const at = 3 * vertex;
        vertices[at] = free[at];
        vertices[at + 2] = free[at + 2] + (factor - 1) * ahead[i];
        vertices[at] += sign * gives[i] * depthOf(vertex);
      });
      const found = girth();
      if (round === ROUNDS || found >= wanted) break;
      factor *= wanted / found;
    }
    if (!hang) continue;
    const palmMm = length(minus(knuckle, wrist));
    let slope = 0;
    for (const vertex of hand.vertices) {
      const down = wrist[1] - vertices[3 * vertex + 1];
      if (hand.shares[vertex] < SHARE || down < 0) continue;
      slope = Math.max(slope, depthOf(vertex) / Math.max(down, PALM_FROM * palmMm));
    }
    if (slope === 0) continue;
    const out = about([0, 0, 1], sign * Math.min(TURNED_MOST, Math.atan(slope)));
    const turned = (values: Float64Array, index: number, share: number): void => {
      const at = vectorAt(values, index);
      values.set(between(at, sum(wrist, turn(out, minus(at, wrist))), share), 3 * index);
    };
    for (const vertex of hand.vertices) {
      turned(vertices, vertex, ramp((hand.shares[vertex] - SHARE) / (1 - SHARE)));
    }
    for (const bone of handBones) turned(heads, bone, 1);
  }
}

/** What arms lie on. */
export const FLANK = /^(pelvis|spine_0.|thigh_[lr])$/;

/** The parts of both arms. */
function armsOf({ skeleton, views: { triangles } }: Mesh) {
  return (['l', 'r'] as const).map((side) => {
    const arm = skeleton.movedBy(new RegExp(`^(upperarm|lowerarm)_${side}$`));
    const upper = skeleton.movedBy(new RegExp(`^upperarm_${side}$`));
    const ofHand = new RegExp(`^(hand|(index|middle|ring|pinky|thumb)_0.)_${side}$`);
    const skin = arm.vertices.filter((vertex) => arm.shares[vertex] > SHARE);
    return {
      sign: side === 'l' ? 1 : -1,
      skin,
      shares: Float64Array.from(skin, (vertex) => ramp((arm.shares[vertex] - SHARE) / FULL)),
      upper: {
        vertices: upper.vertices,
        edges: edgesWithin(triangles, (vertex) => upper.shares[vertex] > SHARE),
        cuts: [],
      },
      hand: skeleton.movedBy(ofHand),
      handBones: [...skeleton.names.keys()].filter((bone) => ofHand.test(skeleton.names[bone])),
      bones: ['upperarm', 'lowerarm', 'hand', 'middle_01'].map((name) =>
        skeleton.bone(`${name}_${side}`),
      ),
    };
  });
}
