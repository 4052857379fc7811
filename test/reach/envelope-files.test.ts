import { NodeIO } from '@gltf-transform/core';
import { describe, expect, it } from 'vitest';
import { cross as crossOf, minus, type Vector as Point } from '../../src/body/vectors.js';
import { reachEnvelope } from '../../src/operations/reach-envelope.js';
import { validateRequest } from '../../src/operations/validate.js';
import { realModel } from '../support/servers.js';

const REQUEST = {
  population: { groups: [{ countries: ['DE'], gender: 'Female', ageMin: 20, ageMax: 60 }] },
  ...{ pose: 'sitting', by: 'grip', percentiles: [5, 95], planes: [{ y: -180 }, { z: 560 }] },
};

const model = await realModel();
const answer = reachEnvelope.run(validateRequest(reachEnvelope, REQUEST) as never, model);

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

  it('STL has closed solids that look outward, without triangles of no area', async () => {
    const bytes = Buffer.from(await file('stl'));
    const sides = new Map<string, number>();
    let [litres, smallest] = [0, Number.POSITIVE_INFINITY];
    for (let at = 84; at < bytes.length; at += 50) {
      const [a, b, c] = [12, 24, 36].map((corner) =>
        [0, 4, 8].map((axis) => bytes.readFloatLE(at + corner + axis)),
      ) as unknown as [Point, Point, Point];
      [a, b, c].forEach((from, i, all) => {
        const side = `${from} ${all[(i + 1) % 3]}`;
        sides.set(side, (sides.get(side) ?? 0) + 1);
      });
      const across = crossOf(minus(b, a), minus(c, a));
      smallest = Math.min(smallest, Math.hypot(...across));
      litres += across.reduce((sum, value, k) => sum + value * (a[k] as number), 0) / 6e6;
    }
    const open = [...sides].filter(([side, count]) => {
      return count !== 1 || sides.get(side.split(' ').reverse().join(' ')) !== 1;
    });
    expect(open).toEqual([]);
    expect(smallest).toBeGreaterThan(1);
    // Half of a ball around the reach of the arm holds 0.6 m³, and the folded arm takes a little of it.
    expect(litres / 2).toBeGreaterThan(400);
    expect(litres / 2).toBeLessThan(900);
  });

  it('comes as a file over REST only where it is asked for', () => {
    expect(reachEnvelope.file?.formatOf({} as never)).toBeUndefined();
    expect(reachEnvelope.file?.formatOf({ format: 'glb' } as never)).toBe('glb');
  });
});
