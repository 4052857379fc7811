import type { VNode } from 'preact';
import { FIT_PERSONS, type FitView, rulesOf } from '../../core/fit-view.js';
import { inWords } from '../../core/labels.js';
import type { MeasurementName } from '../../core/measurements.js';
import { runEnds } from '../../figure/draw.js';
import type { DimensionsMm } from '../../figure/pose-dimensions.js';
import { posedBody } from '../../figure/posed.js';
import { RUNS, VIEWS } from '../../figure/runs.js';
import type { View } from '../../figure/view.js';
import { dimensionsOf } from './body-poses.js';
import type { FitData } from './fit-data-types.js';
import { type Bound, needAt, needsOf } from './fit-needs.js';
import {
  type BodySizes,
  type DimensionLine,
  type Placed,
  POSED_VIEWS,
  SCENES,
  type Scene,
  scaledSizes,
} from './fit-scenes.js';

const GRID_MM = 100;

/** A product with its person, ready to be drawn. */
export interface FitDrawing {
  readonly scene: Scene;
  /** The scene with room for labels, in mm: left, right, bottom, top. */
  readonly box: Scene['box'];
  readonly person: DrawnPerson;
}

/** The person in the picture: posed from dimensions, or an average body that is scaled. */
interface DrawnPerson {
  readonly sizes: BodySizes;
  readonly dimensionsMm?: DimensionsMm;
  /** Who the person is. */
  readonly caption: string;
}

type PersonPercentile = (typeof FIT_PERSONS)[number];

/** The scene of a view's product; undefined for a box of limits. */
export function fitDrawing(
  view: FitView,
  data: FitData | undefined,
  bounds: readonly Bound[],
  percentile: PersonPercentile,
): FitDrawing | undefined {
  const draw = SCENES[view.product];
  if (draw === undefined) return undefined;
  const person = posedPerson(view, data, percentile) ?? scaledPerson(data, bounds, percentile);
  const scene = draw((size) => view.sizesMm[size] ?? 0, person.sizes);
  return { scene, box: roomyBox(scene.box), person };
}

/** A member of the first population with all dimensions; undefined if the data have none. */
function posedPerson(
  view: FitView,
  data: FitData | undefined,
  percentile: PersonPercentile,
): DrawnPerson | undefined {
  const person = data?.persons?.[FIT_PERSONS.indexOf(percentile)];
  const [rule] = rulesOf(view);
  if (data === undefined || person == null || rule === undefined) return undefined;
  const dimensionsMm = dimensionsOf(person.poseMm);
  const { landmarks } = posedBody(dimensionsMm, { posture: 'sitting', side: 'side' });
  const average = scaledSizes(1);
  const statureMm = dimensionsMm.Stature ?? average.statureMm;
  const what = inWords(rule.measurement).toLowerCase();
  const label = data.populations[0]?.label;
  return {
    sizes: {
      scale: statureMm / average.statureMm,
      statureMm,
      seatMm: landmarks.seat?.y ?? average.seatMm,
      backMm: landmarks.backPlane?.x ?? average.backMm,
      abdomenMm: landmarks.abdomen?.x ?? average.abdomenMm,
    },
    dimensionsMm,
    caption: `The person is ${person.who} with the ${what} of P${percentile} of ${label}. The other dimensions are predicted from it.`,
  };
}

/** An average body, scaled so that one measurement is at a percentile of the first population. */
function scaledPerson(
  data: FitData | undefined,
  bounds: readonly Bound[],
  percentile: PersonPercentile,
): DrawnPerson {
  const none = { sizes: scaledSizes(1), caption: 'A person of average size.' };
  const first = data?.populations.find(({ curves }) => curves !== undefined);
  if (first === undefined) return none;
  for (const bound of bounds) {
    for (const need of needsOf(bound, first)) {
      const { measurement, clearanceMm } = need.rule;
      const scale = (needAt(need, percentile) - clearanceMm) / drawnLengthMm(measurement);
      const what = inWords(measurement).toLowerCase();
      const caption = `The person has the ${what} of P${percentile} of ${first.label} and average proportions.`;
      if (Number.isFinite(scale) && scale > 0.2) return { sizes: scaledSizes(scale), caption };
    }
  }
  return none;
}

/** The box of a scene with room for handles and their labels, in steps, so that it seldom moves. */
function roomyBox([left, right, bottom, top]: Scene['box']): Scene['box'] {
  const margin = (right - left) * 0.05;
  const step = right - left < 1000 ? 20 : 50;
  const down = (mm: number) => Math.floor((mm - margin) / step) * step;
  const up = (mm: number) => Math.ceil((mm + margin) / step) * step;
  return [down(left), up(right), down(bottom), up(top)];
}

/** The grid, the bodies and the product of a drawing, in mm. */
export function FitGround({ drawing }: { readonly drawing: FitDrawing }): VNode {
  const { scene, box, person } = drawing;
  return (
    <>
      <Grid box={box} />
      {scene.bodies.map((body) => (
        <Body key={body.view} body={body} person={person} />
      ))}
      {scene.lines.map(({ points, dashed }, index) => (
        <path
          key={index}
          class={dashed ? 'product dashed' : 'product'}
          d={`M${points.map(([x, y]) => `${x} ${-y}`).join('L')}`}
        />
      ))}
    </>
  );
}

function Grid({ box }: { readonly box: Scene['box'] }): VNode {
  const [left, right, bottom, top] = box;
  const steps = (from: number, to: number) => {
    const first = Math.ceil(from / GRID_MM) * GRID_MM;
    return Array.from(
      { length: Math.floor((to - first) / GRID_MM) + 1 },
      (_, i) => first + i * GRID_MM,
    );
  };
  const across = steps(left, right).map((x) => `M${x} ${-top}V${-bottom}`);
  const up = steps(bottom, top).map((y) => `M${left} ${-y}H${right}`);
  return <path class="grid-lines" d={[...across, ...up].join('')} />;
}

function Body({ body, person }: { readonly body: Placed; readonly person: DrawnPerson }): VNode {
  const { view, x, y, isLying } = body;
  const { dimensionsMm, sizes } = person;
  const pose = POSED_VIEWS[view];
  const isPosed = dimensionsMm !== undefined && pose !== undefined;
  const drawing: View = isPosed ? posedBody(dimensionsMm, pose) : VIEWS[view];
  const turn = isLying ? ' rotate(-90)' : '';
  const scale = isPosed ? '' : ` scale(${sizes.scale})`;
  return (
    <g transform={`translate(${x} ${-y})${turn}${scale}`}>
      {drawing.marks
        .filter(({ kind }) => kind === 'body' || kind === 'detail')
        .map(({ kind, d }) => (
          <path key={d} class={`figure-${kind}`} d={d} />
        ))}
    </g>
  );
}

interface MarksProps {
  readonly line: DimensionLine;
  readonly bound: Bound;
  readonly data: FitData | undefined;
  readonly mmPerPx: number;
}

/** A dimension line, with a bar for each population: what its P5 to P95 need. */
export function DimensionMarks({ line, bound, data, mmPerPx }: MarksProps): VNode {
  const { axis, from, at } = line;
  const end = from + bound.valueMm;
  const px = (pixels: number) => pixels * mmPerPx;
  const dot = (along: number, beside: number): string =>
    axis === 'y' ? `${beside} ${-along}` : `${along} ${-beside}`;
  const bands = (data?.populations ?? []).flatMap((population, series) =>
    needsOf(bound, population).map((need) => ({ need, series })),
  );
  return (
    <>
      {bands.map(({ need, series }, index) => {
        const beside = at + px(6 + index * 5) * -1;
        const [low, high] = [from + needAt(need, 5), from + needAt(need, 95)];
        return (
          <path
            key={`${series}-${need.rule.kind}`}
            class={`need series-${series + 1}`}
            d={`M${dot(low, beside)}L${dot(high, beside)}`}
          />
        );
      })}
      <path class="dimension-line" d={`M${dot(from, at)}L${dot(end, at)}`} />
      {[from, end].map((place) => (
        <path
          key={place}
          class="dimension-line"
          d={`M${dot(place, at - px(6))}L${dot(place, at + px(6))}`}
        />
      ))}
    </>
  );
}

/** Where the end of a dimension line and its label are, in the coordinates of the SVG. */
export function dimensionEnds({ axis, from, at }: DimensionLine, valueMm: number, mmPerPx: number) {
  const end = from + valueMm;
  const px = (pixels: number) => pixels * mmPerPx;
  const handle = axis === 'y' ? [at, -end] : [end, -at];
  const label = axis === 'y' ? [at, -end - px(13)] : [(from + end) / 2, -at - px(8)];
  return { handle, label } as { handle: [number, number]; label: [number, number] };
}

/** Length in mm of a measurement in the drawing of an average body; girths as of an ellipse. */
export function drawnLengthMm(measurement: string): number {
  const run = RUNS[measurement as MeasurementName];
  if (run === undefined) return 500;
  const [a, b] = runEnds(run).drawn;
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  return run.along === 'around' ? length * GIRTH_PER_BREADTH : length;
}

/** Circumference of an ellipse whose axes are as 1 to 0.75, per long axis. */
const GIRTH_PER_BREADTH = 2.76;
