import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { BODY_REGIONS, regionOf } from '../../src/core/body-regions.js';
import { MEASUREMENT_NAMES, MEASUREMENTS } from '../../src/core/measurements.js';
import { drawMeasurement, runEnds } from '../../src/figure/draw.js';
import { RUNS, VIEWS } from '../../src/figure/runs.js';
import { Figure } from '../../web/figure/figure.js';

/**
 * Medians in mm of the lengths that the figures show, at 30 years in the United States, as the mean of
 * women and men (artifacts 2022). Surface lengths and girths are not included.
 */
const MEDIANS_MM = `
AbdominalDepth 248, ArmRestHeight 241, BackOfHeadToChin 193, BackOfHeadToEye 171
BackOfHeadToLip 200, BackOfHeadToNoseTip 218, BackOfHeadToSelion 196, BackOfHeadToTragion 100
Biocular 91, BitragionWidth 142, ButtockKneeLength 610, ButtockPoplitealLength 497
ChestBreadth 322, ChestDepth 260, CrotchHeight 805, EarLength 62, ElbowFingertipLength 462
ElbowHeight 1070, ElbowSpan 922, EyeBodyCentreDistance 40, EyeHeight 1585, EyeScalpDistance 114
EyeToSeat 776, EyeToTableDistance 535, FingertipHeight 640, FootBreadth 97, FootLength 259
ForearmLength 255, ForeheadWidth 106, GripWidth 48, HairLine 185, HandBreadth 84, HandLength 187
HeadBreadth 151, HeadLength 194, HeadToGlabella 92, HeadToNoseTip 148, HeadToTragion 130
HighCounterHeight 1070, HipBreadth 359, HipHeight 879, IndexFingerLength 72
IndexFingerWidthPip 20, IndexFingerWidthTip 15, KneeHeight 536, KnuckleHeight 738, LegLength 809
LegRoom 362, LipLength 50, LittleFingerLength 62, LittleFingerWidthPip 17
LittleFingerWidthTip 13, LowCounterHeight 816, MaximumSeatLength 447, MaximumTableHeight 701
MiddleFingerLength 80, MiddleFingerWidthPip 20, MiddleFingerWidthTip 16, NoseLength 49
PalmLength 106, PoplitealHeight 409, RingFingerLength 76, RingFingerWidthPip 19
RingFingerWidthTip 14, SeatHeight 409, ShoulderBreadthBiacromial 391
ShoulderBreadthBideltoid 488, ShoulderElbowLength 350, ShoulderGripLength 651
ShoulderHeight 1393, SittingDistance 743, SittingElbowHeight 241, SittingEyeHeight 776
SittingHeight 890, SittingHipBreadth 401, SittingShoulderHeight 585, Span 1747
StandingHipBreadth 359, Stature 1699, ThighLength 418, ThighThickness 175, ThumbTipToCrotch 67
TopOfHeadToStomion 182, TrunkLength 583, UpperArmLength 324, UpperLimbLength 766, WorkReach 731
WristWidth 55, ShoulderToWristLength 573, SittingUpperLegLength 403
BackOfElbowToWristLength 275, ElbowToMiddleFingertipLength 462, CreaseBehindKneeToAnkle 342
ButtockToSoleSitting 1083, OutsideLegLength 1017, MidShoulderToWaistLength 378
ShoulderToFingertipHorizontal 766, UpperLegLengthSitting 610, WaistToCrotchLength 212
ThumbLength 67, VerticalGripReachStanding 2044, VerticalGripReachSitting 1260
HorizontalPinchGripReach 781, EarBreadth 35, HandGripHeightStanding 757, NapeHeightSitting 708
SacralHeightSitting 179, C7HeightStanding 1461, C7HeightSitting 652, ArmpitHeightStanding 1286
JawWidth 115, MidShoulderHeightStanding 1423, MidShoulderHeightSitting 615
IndexFingerHeightStanding 649, WaistHeightStanding 1017, WaistHeightSitting 232
WaistDepthStanding 231, FaceBreadth 139, NoseBreadth 35, InterNippleDistance 210, FootHeight 68
TrunkDepthAtButtocks 250, ThighDepthSitting 175, ShoulderDepth 158, WholeBodyBreadthMax 547
WholeBodyDepthMax 289
`;

/** Allowed difference of a drawn length: a share of it, or some mm, because joints have no edges. */
const SHARE = 0.03;
const SLACK_MM = { body: 8, part: 2.5 };
/** A proxy for a length without data (docs/measurements.md): trochanter to mid-patella. */
const PROXIES: readonly string[] = ['SittingUpperLegLength'];

describe('body regions', () => {
  it('contain every measurement once', () => {
    const all = BODY_REGIONS.flatMap(({ measurements }) => measurements.map(({ name }) => name));
    expect([...all].sort()).toEqual([...MEASUREMENT_NAMES].sort());
    expect(regionOf('FootLength').title).toBe('Foot');
    expect(regionOf('Stature').id).toBe('whole-body');
  });
});

describe('the lines on the figures', () => {
  it('connect landmarks of their view, and have the median length', () => {
    const medians = new Map(
      MEDIANS_MM.trim()
        .split(/\s*[,\n]\s*/)
        .map((entry) => entry.split(' '))
        .map(([name = '', mm]) => [name, Number(mm)]),
    );
    const wrong = MEASUREMENT_NAMES.filter((name) => {
      const run = RUNS[name];
      if (run.along === 'around' || run.along === 'surface') return medians.has(name);
      const [a, b] = runEnds(run).drawn;
      const drawnMm = Math.hypot(b.x - a.x, b.y - a.y);
      const medianMm = medians.get(name) ?? Number.NaN;
      const slackMm = /^(head|hand|foot)/.test(run.view) ? SLACK_MM.part : SLACK_MM.body;
      const share = PROXIES.includes(name) ? 0.1 : SHARE;
      return !(Math.abs(drawnMm - medianMm) <= Math.max(slackMm, share * medianMm));
    });
    expect(wrong).toEqual([]);
  });

  it('have the direction of their kind', () => {
    const along = (name: (typeof MEASUREMENT_NAMES)[number]) => RUNS[name].along;
    for (const { name, kind } of MEASUREMENTS) {
      if (kind === 'circumference') expect([name, along(name)]).toEqual([name, 'around']);
      if (kind === 'height') expect([name, along(name)]).toEqual([name, 'vertical']);
    }
    for (const name of ['Span', 'ElbowSpan', 'ShoulderBreadthBideltoid', 'ChestDepth'] as const) {
      expect([name, along(name)]).toEqual([name, 'horizontal']);
    }
  });

  it('start at the floor or the seat if the definition does', () => {
    for (const { name, definition } of MEASUREMENTS) {
      const { view, along, from } = RUNS[name];
      const floor = /\bfloor to\b/i.test(definition);
      const seat = /\bseat( surface)? to\b/i.test(definition);
      if (!floor && !seat) continue;
      const where = name === 'ThighThickness' ? 'thighUnderside' : floor ? 'floor' : 'seat';
      expect([name, along, from]).toEqual([name, 'vertical', where]);
      expect(view.startsWith(seat ? 'sitting' : ''), name).toBe(true);
    }
  });

  it('have symmetric left and right landmarks', () => {
    for (const { landmarks } of Object.values(VIEWS)) {
      const places: Readonly<Record<string, { x: number; y: number }>> = landmarks;
      for (const [name, { x, y }] of Object.entries(places)) {
        const other = places[name.replace(/Right$/, 'Left')];
        if (other === undefined || !name.endsWith('Right')) continue;
        expect([name, other.x, other.y]).toEqual([name, -x, y]);
      }
    }
  });
});

describe('the drawings', () => {
  it('contain the whole line, and are cached', () => {
    for (const name of MEASUREMENT_NAMES) {
      const { viewBox, marks } = drawMeasurement(name);
      const [left = 0, top = 0, width = 0, height = 0] = viewBox.split(' ').map(Number);
      for (const { x, y } of runEnds(RUNS[name]).drawn) {
        expect(x > left && x < left + width, name).toBe(true);
        expect(-y > top && -y < top + height, name).toBe(true);
      }
      expect(marks.map(({ d }) => d).join(), name).not.toMatch(/NaN|undefined|Infinity/);
      expect(drawMeasurement(name)).toBe(drawMeasurement(name));
    }
  });

  it('describe what they show, and have no inline style', () => {
    const svg = renderToString(h(Figure, { measurement: 'PoplitealHeight' }));
    expect(svg).toContain('role="img"');
    expect(svg).toContain('PoplitealHeight: Sitting: floor to underside of thigh behind knee');
    expect(svg).toContain('<desc>Body sitting, elbow at a right angle, from the side');
    expect(svg).not.toContain('style=');
  });
});
