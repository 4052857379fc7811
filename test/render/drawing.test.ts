import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import { pathOf } from '../../src/render/curves.js';
import { type Drawing, type DrawnPerson, VIEW_NAMES } from '../../src/render/drawing.js';
import { drawnMm, measurementFigure, missesOf, numberedFigures } from '../../src/render/marks.js';
import { areaOf, outlinesOf, smoothed } from '../../src/render/outline.js';
import { PersonDrawer } from '../../src/render/person-drawer.js';
import { RUNS } from '../../src/render/runs.js';
import { bodyBuilder, PEOPLE, type PersonName, personNamed } from '../support/body.js';
import { boxOfPath, pointsOfPath } from '../support/paths.js';

/** Largest difference between a drawing and the body, mm. */
const TRUE_MM = 1;
const GZIP_BYTES = 4096;
const SHADE_GZIP_BYTES = 1536;

/** Lines that lie in the plane of the picture, while the tape measures in space. */
const LOOSE = new Set(['UpperArmLength', 'ForearmLength']);

let drawer: PersonDrawer;
beforeAll(async () => {
  drawer = new PersonDrawer(await bodyBuilder());
});

function toDraw(name: PersonName) {
  const { dimensions, ...rest } = personNamed(name);
  return { ...rest, valuesMm: Object.fromEntries(dimensions) };
}

describe.each(PEOPLE)('the drawings of the %s', (name) => {
  let drawn: DrawnPerson;
  beforeAll(() => {
    drawn = drawer.draw(toDraw(name), VIEW_NAMES);
  });
  const drawingOf = (view: string) => drawn.drawings.find((one) => one.view === view) as Drawing;

  it.each(VIEW_NAMES)('%s reaches as far as the body', (view) => {
    const { outline, extent, shown } = drawingOf(view);
    const box = boxOfPath(outline);
    // If a part is cut, its outline ends outside the visible area.
    const isCut = extent.some((mm, k) => mm !== shown[k]);
    box.forEach((mm, k) => {
      const outside = (k % 2 === 0 ? -1 : 1) * (mm - (shown[k] as number));
      expect(outside).toBeGreaterThan(-TRUE_MM);
      if (!isCut) expect(outside).toBeLessThan(TRUE_MM);
    });
  });

  it('have the dimensions of the body', () => {
    const { readings } = drawer.fit(toDraw(name), personNamed(name).ageYears).report;
    const achieved = (measurement: string): number =>
      readings.find((one) => one.measurement === measurement)?.achievedMm ?? Number.NaN;
    const lines = (view: string) => pointsOfPath(drawingOf(view).outline).flat();
    const [, , bottom, top] = boxOfPath(drawingOf('standingFront').outline);
    expect(Math.abs(top - bottom - achieved('Stature'))).toBeLessThan(TRUE_MM);
    const front = drawingOf('standingFront').landmarks;
    expect(Math.abs((front.crotch?.y ?? 0) - achieved('CrotchHeight'))).toBeLessThan(TRUE_MM);
    const side = drawingOf('sittingSide');
    const seat = side.landmarks.seat?.y ?? 0;
    const [, right, , high] = boxOfPath(side.outline);
    expect(Math.abs(high - seat - achieved('SittingHeight'))).toBeLessThan(TRUE_MM);
    const { kneeFront, buttock, toeTip, popliteal, thighTop } = side.landmarks;
    expect(Math.abs((popliteal?.y ?? 0) - achieved('PoplitealHeight'))).toBeLessThan(TRUE_MM);
    const thigh = (thighTop?.y ?? 0) - seat;
    expect(Math.abs(thigh - achieved('ThighThickness'))).toBeLessThan(TRUE_MM);
    const length = (kneeFront?.x ?? 0) - (buttock?.x ?? 0);
    expect(Math.abs(length - achieved('ButtockKneeLength'))).toBeLessThan(TRUE_MM);
    expect(Math.abs(right - (toeTip?.x ?? 0))).toBeLessThan(TRUE_MM);
    const back = Math.min(
      ...lines('sittingSide')
        .filter(({ y }) => y < seat + 150)
        .map(({ x }) => x),
    );
    expect(Math.abs(back - (buttock?.x ?? 0))).toBeLessThan(TRUE_MM);
    const hips = drawingOf('sittingFront').landmarks;
    const breadth = (hips.hipLeft?.x ?? 0) - (hips.hipRight?.x ?? 0);
    expect(Math.abs(breadth - achieved('SittingHipBreadth'))).toBeLessThan(TRUE_MM);
    const head = boxOfPath(drawingOf('headSide').outline);
    expect(Math.abs(head[3])).toBeLessThan(TRUE_MM);
    const { glabella, backOfHead } = drawingOf('headSide').landmarks;
    const headLength = (glabella?.x ?? 0) - (backOfHead?.x ?? 0);
    expect(Math.abs(headLength - achieved('HeadLength'))).toBeLessThan(TRUE_MM);
    // The fingers are straight, and the middle finger continues the hand.
    const { middleTip } = drawingOf('handPalm').landmarks;
    expect(Math.abs((middleTip?.y ?? 0) - achieved('HandLength'))).toBeLessThan(TRUE_MM);
  });

  it('have the line of every measurement, as long as the tape finds it', () => {
    for (const measurement of MEASUREMENT_NAMES) {
      const drawing = drawingOf(RUNS[measurement].view);
      const kinds = measurementFigure(drawing, measurement).marks.map(({ kind }) => kind);
      expect(kinds, measurement).toEqual(expect.arrayContaining(['body', 'run']));
      const length = drawnMm(drawing, measurement);
      if (length === undefined) continue;
      expect(length, measurement).toBeGreaterThan(3);
      const taped = drawn.achievedMm[measurement];
      if (taped === undefined || LOOSE.has(measurement)) continue;
      expect(Math.abs(length - taped), measurement).toBeLessThan(TRUE_MM);
    }
    const figures = numberedFigures(drawn.drawings, MEASUREMENT_NAMES);
    const numbers = figures.flatMap((one) => one.numbers.map(({ number }) => number));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(MEASUREMENT_NAMES.map((_, i) => i + 1));
  });

  it('keep the numbers of a sheet apart', () => {
    // Lines of a seated person. Several of them are at the same place.
    const names = [
      'SittingHeight',
      'SittingEyeHeight',
      'ThighThickness',
      'KneeHeight',
      'PoplitealHeight',
      'ButtockKneeLength',
      'ButtockPoplitealLength',
    ] as const;
    for (const { view, numbers, radiusMm } of numberedFigures(drawn.drawings, names)) {
      for (const [index, { at }] of numbers.entries()) {
        for (const { at: other } of numbers.slice(0, index)) {
          expect(Math.hypot(at.x - other.x, at.y - other.y), view).toBeGreaterThan(2 * radiusMm);
        }
      }
    }
  });

  it('are small', () => {
    for (const { outline, creases, shade } of drawn.drawings) {
      expect(gzipSync(outline + creases).length).toBeLessThan(GZIP_BYTES);
      expect(gzipSync(shade?.join('') ?? '').length).toBeLessThan(SHADE_GZIP_BYTES);
    }
  });

  it('have shade inside whole people, and nowhere else', () => {
    const shaded = drawn.drawings.filter(({ shade }) => shade !== undefined);
    expect(shaded.map(({ view }) => view)).toEqual([
      'standingFront',
      'standingSide',
      'sittingSide',
      'sittingFront',
    ]);
    for (const { shade = [], extent } of shaded) {
      const boxes = shade.map(boxOfPath);
      const [box = [0, 0, 0, 0]] = boxes;
      // Coarse curves may cross the outline by some mm. The line of the outline covers this.
      box.forEach((mm, k) => {
        expect((k % 2 === 0 ? 1 : -1) * (mm - extent[k as 0])).toBeGreaterThan(-6);
      });
      const areas = boxes.map(([left, right, bottom, top]) => (right - left) * (top - bottom));
      expect(areas).toHaveLength(2);
      // The darker, the smaller.
      expect(areas).toEqual(areas.toSorted((one, other) => other - one));
      expect(areas.at(-1)).toBeGreaterThan(0);
    }
  });
});

it('draws the same person again with the same bytes', async () => {
  const other = new PersonDrawer(await bodyBuilder());
  const views = ['standingFront', 'sittingSide', 'headFront'] as const;
  expect(other.draw(toDraw('girl'), views)).toEqual(drawer.draw(toDraw('girl'), views));
});

it('draws a person whom no body can be as the nearest body, and says so', () => {
  const man = toDraw('man');
  const valuesMm = { ...man.valuesMm, CrotchHeight: 1200 };
  const drawn = drawer.draw({ ...man, valuesMm }, ['standingFront']);
  expect(drawn.isNearest).toBe(true);
  const misses = missesOf(drawn, valuesMm, ['CrotchHeight', 'HeadBreadth']);
  expect(misses.map(({ measurement }) => measurement)).toEqual(['CrotchHeight']);
  expect(drawn.drawings[0]?.outline).toMatch(/^M/);
});

it('draws an infant with the body of a child of one year, and says so', () => {
  const girl = toDraw('girl');
  const drawn = drawer.draw({ ...girl, ageYears: 0 }, ['standingFront']);
  expect(drawn.bodyAgeYears).toBe(1);
});

describe('lines', () => {
  /** A disk of pixels. */
  const disk = (radius: number) => {
    const size = 2 * radius + 11;
    const inside = new Uint8Array(size * size);
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        const far = Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2);
        inside[y * size + x] = far < radius ? 1 : 0;
      }
    }
    const map = { width: size, height: size, pixelMm: 1, left: -size / 2, bottom: -size / 2 };
    return outlinesOf(map, inside, 1);
  };

  it('keep the size of a circle when they are smoothed', () => {
    for (const radius of [8, 50]) {
      const [line = new Float64Array()] = disk(radius);
      const smooth = smoothed(line, 3, true);
      const radii = Array.from({ length: smooth.length / 2 }, (_, i) =>
        Math.hypot(smooth[2 * i] as number, smooth[2 * i + 1] as number),
      );
      expect(Math.abs(Math.min(...radii) - radius)).toBeLessThan(0.6);
      expect(Math.abs(Math.max(...radii) - radius)).toBeLessThan(0.6);
      expect(Math.abs(areaOf(smooth) / (Math.PI * radius ** 2) - 1)).toBeLessThan(0.4 / radius);
    }
  });

  it('are fitted by curves within the tolerance, with corners where they turn', () => {
    const [line = new Float64Array()] = disk(50);
    const round = pointsOfPath(pathOf(smoothed(line, 3, true), true, 0.3)).flat();
    for (const { x, y } of round) expect(Math.abs(Math.hypot(x, y) - 50)).toBeLessThan(0.8);
    const square: number[] = [];
    for (let k = 0; k < 40; k++) square.push(k, 0);
    for (let k = 0; k < 40; k++) square.push(40, k);
    for (let k = 0; k < 40; k++) square.push(40 - k, 40);
    for (let k = 0; k < 40; k++) square.push(0, 40 - k);
    const cornered = pointsOfPath(pathOf(Float64Array.from(square), true, 0.3)).flat();
    const far = (x: number, y: number) =>
      Math.min(...cornered.map((point) => Math.hypot(point.x - x, point.y - y)));
    for (const [x, y] of [
      [0, 0],
      [40, 0],
      [40, 40],
      [0, 40],
    ] as const) {
      expect(far(x, y)).toBeLessThan(0.5);
    }
  });
});
