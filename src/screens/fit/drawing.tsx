import type { VNode } from 'preact';
import { inWords } from '../../site/labels.js';
import type { PagePicture } from '../../site/pictures/addresses.js';
import { LYING, NO_BODIES, NOBODY } from '../../site/pictures/notes.js';
import { PersonImage } from '../../site/pictures/person-image.js';
import { FIT_PERSONS, type FitView, rulesOf } from './address.js';
import type { FitData } from './data-types.js';
import {
  AVERAGE_SIZES,
  type BodySizes,
  type DimensionLine,
  type Placed,
  productById,
  SCENES,
  type Scene,
} from './products.js';
import { type Bound, needAt, needsOf } from './proposal.js';

const GRID_MM = 100;

/** A product with its person, in the form that is drawn. */
export interface FitDrawing {
  readonly scene: Scene;
  /** The box of the scene with a margin for labels, in mm: left, right, bottom, top. */
  readonly box: Scene['box'];
  readonly person: DrawnPerson;
}

/** The person in the picture. */
interface DrawnPerson {
  readonly sizes: BodySizes;
  /** The pictures; empty if no person can be drawn. */
  readonly pictures: readonly PagePicture[];
  /** Says who the person is, or why there is none. */
  readonly caption: string;
  /** What follows from the caption, for readers who want to know more. */
  readonly more?: string;
}

/** Who is in the picture: a member of the first population at a percentile, or a known person by index. */
export type WhoIsDrawn =
  | { readonly percentile: (typeof FIT_PERSONS)[number] }
  | { readonly known: number };

/** The drawing of a view's product; undefined for own limits. */
export function fitDrawing(
  view: FitView,
  data: FitData | undefined,
  drawn: WhoIsDrawn,
): FitDrawing | undefined {
  const draw = SCENES[view.product];
  if (draw === undefined) return undefined;
  const person = personOf(view, data, drawn);
  const usual = (id: string) =>
    productById(view.product)?.sizes.find((one) => one.id === id)?.usual;
  // Before there is an answer, the product has its usual sizes, without numbers.
  const scene = draw((size) => view.sizesMm[size] ?? usual(size) ?? 0, person.sizes);
  return { scene, box: roomyBox(scene.box), person };
}

function personOf(view: FitView, data: FitData | undefined, drawn: WhoIsDrawn): DrawnPerson {
  const known = 'known' in drawn ? data?.known[drawn.known] : undefined;
  const percentile = 'percentile' in drawn ? drawn.percentile : 50;
  const person = known?.drawn ?? data?.persons?.[FIT_PERSONS.indexOf(percentile)];
  const [rule] = rulesOf(view);
  if (data === undefined || person == null || rule === undefined) {
    const why = data?.hasBodies === false ? NO_BODIES : NOBODY;
    return { sizes: AVERAGE_SIZES, pictures: [], caption: data === undefined ? '' : why };
  }
  const { who, pictures, sizes } = person;
  const what = inWords(rule.measurement).toLowerCase();
  const label = data.populations[0]?.label;
  const caption =
    known == null
      ? `The person is ${who} with the ${what} of P${percentile} of ${label}.`
      : `The person is ${known.name ?? 'a known person'}, ${who}.`;
  const nobody = ` ${LYING} Nobody is drawn here.`;
  return {
    sizes,
    pictures,
    caption: pictures.length === 0 ? caption + nobody : caption,
    more: `The other dimensions of the person are predicted from ${known == null ? 'it' : known.massKg === undefined ? 'the stature' : 'stature and mass'}.`,
  };
}

/**
 * The box of a scene with a margin for handles and their labels. It is rounded to steps, so that it seldom
 * moves.
 */
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

function Body(props: { readonly body: Placed; readonly person: DrawnPerson }): VNode | null {
  const { view, x, y, isLying } = props.body;
  const picture = props.person.pictures.find((one) => one.view === view);
  if (picture === undefined) return null;
  return (
    <PersonImage
      picture={picture}
      statureMm={props.person.sizes.statureMm}
      transform={`translate(${x} ${-y})${isLying ? ' rotate(-90)' : ''}`}
    />
  );
}

interface MarksProps {
  readonly line: DimensionLine;
  readonly bound: Bound;
  readonly data: FitData | undefined;
  readonly mmPerPx: number;
}

/** A dimension line with a bar for each population. The bar spans the needs from P5 to P95 of the people. */
export function DimensionMarks({ line, bound, data, mmPerPx }: MarksProps): VNode {
  const { axis, from, at } = line;
  const end = from + bound.value;
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

/** The end of a dimension line, where its handle is, in the coordinates of the SVG. */
export function dimensionEnd(
  { axis, from, at }: DimensionLine,
  valueMm: number,
): readonly [x: number, y: number] {
  const end = from + valueMm;
  return axis === 'y' ? [at, -end] : [end, -at];
}
