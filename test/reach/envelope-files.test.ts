import { NodeIO } from '@gltf-transform/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { PredictionModel } from '../../src/operations/prediction-model.js';
import { reachEnvelope } from '../../src/operations/reach-envelope.js';
import { validateRequest } from '../../src/operations/validate.js';
import { realArtifacts } from '../support/servers.js';

const REQUEST = {
  population: { groups: [{ countries: ['DE'], gender: 'Female', ageMin: 20, ageMax: 60 }] },
  ...{ pose: 'sitting', by: 'grip', percentiles: [5, 95], planes: [{ y: -180 }, { z: 560 }] },
};

let model: PredictionModel;
let answer: ReturnType<typeof reachEnvelope.run>;
beforeAll(async () => {
  model = new PredictionModel(openArtifact(await realArtifacts()));
  answer = reachEnvelope.run(validateRequest(reachEnvelope, REQUEST) as never, model);
});

async function file(format: string): Promise<Uint8Array> {
  const input = validateRequest(reachEnvelope, { ...REQUEST, format });
  const made = await reachEnvelope.file?.make(input as never, model);
  return made?.bytes ?? new Uint8Array();
}
const text = async (format: string) => Buffer.from(await file(format)).toString();

/** Farthest place ahead of the surface of a percentile, in mm. */
function farthestAhead(p: number): number {
  const row = 360 / answer.stepDegrees;
  const ahead = (90 / answer.stepDegrees) * row;
  return answer.centre.x + (answer.surfaces[p]?.distances[ahead] as number);
}

describe('the files of an envelope', () => {
  it('CSV has every point, and its distances are those of the answer', async () => {
    const [head, ...rows] = (await text('csv')).trim().split('\r\n');
    expect(head).toBe('surface,percentile,x_mm,y_mm,z_mm,distance_mm');
    const reached = answer.surfaces.flatMap(({ distances }) => distances.filter((far) => far > 0));
    const points = answer.curves.flatMap(({ percentiles }) =>
      percentiles.flatMap((one) => one.points),
    );
    expect(rows).toHaveLength(reached.length + points.length);
    const far = rows
      .filter((row) => row.startsWith('all,'))
      .map((row) => Number(row.split(',')[5]));
    expect(Math.abs(Math.max(...far) - Math.max(...reached))).toBeLessThan(0.01);
  });

  it('DXF has a closed line for each plane and percentile, in mm', async () => {
    const pairs = (await text('dxf')).split('\r\n');
    expect(pairs.filter((line) => line === 'POLYLINE')).toHaveLength(4);
    const layers = new Set(pairs.filter((line) => /^[YZ]M?\d+_P\d+$/.test(line)));
    expect([...layers].sort()).toEqual(['YM180_P5', 'YM180_P95', 'Z560_P5', 'Z560_P95']);
    const xs = pairs.flatMap((line, i) => (line === '10' ? [Number(pairs[i + 1])] : []));
    expect(Math.max(...xs)).toBeGreaterThan(700);
    expect(Math.max(...xs)).toBeLessThan(900);
  });

  it('SVG has the same curves at one millimetre a unit', async () => {
    const svg = await text('svg');
    expect(svg).toMatch(/width="\d+mm" height="\d+mm"/);
    expect(svg.match(/<path /g)).toHaveLength(4);
    expect(svg).not.toContain('NaN');
  });

  it('GLB has a surface for each percentile, in metres, Y up and facing +Z', async () => {
    const document = await new NodeIO().readBinary(await file('glb'));
    const meshes = document.getRoot().listMeshes();
    expect(meshes.map((mesh) => mesh.getName())).toEqual(['P5', 'P95']);
    for (const [p, mesh] of meshes.entries()) {
      const positions = mesh.listPrimitives()[0]?.getAttribute('POSITION')?.getArray() ?? [];
      const forward = Array.from<number>(positions).filter((_, i) => i % 3 === 2);
      expect(Math.abs(1000 * Math.max(...forward) - farthestAhead(p))).toBeLessThan(25);
    }
  });

  it('STL has triangles that look outward', async () => {
    const bytes = Buffer.from(await file('stl'));
    const count = bytes.readUInt32LE(80);
    expect(bytes).toHaveLength(84 + 50 * count);
    const { x, y, z } = answer.centre;
    let outward = 0;
    let judged = 0;
    for (let t = 0; t < count; t++) {
      const at = 84 + 50 * t;
      const [nx, ny, nz, px, py, pz] = [0, 1, 2, 3, 4, 5].map((i) =>
        bytes.readFloatLE(at + 4 * i),
      ) as number[];
      // Triangles at the poles have no area.
      if (Math.hypot(nx as number, ny as number, nz as number) < 0.5) continue;
      judged += 1;
      const towards =
        (nx as number) * ((px as number) - x) +
        (ny as number) * ((py as number) - y) +
        (nz as number) * ((pz as number) - z);
      if (towards > 0) outward += 1;
    }
    expect(judged).toBeGreaterThan(500);
    expect(outward).toBe(judged);
  });

  it('comes as a file over REST only where it is asked for', () => {
    expect(reachEnvelope.file?.formatOf({} as never)).toBeUndefined();
    expect(reachEnvelope.file?.formatOf({ format: 'glb' } as never)).toBe('glb');
  });
});
