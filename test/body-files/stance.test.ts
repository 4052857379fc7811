import { type Group, type SkinnedMesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/core/errors.js';
import type { MeasurementName } from '../../src/core/measurements.js';
import { body } from '../../src/operations/body.js';
import { completePerson } from '../../src/operations/complete-person.js';
import { validateRequest } from '../../src/operations/validate.js';
import { type Demand, PersonInScene } from '../../src/reach/demands.js';
import { LEANS, measurementsFor, REACH_POSES, type Stretch } from '../../src/reach/sitter.js';
import { seeded } from '../support/random.js';
import { realModel } from '../support/servers.js';
import { isWholeRun } from '../support/whole-run.js';

const PEOPLE = [
  ['Female', 34, 'JP', 5],
  ['Male', 40, 'NL', 95],
  ['Male', 8, 'US', 50],
  ['Female', 72, 'IN', 60],
] as const;
/** Bodies of each person. Each has two hands, so there are 200 places of all in `npm run test:all`. */
const BODIES = isWholeRun ? 25 : 6;
/** Margins nearer to 0 may differ in sign, because answers are rounded. */
const NEAR_MM = 0.1;

const model = await realModel();

/** Makes the body of a request and reads it with three: the largest distance of a fingertip from its place, mm. */
async function missMm(person: object, stance: Stance): Promise<number> {
  const input = validateRequest(body, { person, stance, detail: 'light' });
  const { bytes } = (await body.file?.make(input as never, model)) ?? { bytes: new Uint8Array() };
  const { scene } = await new Promise<{ scene: Group }>((resolve, reject) => {
    new GLTFLoader().parse(Uint8Array.from(bytes).buffer, '', resolve, reject);
  });
  scene.updateMatrixWorld(true);
  const tips = Object.values(stance.hands).map(({ at: { x, y, z } }) =>
    new Vector3(y, z, x).divideScalar(1000),
  );
  const least = tips.map(() => Number.POSITIVE_INFINITY);
  scene.traverse((node) => {
    const mesh = node as SkinnedMesh;
    const count = mesh.isSkinnedMesh ? (mesh.geometry.getAttribute('position').count ?? 0) : 0;
    for (let vertex = 0; vertex < count; vertex++) {
      const at = mesh.getVertexPosition(vertex, new Vector3());
      tips.forEach((tip, i) => {
        least[i] = Math.min(least[i] as number, at.distanceTo(tip));
      });
    }
  });
  const nodes = ['dactylion_l', 'dactylion_r'].map((name, i) =>
    scene
      .getObjectByName(name)
      ?.getWorldPosition(new Vector3())
      .distanceTo(tips[i] as Vector3),
  );
  return 1000 * Math.max(...least, ...nodes.map((far) => far ?? Number.NaN));
}

type Point = { readonly x: number; readonly y: number; readonly z: number };
type Hand = { readonly at: Point; readonly by: 'fingertip' };
interface Stance {
  readonly base: (typeof REACH_POSES)[number];
  readonly lean: (typeof LEANS)[number];
  readonly hands: { readonly left?: Hand; readonly right?: Hand };
}

describe.each(PEOPLE)('%s of %i years, %s, P%i of stature', (...who) => {
  const [gender, age, country, percentile] = who;
  const known = [{ measurement: 'Stature', percentile }];
  const person = { gender, age, country, known };

  it('has its fingertips in their places, and is refused exactly where its reach fails', async () => {
    const needs = { tips: new Set(['fingertip'] as const), sees: true, turns: true };
    const wanted = REACH_POSES.flatMap((pose) =>
      measurementsFor({ ...needs, pose, parts: new Set(['thigh'] as const) }),
    );
    const input = validateRequest(completePerson, {
      ...person,
      wanted: [...new Set(['Stature', ...wanted])],
    });
    const { measurements } = completePerson.run(input as never, model);
    const values = new Map(measurements.map((one) => [one.measurement as string, one.expected]));
    const value = (name: MeasurementName) => values.get(name) ?? Number.NaN;
    const stretch = model.people().peopleModel.views.manifest.population.reach as Stretch;
    const { unit, below } = seeded(age);
    const size = value('Stature');
    const refusals: [Stance, number][] = [];
    const left = new Map<string, Hand>();
    const made: Stance[] = [];
    for (let i = 0; made.length < BODIES; i++) {
      const [base, lean] = [REACH_POSES[i % 2] as 'sitting', LEANS[below(3)] as 'trunk'];
      const waiting = left.get(base + lean);
      const side = waiting === undefined ? 'left' : 'right';
      const out = side === 'left' ? 1 : -1;
      const low = base === 'sitting' ? 0 : 0.4;
      const [x, y, z] = [0.7 * unit() - 0.1, 0.6 * unit() - 0.1, low + 0.8 * unit()];
      const at = { x: x * size, y: out * y * size, z: z * size };
      const demand: Demand = {
        ...{ kind: 'target', at: [at.x, at.y, at.z], by: 'fingertip', hand: side, lean },
      };
      const scene = { pose: base, demands: [demand] };
      const inScene = new PersonInScene(scene, value, age, { stretch: 0, raise: 0 }, stretch);
      const margin = inScene.margin(demand, 0, 0);
      const hand = { at, by: 'fingertip' } as const;
      if (Math.abs(margin) < NEAR_MM) continue;
      if (margin < 0) refusals.push([{ base, lean, hands: { [side]: hand } }, -margin]);
      else if (waiting === undefined) left.set(base + lean, hand);
      else {
        made.push({ base, lean, hands: { left: waiting, right: hand } });
        left.delete(base + lean);
      }
    }
    expect(refusals.length).toBeGreaterThan(isWholeRun ? 20 : 1);
    for (const [stance, lack] of refusals) {
      const problem = await missMm(person, stance).catch((error: unknown) => error);
      expect(problem).toBeInstanceOf(Problem);
      const { code, message } = problem as Problem;
      expect(code).toBe('target_out_of_space');
      expect(Math.abs(Number(/([\d.]+) mm lack/.exec(message)?.[1]) - lack)).toBeLessThan(NEAR_MM);
    }
    for (const stance of made) expect(await missMm(person, stance)).toBeLessThan(5);
  });
});
