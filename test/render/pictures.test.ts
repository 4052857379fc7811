import { beforeAll, describe, expect, it } from 'vitest';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import {
  achievedMm,
  BodyViewer,
  type PersonToDraw,
  type SeenBody,
} from '../../src/render/body-viewer.js';
import type { Point } from '../../src/render/drawing.js';
import { type Drawing, frameOf, VIEW_NAMES, type ViewName } from '../../src/render/frames.js';
import { drawnMm, measurementFigure, numberedFigure } from '../../src/render/marks.js';
import {
  type PictureOf,
  pictureOf,
  picturePlaces,
  pictureText,
  renderPicture,
} from '../../src/render/picture.js';
import { RELAXED_SHARE } from '../../src/render/relaxed.js';
import { RUNS } from '../../src/render/runs.js';
import { bodyBuilder, type PersonName, personNamed } from '../support/body.js';
import { boxOfPath, pointsOfPath } from '../support/paths.js';

/** Largest difference between a drawing and the body, mm. */
const TRUE_MM = 1;
/** Largest difference between a silhouette, in pixels of 1.5 mm, and the body, mm. */
const SILHOUETTE_MM = 1.5;

/** Lines that lie in the plane of the picture, while the tape measures in space. */
const LOOSE = new Set(['UpperArmLength', 'ForearmLength']);

const viewer = new BodyViewer(await bodyBuilder());

function toDraw(name: PersonName) {
  const { dimensions, ...rest } = personNamed(name);
  return { ...rest, valuesMm: Object.fromEntries(dimensions) };
}

describe('the views of the girl', () => {
  const name: PersonName = 'girl';
  const seen = new Map<ViewName, SeenBody>();
  beforeAll(() => {
    for (const view of VIEW_NAMES) seen.set(view, viewer.see(toDraw(name), view));
  });
  const seenBody = (view: ViewName) => seen.get(view) as SeenBody;
  const drawingOf = (view: ViewName) => seenBody(view).drawing;
  const drawings = () => VIEW_NAMES.map(drawingOf);

  it.each(VIEW_NAMES)('%s reaches as far as the body, within its frame', (view) => {
    const { extent, shown } = drawingOf(view);
    const box = boxOfPath(viewer.silhouette(seenBody(view)));
    const frame = frameOf(view, toDraw(name));
    const isCut = extent.some((mm, k) => mm !== shown[k]);
    box.forEach((mm, k) => {
      const outside = k % 2 === 0 ? -1 : 1;
      const far = outside * (mm - (shown[k] as number));
      expect(isCut ? far : Math.abs(far)).toBeLessThan(SILHOUETTE_MM);
      if (!/^(head|hand|foot)/.test(view)) {
        expect(outside * (mm - (frame[k] as number)), `${view} ${k}`).toBeLessThan(0);
      }
    });
  });

  it('have the dimensions of the body', () => {
    const { readings } = viewer.fit(toDraw(name)).report;
    const achieved = (measurement: string): number =>
      readings.find((one) => one.measurement === measurement)?.achievedMm ?? Number.NaN;
    const silhouette = (view: ViewName) => viewer.silhouette(seenBody(view));
    const lines = (view: ViewName) => pointsOfPath(silhouette(view)).flat();
    const [, , bottom, top] = boxOfPath(silhouette('standingFront'));
    expect(Math.abs(top - bottom - achieved('Stature'))).toBeLessThan(TRUE_MM);
    const front = drawingOf('standingFront').landmarks;
    expect(Math.abs((front.crotch?.y ?? 0) - achieved('CrotchHeight'))).toBeLessThan(TRUE_MM);
    const side = drawingOf('sittingSide');
    const seat = side.landmarks.seat?.y ?? 0;
    const [, right, , high] = boxOfPath(silhouette('sittingSide'));
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
    const head = boxOfPath(silhouette('headSide'));
    expect(Math.abs(head[3])).toBeLessThan(TRUE_MM);
    const { glabella, backOfHead } = drawingOf('headSide').landmarks;
    const headLength = (glabella?.x ?? 0) - (backOfHead?.x ?? 0);
    expect(Math.abs(headLength - achieved('HeadLength'))).toBeLessThan(TRUE_MM);
    // The fingers are straight, and the middle finger continues the hand.
    const { middleTip } = drawingOf('handPalm').landmarks;
    expect(Math.abs((middleTip?.y ?? 0) - achieved('HandLength'))).toBeLessThan(TRUE_MM);
  });

  it('have the line of every measurement, as long as the tape finds it', () => {
    const achieved = achievedMm(viewer.fit(toDraw(name)));
    for (const measurement of MEASUREMENT_NAMES) {
      const drawing = drawingOf(RUNS[measurement].view);
      const kinds = measurementFigure(drawing, measurement).marks.map(({ kind }) => kind);
      expect(kinds, measurement).toEqual(expect.arrayContaining(['run']));
      const length = drawnMm(drawing, measurement);
      if (length === undefined) continue;
      expect(length, measurement).toBeGreaterThan(3);
      const taped = achieved[measurement];
      if (taped === undefined || LOOSE.has(measurement)) continue;
      expect(Math.abs(length - taped), measurement).toBeLessThan(TRUE_MM);
    }
    const figures = drawings().map((one) => numberedFigure(one, MEASUREMENT_NAMES));
    const numbers = figures.flatMap((one) => one.numbers.map(({ number }) => number));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(MEASUREMENT_NAMES.map((_, i) => i + 1));
  });
});

describe('a rendered person', () => {
  const heightPx = 400;
  const picture = (name: PersonName): PictureOf => ({
    ...{ person: toDraw(name), view: 'standingFront', suit: '#0b5f66', heightPx },
  });

  it('wears a suit and a cap of the asked colour, and nothing is behind it', () => {
    const { rgba, width } = renderPicture(viewer, picture('woman'));
    const frame = frameOf('standingFront', toDraw('woman'));
    const pixelMm = (frame[3] - frame[2]) / heightPx;
    const stature = toDraw('woman').valuesMm.Stature as number;
    const at = (x: number, y: number) => {
      const [column, row] = [(x - frame[0]) / pixelMm, (frame[3] - y) / pixelMm];
      const from = 4 * (Math.round(row) * width + Math.round(column));
      return [...rgba.subarray(from, from + 4)] as [number, number, number, number];
    };
    const isTeal = ([r, g, b]: readonly number[]) =>
      (g as number) > 1.3 * (r as number) && (b as number) > 1.3 * (r as number);
    const isGrey = ([r, g, b]: readonly number[]) =>
      Math.max(r as number, g as number, b as number) <
      1.1 * Math.min(r as number, g as number, b as number);
    expect(isTeal(at(0, 0.7 * stature))).toBe(true);
    expect(isTeal(at(0, stature - 25))).toBe(true);
    expect(isGrey(at(0, stature - 150))).toBe(true);
    expect(at(0, 0.7 * stature)[3]).toBe(255);
    expect(at(frame[0] + 2, 0.3 * stature)).toEqual([0, 0, 0, 0]);
  });

  it('looks ahead with dark pupils in lighter irises and eyes', () => {
    const person = toDraw('woman');
    const seen = viewer.see(person, 'headFront');
    const { x = 0, y = 0 } = seen.drawing.landmarks.eyeLeft ?? {};
    const { rgba, width } = viewer.pixels(seen, [0, x, y - 8, y + 8], 0.25, [0, 0, 0]);
    const row = Array.from({ length: width }, (_, k) => {
      const column = Array.from({ length: rgba.length / 4 / width }, (__, r) => r * width + k);
      return Math.min(...column.map((at) => rgba[4 * at] as number));
    });
    const pupil = row.indexOf(Math.min(...row));
    expect(row[pupil]).toBeLessThan(40);
    for (const toIris of [-14, 14]) expect(row[pupil + toIris]).toBeGreaterThan(60);
    expect(Math.abs(pupil / 4 - 0.69 * x)).toBeLessThan(4);
  });

  it('is described by a text that says everything, and no other text is accepted', () => {
    const own: PictureOf = {
      ...picture('man'),
      lines: { kind: 'numbered', measurements: [{ name: 'Stature', number: 3 }] },
      isOwn: true,
    };
    const text = pictureText(own);
    expect(encodeURI(text)).toBe(text);
    const again = pictureOf(text) as PictureOf;
    expect(pictureText(again)).toBe(text);
    expect(again).toMatchObject({ view: 'standingFront', heightPx, isOwn: true, lines: own.lines });
    expect(again.person.gender).toBe('Male');
    for (const wrong of [
      text.replace('400', '4000'),
      text.replace('0b5f66', '0b5f6g'),
      text.replace('standingFront', 'standingBack'),
      text.replace('3-', '3-9'),
      `${text}~own`,
      text.slice(1),
      '',
    ]) {
      expect(pictureOf(wrong), wrong).toBeUndefined();
    }
  });
});

it('shows a person whom no body can be as the nearest body, and says so', () => {
  const man = toDraw('man');
  const valuesMm = { ...man.valuesMm, CrotchHeight: 1200 };
  const places = picturePlaces(viewer, {
    ...{ person: { ...man, valuesMm }, view: 'standingFront', suit: '#0b5f66', heightPx: 400 },
  });
  expect(places.isNearest).toBe(true);
  expect(places.misses.map(({ measurement }) => measurement)).toContain('CrotchHeight');
  expect(places.misses.map(({ measurement }) => measurement)).not.toContain('HeadBreadth');
  expect(places.silhouette).toMatch(/^M/);
  const names = places.regions.map(({ region }) => region);
  expect(names).toEqual(['head', 'trunk', 'arm', 'hand', 'leg', 'foot']);
});

it('draws relaxed people at their relaxed stature, the old with a stoop and a level gaze', () => {
  for (const [ageYears, least, most] of [
    [30, -1, 5],
    [80, 40, 110],
  ] as const) {
    const woman = { ...toDraw('woman'), ageYears };
    const [erect, relaxed] = (['standingSide', 'relaxedSide'] as const).map(
      (view) => viewer.see(woman, view, true).drawing,
    ) as [Drawing, Drawing];
    const stature = achievedMm(viewer.fit(woman)).Stature as number;
    expect(Math.abs(relaxed.extent[3] - (1 - RELAXED_SHARE) * stature)).toBeLessThan(TRUE_MM);
    expect(Math.abs(erect.extent[3] - stature)).toBeLessThan(TRUE_MM);
    const place = (drawing: Drawing, name: string) => drawing.landmarks[name] as Point;
    const ahead = place(relaxed, 'eye').x - place(erect, 'eye').x;
    expect(ahead, `${ageYears}`).toBeGreaterThan(least);
    expect(ahead, `${ageYears}`).toBeLessThan(most);
    const below = (drawing: Drawing) => place(drawing, 'topOfHead').y - place(drawing, 'eye').y;
    expect(Math.abs(below(relaxed) - below(erect)), `${ageYears}`).toBeLessThan(TRUE_MM);
  }
});

describe('a boy of one year', () => {
  const boy: PersonToDraw = {
    ...{ gender: 'Male', ageYears: 1.5 },
    valuesMm: {
      ...{ Stature: 790, SittingHeight: 490, ButtockKneeLength: 200, ThighThickness: 85 },
      ...{ PoplitealHeight: 170, KneeHeight: 210, SittingHipBreadth: 180 },
    },
  };
  it.each(['standingFront', 'standingSide', 'sittingFront', 'sittingSide'] as const)(
    'lies on his back in %s, within the frame',
    (view) => {
      const seen = viewer.see(boy, view, true);
      expect(seen.drawing.title).toMatch(
        /^lying on the back( with bent hips)?, from (above|the side)$/,
      );
      const box = boxOfPath(viewer.silhouette(seen));
      const frame = frameOf(view, boy);
      box.forEach((mm, k) => {
        expect((k % 2 === 0 ? -1 : 1) * (mm - (frame[k] as number)), `${k}`).toBeLessThan(0);
      });
      expect(seen.drawing.props).toMatch(/^M-?\d/);
      const isLong = box[1] - box[0] > box[3] - box[2];
      expect(isLong).toBe(seen.drawing.title.endsWith('side'));
      expect(Math.abs(box[2])).toBeLessThan(view.endsWith('Side') ? SILHOUETTE_MM : 60);
    },
  );

  it('is turned in the view at an angle', () => {
    const [front, turned] = (['standingFront', 'standingThreeQuarter'] as const).map((view) =>
      viewer.see(boy, view, true),
    );
    expect(turned?.drawing.lying).toBe('fromAbove');
    expect(turned?.camera).not.toEqual(front?.camera);
  });

  it('has heights that run to the left, and depths that run up, as long as the tape finds', () => {
    const achieved = achievedMm(viewer.fit(boy));
    for (const name of ['Stature', 'ChestDepth', 'SittingHeight', 'ThighThickness'] as const) {
      const drawn = drawnMm(viewer.see(boy, RUNS[name].view).drawing, name) ?? 0;
      expect(Math.abs(drawn - (achieved[name] as number)), name).toBeLessThan(TRUE_MM);
    }
    const { landmarks } = viewer.see(boy, 'standingSide').drawing;
    expect(landmarks.topOfHead?.x).toBeLessThan(-700);
    expect(landmarks.buttock?.x).toBeGreaterThan(-500);
  });

  it('is upright from two years on', () => {
    const { title } = viewer.see({ ...boy, ageYears: 2 }, 'standingFront').drawing;
    expect(title).toBe('standing, from the front');
  });
});
