import { beforeAll, describe, expect, it } from 'vitest';
import type { BodyBuilder, FittedPerson } from '../../src/body/body.js';
import { vectorAt } from '../../src/body/skeleton.js';
import { FOLDS, fair, smoothCrossings } from '../../src/body/smoothing.js';
import { volumeOf } from '../../src/body/volume.js';
import { bodyBuilder, fittedPerson } from '../support/body.js';

let builder: BodyBuilder;
let fitted: FittedPerson;
beforeAll(async () => {
  builder = await bodyBuilder();
  fitted = await fittedPerson('heavyMan');
});

describe('the skin', () => {
  it('is smoothed where a thigh is pushed through the other one, and nowhere else', () => {
    const { vertices: before } = fitted.fit.standing;
    const vertices = before.slice();
    const thigh = builder.skeleton.movedBy(/^thigh_l$/).shares;
    for (const [vertex, share] of thigh.entries())
      vertices[3 * vertex] = (vertices[3 * vertex] as number) - 15 * share;
    const pushed = vertices.slice();
    const moved = new Set(smoothCrossings(builder, FOLDS.trunkAndLegs, vertices).flat());
    expect(moved.size).toBeGreaterThan(10);
    expect(smoothCrossings(builder, FOLDS.trunkAndLegs, vertices)).toEqual([]);
    const others = [...thigh.keys()].filter((vertex) => !moved.has(vertex));
    for (const vertex of others)
      expect(vectorAt(vertices, vertex)).toEqual(vectorAt(pushed, vertex));
  });

  it('loses a bump and keeps its size', () => {
    const vertices = fitted.fit.standing.vertices.slice();
    const bump = builder.views.header.landmarks.omphalion as number;
    const { vertices: trunk } = builder.skeleton.movedBy(/^(pelvis|spine_0.)$/);
    const [, , z] = vectorAt(vertices, bump);
    vertices[3 * bump + 2] = z + 20;
    const litres = volumeOf(vertices, builder.views.triangles);
    fair(builder, [...trunk], vertices, 20);
    expect(Math.abs(vectorAt(vertices, bump)[2] - z)).toBeLessThan(7);
    expect(volumeOf(vertices, builder.views.triangles) / litres).toBeCloseTo(1, 2);
  });
});
