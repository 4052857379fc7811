import assimp from 'assimpjs';
import { validateBytes } from 'gltf-validator';
import { type Group, type Mesh, type MeshStandardMaterial, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Body, DETAILS } from '../../src/body/body.js';
import { POSES, type Pose } from '../../src/body/skeleton.js';
import { dxfOf } from '../../src/body-files/dxf.js';
import { glbOf } from '../../src/body-files/glb.js';
import { objOf, stlOf } from '../../src/body-files/triangles.js';
import { bodyBuilder, EXTREMES, fittedPerson, type PersonName } from '../support/body.js';
import {
  distance,
  enclosedLitres,
  extent,
  mix,
  type ParsedGlb,
  type Point,
  parseGlb,
  parseObj,
  parseStl,
  sliceLoops,
  sure,
  type Triangle,
  tapeLength,
} from './independent-tape.js';

/** The contract: an independent tape finds each achieved value of the report, within 1 mm. */
const TOLERANCE_MM = 1;
const UP: Point = [0, 1, 0];
const SIDE: Point = [1, 0, 0];
const FRONT: Point = [0, 0, 1];

const builder = await bodyBuilder();

const bodyOf = async (name: PersonName, pose: Pose): Promise<Body> =>
  builder.mesh(await fittedPerson(name), pose, 'full');

/** What a report says of a dimension. */
function stated({ report }: Body, measurement: string) {
  const reading = report.readings.find((one) => one.measurement === measurement);
  if (reading === undefined) throw new Error(`the report lacks ${measurement}`);
  return reading;
}

/** The loop of a slice that surrounds a point. */
function loopAround(triangles: readonly Triangle[], place: Point, normal = UP): Point[] {
  const loops = sliceLoops(triangles, place, normal);
  const centre = (loop: readonly Point[]): Point =>
    [0, 1, 2].map((k) => loop.reduce((sum, p) => sum + (p[k] as number), 0) / loop.length) as Point;
  return loops.reduce((best, loop) =>
    distance(centre(loop), place) < distance(centre(best), place) ? loop : best,
  );
}

function expectStated(body: Body, measurement: string, found: number): void {
  const difference = Math.abs(found - stated(body, measurement).achievedMm);
  expect(
    difference,
    `${measurement}: stated ${stated(body, measurement).achievedMm}, found ${found}`,
  ).toBeLessThanOrEqual(TOLERANCE_MM);
}

const at = ({ nodes }: ParsedGlb, name: string): Point => {
  const place = nodes.get(name);
  if (place === undefined) throw new Error(`the file has no node ${name}`);
  return place;
};

describe.each(EXTREMES)('an independent tape on the standing %s', (name) => {
  let body: Body;
  let glb: ParsedGlb;
  let stl: Triangle[];

  beforeAll(async () => {
    body = await bodyOf(name, 'standing');
    glb = parseGlb(await glbOf(body));
    const [eyes, iris] = body.materials.slice(-2).map(({ triangles }) => triangles.length / 3);
    stl = parseStl(stlOf(body), sure(eyes) + sure(iris));
  });

  it('finds the heights and lengths', () => {
    const heights = stl.flat().map(([, y]) => y);
    expect(Math.min(...heights)).toBeCloseTo(0, 2);
    expectStated(body, 'Stature', Math.max(...heights));
    expectStated(body, 'C7HeightStanding', at(glb, 'cervicale')[1]);
    expectStated(body, 'ShoulderHeight', at(glb, 'acromion_l')[1]);
    expectStated(body, 'WaistHeightStanding', at(glb, 'omphalion')[1]);
    expectStated(body, 'CrotchHeight', at(glb, 'crotch')[1]);
    expectStated(body, 'UpperArmLength', distance(at(glb, 'acromion_l'), at(glb, 'radiale_l')));
    expectStated(body, 'ForearmLength', distance(at(glb, 'radiale_l'), at(glb, 'stylion_l')));
    expectStated(
      body,
      'ShoulderBreadthBiacromial',
      distance(at(glb, 'acromion_l'), at(glb, 'acromion_r')),
    );
    expectStated(body, 'InterNippleDistance', distance(at(glb, 'thelion_l'), at(glb, 'thelion_r')));
    const [heel, toe] = [at(glb, 'pternion_l'), at(glb, 'acropodion_l')];
    expectStated(body, 'FootLength', Math.hypot(toe[0] - heel[0], toe[2] - heel[2]));
    const fingers = ['hand_l', 'middle_01_l', 'middle_02_l', 'middle_03_l', 'dactylion_l'].map(
      (n) => at(glb, n),
    );
    const hand = fingers.slice(1).reduce((sum, p, i) => sum + distance(p, fingers[i] as Point), 0);
    expectStated(body, 'HandLength', hand);
  });

  it.each(['ChestCircumferenceNipple', 'WaistCircumferenceAbdominal', 'HipCircumferenceMax'])(
    'finds %s in the STL at the stated height',
    (measurement) => {
      const { heightMm = 0 } = stated(body, measurement);
      const middle: Point = [0, heightMm, at(glb, 'spine_01')[2]];
      const loop = loopAround(stl, middle);
      expectStated(body, measurement, tapeLength(loop, UP));
      const breadths: Record<string, [string, Point][]> = {
        ChestCircumferenceNipple: [
          ['ChestBreadth', SIDE],
          ['ChestDepth', FRONT],
        ],
        WaistCircumferenceAbdominal: [['WaistDepthStanding', FRONT]],
        HipCircumferenceMax: [
          ['StandingHipBreadth', SIDE],
          ['TrunkDepthAtButtocks', FRONT],
        ],
      };
      for (const [of, axis] of breadths[measurement] ?? [])
        expectStated(body, of, extent(loop, axis));
    },
  );

  it('finds the girths of the limbs and the head', () => {
    const level = (measurement: string, joint: Point): Point => [
      joint[0],
      stated(body, measurement).heightMm ?? 0,
      joint[2],
    ];
    const hip = at(glb, 'thigh_l');
    const knee = at(glb, 'calf_l');
    for (const [measurement, joint] of [
      ['ThighCircumferenceBelowButtock', hip],
      ['KneeCircumference', knee],
      ['CalfCircumference', mix(knee, at(glb, 'foot_l'), 0.3)],
    ] as const) {
      expectStated(body, measurement, tapeLength(loopAround(stl, level(measurement, joint)), UP));
    }
    const across = (measurement: string, from: Point, to: Point, share: number): void => {
      const axis = to.map((mm, k) => (mm - (from[k] as number)) / distance(from, to)) as Point;
      expectStated(
        body,
        measurement,
        tapeLength(loopAround(glb.triangles, mix(from, to, share), axis), axis),
      );
    };
    const [shoulder, elbow, wrist] = [
      at(glb, 'upperarm_l'),
      at(glb, 'lowerarm_l'),
      at(glb, 'hand_l'),
    ];
    across('UpperArmCircumferenceMidpoint', shoulder, elbow, 0.5);
    across('WristCircumference', elbow, wrist, 0.955);
    const glabella = at(glb, 'glabella');
    const skull: Point = [
      0,
      glabella[1],
      glabella[2] - 0.5 * stated(body, 'HeadLength').achievedMm,
    ];
    const brow = loopAround(stl, skull);
    expectStated(body, 'HeadLength', extent(brow, FRONT));
    const tilted = stated(body, 'HeadGirth').normal as Point;
    const around = loopAround(
      stl,
      [0, glabella[1] - 0.1 * (skull[2] - glabella[2]), skull[2]],
      tilted,
    );
    expectStated(body, 'HeadGirth', tapeLength(around, tilted));
  });

  it('finds the breadths of head, shoulders, hand and foot, and the girth of the neck', () => {
    const stature = stated(body, 'Stature').achievedMm;
    const glabella = at(glb, 'glabella');
    const behind = glabella[2] - 0.5 * stated(body, 'HeadLength').achievedMm;
    const above: Point = [0, glabella[1] + 0.012 * stature, behind];
    expectStated(body, 'HeadBreadth', extent(loopAround(stl, above), SIDE));
    const larynx = mix(at(glb, 'head'), at(glb, 'neck_01'), 0.45);
    const collar = stated(body, 'NeckCircumference').normal as Point;
    const neck = loopAround(stl, larynx, collar);
    expectStated(body, 'NeckCircumference', tapeLength(neck, collar));
    const [wrist, knuckle] = [at(glb, 'hand_l'), at(glb, 'middle_01_l')];
    const along = knuckle.map(
      (mm, k) => (mm - (wrist[k] as number)) / distance(wrist, knuckle),
    ) as Point;
    const [index, pinky] = [at(glb, 'index_01_l'), at(glb, 'pinky_01_l')];
    const aside = index.map(
      (mm, k) => (mm - (pinky[k] as number)) / distance(index, pinky),
    ) as Point;
    // The thumb is a separate loop, or it lies behind the knuckles.
    const palm = loopAround(stl, mix(wrist, knuckle, 0.88), along);
    expectStated(body, 'HandBreadth', extent(palm, aside));
    const [heel, toe] = [at(glb, 'pternion_l'), at(glb, 'acropodion_l')];
    const length = Math.hypot(toe[0] - heel[0], toe[2] - heel[2]);
    const across: Point = [(toe[2] - heel[2]) / length, 0, (heel[0] - toe[0]) / length];
    const foot = stl.flat().filter(([x, y]) => x > 0 && y < at(glb, 'foot_l')[1]);
    expectStated(body, 'FootBreadth', extent(foot, across));
    const low = at(glb, 'acromion_l')[1] - 0.1 * stature;
    const shoulders = stl.flat().filter(([, y]) => y > low);
    expectStated(body, 'ShoulderBreadthBideltoid', extent(shoulders, SIDE));
  });
});

describe.each(EXTREMES)('an independent tape on the sitting %s', (name) => {
  it('finds the dimensions of sitting people', async () => {
    const body = await bodyOf(name, 'sitting');
    const { triangles, nodes, ...glb } = parseGlb(await glbOf(body));
    const file = { ...glb, triangles, nodes };
    const points = triangles.flat();
    const [hip, knee] = [at(file, 'thigh_l'), at(file, 'calf_l')];
    const stature = stated(body, 'Stature').achievedMm;
    const top = Math.max(...points.map(([, y]) => y));
    const long = knee[2] - hip[2];
    const seat = Math.min(...points.filter(([, , z]) => z < hip[2] + 0.6 * long).map(([, y]) => y));
    expectStated(body, 'SittingHeight', top - seat);
    expectStated(body, 'PoplitealHeight', at(file, 'popliteal_l')[1]);
    const kneeTop = points.filter(
      ([, y, z]) => z > knee[2] - 0.02 * stature && y < knee[1] + 0.07 * stature,
    );
    expectStated(body, 'KneeHeight', Math.max(...kneeTop.map(([, y]) => y)));
    const front = points.filter(([, y]) => Math.abs(y - knee[1]) < 0.05 * stature);
    const back = points.filter(([, y]) => y < hip[1] + 0.06 * stature);
    const reach = Math.max(...front.map(([, , z]) => z)) - Math.min(...back.map(([, , z]) => z));
    expectStated(body, 'ButtockKneeLength', reach);
    const low = points.filter(([, y, z]) => y < hip[1] + 0.05 * stature && z < hip[2] + 0.5 * long);
    expectStated(body, 'SittingHipBreadth', extent(low, SIDE));
    expectStated(body, 'ForearmLength', distance(at(file, 'radiale_l'), at(file, 'stylion_l')));
    const shoulders = distance(at(file, 'acromion_l'), at(file, 'acromion_r'));
    expectStated(body, 'ShoulderBreadthBiacromial', shoulders);
    const ankle = at(file, 'foot_l');
    const calf = loopAround(triangles, [
      ...[knee[0], stated(body, 'CalfCircumference').heightMm ?? 0, (knee[2] + ankle[2]) / 2],
    ] as Point);
    expectStated(body, 'CalfCircumference', tapeLength(calf, UP));
    const elsewhere = body.report.readings.filter((one) => one.pose === 'standing');
    expect(elsewhere.map(({ measurement }) => measurement)).toContain('Stature');
    // In heavy people, the belly may hide the thigh, because this tape does not know the parts of the body.
    if (name === 'heavyMan') return;
    const tops = Array.from({ length: 12 }, (_, i) => {
      const place = mix(hip, knee, Math.min(0.12 * (stature / long) + 0.002 + 0.04 * i, 0.9));
      return Math.max(...loopAround(triangles, place, FRONT).map(([, y]) => y));
    });
    expectStated(body, 'ThighThickness', Math.max(...tops) - seat);
  });
});

const KINDS = POSES.flatMap((pose) => DETAILS.map((detail) => ({ pose, detail })));

describe.each(KINDS)('files of the girl, $pose, $detail', ({ pose, detail }) => {
  it('hold the volume of their report and of the standing body', async () => {
    const girl = await fittedPerson('girl');
    const body = builder.mesh(girl, pose, detail);
    const files = [
      parseGlb(await glbOf(body), true).triangles,
      parseStl(stlOf(body), 0),
      parseObj(objOf(body, [])),
    ];
    for (const triangles of files) {
      const litres = enclosedLitres(triangles);
      expect(litres).toBeCloseTo((1 + body.report.overlap) * body.report.volumeLitres, 2);
      expect(Math.abs(litres / girl.report.volumeLitres - 1)).toBeLessThan(0.02);
    }
  });

  it('have no error or warning for the validator of Khronos', async () => {
    const body = builder.mesh(await fittedPerson('girl'), pose, detail);
    const glb = await glbOf(body, { credit: 'MakeHuman, CC0 1.0' });
    expect(glb.length).toBeLessThanOrEqual(700_000);
    const { issues } = await validateBytes(glb);
    expect(issues.messages.filter(({ severity }) => severity <= 1)).toEqual([]);
    expect([issues.numErrors, issues.numWarnings]).toEqual([0, 0]);
  });
});

it.each(DETAILS)(
  'the loader of three finds materials and places in a texture, %s',
  async (detail) => {
    const bytes = await glbOf(builder.mesh(await fittedPerson('girl'), 'standing', detail));
    const { scene } = await new Promise<{ scene: Group }>((resolve, reject) => {
      new GLTFLoader().parse(Uint8Array.from(bytes).buffer, '', resolve, reject);
    });
    const meshes: Mesh[] = [];
    scene.traverse((node) => (node as Mesh).isMesh && meshes.push(node as Mesh));
    const colours = new Map(
      meshes.map(({ material }) => {
        const { name, color } = material as MeshStandardMaterial;
        return [name, color.r + color.g + color.b];
      }),
    );
    expect([...colours.keys()]).toEqual(['skin', 'suit', 'eyes', 'iris']);
    expect(colours.get('iris')).toBeLessThan(0.5 * sure(colours.get('eyes')));
    const longest: number[] = [];
    for (const { geometry } of meshes) {
      const [uv, index] = [geometry.getAttribute('uv'), sure(geometry.index ?? undefined)];
      const corners = Array.from(index.array, (at) => [uv.getX(at), uv.getY(at)] as const);
      expect(corners.flat().filter((place) => !(place > 0 && place < 1))).toEqual([]);
      const lengths = corners.map(([u, v], i) => {
        const [x, y] = sure(corners[i % 3 === 2 ? i - 2 : i + 1]);
        return Math.hypot(u - x, v - y);
      });
      longest.push(lengths.reduce((most, one) => Math.max(most, one), 0));
    }
    // Islands of the texture are up to 0.4 broad: an edge across a seam would be longer than this.
    expect(Math.max(...longest)).toBeLessThan(detail === 'full' ? 0.07 : 0.1);
    // In MakeHuman's textures, the toes are at the lower end. The format counts from the upper one.
    const toe = sure(scene.getObjectByName('acropodion_l')).getWorldPosition(new Vector3());
    const { geometry } = sure(meshes[0]);
    const points = geometry.getAttribute('position');
    const nearest = Array.from({ length: points.count }, (_, i) =>
      toe.distanceTo(new Vector3().fromBufferAttribute(points, i)),
    );
    const at = nearest.indexOf(Math.min(...nearest));
    const uv = geometry.getAttribute('uv');
    expect([uv.getX(at), uv.getY(at)]).toEqual([
      expect.closeTo(0.277, 2),
      expect.closeTo(0.982, 2),
    ]);
  },
);

// In the files of bodies, x is to the left, y up and z forward.
it.each([
  ['SIDE', 2, 1],
  ['FRONT', 0, 1],
  ['ABOVE', 2, 0],
] as const)('DXF has the outline %s of a body, true to scale', async (layer, across, up) => {
  const { positions } = await bodyOf('girl', 'sitting');
  const lines = Buffer.from(dxfOf(await bodyOf('girl', 'sitting'), ['a remark']))
    .toString()
    .split('POLYLINE')
    .filter((line) => line.startsWith(`\r\n8\r\n${layer}\r\n`));
  const width = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  const drawn = (code: number) => {
    const value = new RegExp(`\\r\\n${code}\\r\\n(-?[\\d.]+)`, 'g');
    return width(lines.flatMap((line) => [...line.matchAll(value)].map(([, mm]) => Number(mm))));
  };
  const meshed = (axis: number) => width([...positions].filter((_, i) => i % 3 === axis));
  expect(Math.abs(drawn(10) - meshed(across))).toBeLessThan(3);
  expect(Math.abs(drawn(20) - meshed(up))).toBeLessThan(3);
});

/** Triangles of the coordinates and faces that assimp reads. */
function trianglesOf(values: readonly number[], faces: readonly number[][], toMm: number) {
  const at = (i: number) => [0, 1, 2].map((k) => toMm * (values[3 * i + k] as number)) as Point;
  return faces.map((corners) => corners.map(at) as Triangle);
}

// Many engines read files with assimp.
it.each([
  ['glb', (body: Body) => glbOf(body), 1000],
  ['stl', async (body: Body) => stlOf(body), 1],
  ['obj', async (body: Body) => objOf(body, ['a remark']), 1],
] as const)('assimp reads %s', async (ending, make, toMm) => {
  const body = builder.mesh(await fittedPerson('girl'), 'sitting', 'light');
  const reader = await assimp();
  const files = new reader.FileList();
  files.AddFile(`body.${ending}`, await make(body));
  const result = reader.ConvertFileList(files, 'assjson');
  expect(result.IsSuccess()).toBe(true);
  const scene = JSON.parse(new TextDecoder().decode(result.GetFile(0).GetContent())) as {
    meshes: { vertices: number[]; faces: number[][]; bones?: { name: string }[] }[];
  };
  const triangles = scene.meshes.flatMap(({ vertices, faces }) =>
    trianglesOf(vertices, faces, toMm),
  );
  const { overlap, volumeLitres } = body.report;
  expect(enclosedLitres(triangles)).toBeCloseTo((1 + overlap) * volumeLitres, 1);
  if (ending === 'glb') {
    expect(scene.meshes[0]?.bones?.map(({ name }) => name)).toContain('hand_l');
  }
});
