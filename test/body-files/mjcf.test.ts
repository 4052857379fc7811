import loadMujoco, { type MainModule, type MjData, type MjModel } from '@mujoco/mujoco';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BodyBuilder } from '../../src/body/body.js';
import { segmentsOf } from '../../src/body/segments.js';
import { POSES, type Pose } from '../../src/body/skeleton.js';
import { mjcfOf } from '../../src/body-files/mjcf.js';
import { bodyBuilder, EXTREMES, fittedPerson, type PersonName } from '../support/body.js';

let mujoco: MainModule;
let builder: BodyBuilder;
beforeAll(async () => {
  mujoco = await loadMujoco();
  builder = await bodyBuilder();
});

async function modelOf(name: PersonName, pose: Pose) {
  const body = builder.mesh(await fittedPerson(name), pose, 'light');
  const notes = { credit: 'a “mannequin” & <no> "scan"' };
  const xml = Buffer.from(mjcfOf(body, segmentsOf(body), notes)).toString();
  const model = mujoco.MjModel.from_xml_string(xml) as MjModel;
  return { body, model, data: new mujoco.MjData(model) as MjData };
}

const STEP_S = 0.002;

describe.each(EXTREMES)('MuJoCo and the %s', (name) => {
  it.each(POSES)('weighs it as the report does, and drops it from 0.3 m: %s', async (pose) => {
    const { body, model, data } = await modelOf(name, pose);
    const { volumeLitres, densityKgPerLitre } = body.report;
    const mass = [...(model.body_mass as Float64Array)].reduce((sum, kg) => sum + kg, 0);
    expect(mass).toBeCloseTo(volumeLitres * densityKgPerLitre, 4);
    const places = data.qpos as Float64Array;
    const height = 2;
    places[height] = (places[height] as number) + 0.3;
    const before = places[height] as number;
    let fastest = 0;
    for (let time = 0; time < 1; time += STEP_S) {
      mujoco.mj_step(model, data);
      fastest = Math.max(fastest, ...(data.qvel as Float64Array).map(Math.abs));
    }
    // A person who falls over moves at most so fast, in m/s and radians/s.
    expect(fastest).toBeLessThan(60);
    expect(places[height]).toBeLessThan(before - 0.3);
    expect(places[height]).toBeGreaterThan(0.02);
    const warnings = data.warning;
    for (let kind = 0; kind < warnings.size(); kind++) {
      expect(warnings.get(kind)?.number, `warning ${kind}`).toBe(0);
    }
    model.delete();
    data.delete();
  });
});

/** x forward, y to the left, z up, in metres. */
type Place = [number, number, number];

describe('the joints', () => {
  const standing = 'standing' satisfies Pose;
  let parts: Awaited<ReturnType<typeof modelOf>>;
  beforeAll(async () => {
    parts = await modelOf('girl', standing);
  });
  /** How far the body below a joint moves when the joint turns to an angle. */
  function moved(joint: string, degrees: number, body: string): Place {
    const { model, data } = parts;
    mujoco.mj_resetData(model, data);
    const centre = (): Place => [...data.body(body).xipos] as Place;
    mujoco.mj_forward(model, data);
    const from = centre();
    data.jnt(joint).qpos[0] = (degrees * Math.PI) / 180;
    mujoco.mj_forward(model, data);
    return centre().map((to, i) => to - (from[i] as number)) as Place;
  }

  it.each([
    ['thigh_l_flexion', 90, 'shank_l', 0, 1],
    ['thigh_l_abduction', 40, 'shank_l', 1, 1],
    ['thigh_r_abduction', 40, 'shank_r', 1, -1],
    ['shank_r_flexion', 90, 'foot_r', 0, -1],
    ['foot_l_flexion', 20, 'foot_l', 2, 1],
    ['upper_arm_l_flexion', 90, 'forearm_l', 0, 1],
    ['upper_arm_l_abduction', 90, 'forearm_l', 1, 1],
    ['upper_arm_r_abduction', 90, 'forearm_r', 1, -1],
    ['forearm_r_flexion', 90, 'hand_r', 0, 1],
    ['hand_l_flexion', 60, 'hand_l', 1, -1],
    ['hand_r_flexion', 60, 'hand_r', 1, 1],
    ['hand_l_deviation', 20, 'hand_l', 0, 1],
    ['middle_trunk_flexion', 40, 'head_and_neck', 0, 1],
    ['head_and_neck_flexion', 45, 'head_and_neck', 0, 1],
  ] as const)(
    '%s by %d° moves %s along axis %d in direction %d',
    (joint, degrees, body, axis, sign) => {
      const way = moved(joint, degrees, body);
      expect(sign * way[axis]).toBeGreaterThan(0.005);
      expect(Math.abs(way[axis])).toBeGreaterThan(0.3 * Math.hypot(...way));
    },
  );

  it('begin at 90° of a sitting body, within their ranges', async () => {
    const { model, data } = await modelOf('girl', 'sitting');
    const angle = (joint: string) => ((data.jnt(joint).qpos[0] as number) * 180) / Math.PI;
    // The seat is level, but the joints of the hips lie higher than those of the knees.
    for (const joint of ['thigh_l_flexion', 'shank_r_flexion', 'forearm_l_flexion']) {
      expect(Math.abs(angle(joint) - 90), joint).toBeLessThan(13);
    }
    const ranges = model.jnt_range as Float64Array;
    for (let joint = 1; joint < model.njnt; joint++) {
      const at = (data.qpos as Float64Array)[joint + 6] as number;
      expect(at).toBeGreaterThanOrEqual((ranges[2 * joint] as number) - 1e-4);
      expect(at).toBeLessThanOrEqual((ranges[2 * joint + 1] as number) + 1e-4);
    }
  });
});
