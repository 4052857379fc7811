import type { VNode } from 'preact';
import { MARKS } from '../../../site/labels.js';
import { formatLength, type ShownUnit } from '../../../site/lengths.js';
import { Segments } from '../../widgets/fields.js';
import { HowToRead } from '../../widgets/parts.js';
import { dragging, pageWidth, useWidth } from '../../widgets/plot.js';
import { PLACE, type ReachView } from '../address.js';
import { type DrawnScene, TURNS } from '../data-types.js';
import {
  layoutOf,
  movedBy,
  type Panel,
  placesOfLabels,
  ReachPanels,
  type ShownFigure,
  shownAt,
  turnedLayout,
  upwardIn,
} from '../drawing.js';
import { type Movable, movablesOf } from '../moves.js';
import { targetWords } from '../texts.js';

/** From this width on, the panels are side by side, in pixels. */
const ROW_FROM_PX = 640;
/** What the first screen needs besides the picture, and the least height of a picture, pixels. */
const [BESIDE_PX, HEIGHT_LEAST_PX] = [330, 320];
/** Radii of the areas that the pointer grabs, pixels. */
const [RADIUS_LEAST_PX, RADIUS_MOST_PX] = [6, 22];
/** Step of the arrow keys in mm. With Shift, the step is a tenth of this. */
const STEP_MM = 10;

/** Whether the picture has three dimensions, with the names of both views. */
const VIEWS = [
  [false, 'Side and above'],
  [true, '3-D'],
] as const;
/** The angle from which a turned picture is seen at first. */
const START_DEGREES = 30;

interface PictureProps {
  readonly view: ReachView;
  readonly data: DrawnScene;
  /** The picture in words. */
  readonly title: string;
  readonly unit: ShownUnit;
  readonly figures: readonly ShownFigure[];
  /** Whether the picture waits for the people of another room. */
  readonly isOld: boolean;
  /** Whether the images of the people show this view. */
  readonly hasImages: boolean;
  readonly choose: (change: Partial<ReachView>) => void;
  readonly slide: (change: Partial<ReachView>) => void;
  readonly hold: (held: boolean) => void;
}

/** The people in the room to scale. Targets, edges and things can be dragged in both panels. */
export function Picture(props: PictureProps): VNode {
  const { view, data, title, figures, isOld, hasImages, choose, slide } = props;
  const { turnDegrees } = view;
  const [ref, width] = useWidth(pageWidth);
  const isRow = width >= ROW_FROM_PX;
  const isTurned = turnDegrees !== undefined;
  const layout = isTurned ? turnedLayout(view, turnDegrees) : layoutOf(view, isRow);
  const tall = Math.max(HEIGHT_LEAST_PX, innerHeight - BESIDE_PX);
  const isLow = isRow || isTurned;
  const mmPerPx = Math.max(layout.width / Math.max(width, 1), isLow ? layout.height / tall : 0);
  return (
    <figure class="reach-figure" aria-busy={isOld}>
      <div ref={ref}>
        {width === 0 ? null : (
          <svg
            class="reach-picture figure"
            role="group"
            aria-label={title}
            viewBox={`0 0 ${layout.width} ${layout.height}`}
            width={layout.width / mmPerPx}
            height={layout.height / mmPerPx}
          >
            <ReachPanels {...{ view, data, layout, figures, mmPerPx, hasImages }}>
              {(panel) => <Handles {...props} panel={panel} mmPerPx={mmPerPx} />}
            </ReachPanels>
          </svg>
        )}
      </div>
      <div class="row reach-turn">
        <Segments
          legend="View"
          hideLegend
          options={VIEWS}
          chosen={isTurned}
          onChoose={(turned) => choose({ turnDegrees: turned ? START_DEGREES : undefined })}
        />
        {isTurned ? (
          <label>
            Turn{' '}
            <input
              type="range"
              min={0}
              max={TURNS.at(-1)}
              step={TURNS[1]}
              value={turnDegrees}
              onInput={(event) => slide({ turnDegrees: event.currentTarget.valueAsNumber })}
            />
          </label>
        ) : null}
      </div>
      <figcaption class="hint">
        People at {MARKS} of stature, to scale; from above only P50.{' '}
        {view.targets.map((one) => `${one.name}: ${targetWords(one)}`).join('; ')}.{' '}
        <span class="screen-only">
          Drag dots, edges and boxes, or move them with the arrow keys.
        </span>
        <HowToRead>
          {' '}
          The grid has lines every 100 mm. The shaded bands are where hands reach from the place of
          the median person: 95 % of the people reach the inner edge, half the next, 5 % the outer.
          Lines begin at the eyes without leaning; they are dashed if something hides the place. A
          person sits where all demands hold best; limbs that are too short end before their target.
        </HowToRead>
      </figcaption>
    </figure>
  );
}

interface HandlesProps extends PictureProps {
  readonly panel: Panel;
  readonly mmPerPx: number;
}

function Handles(props: HandlesProps): VNode {
  const { view, panel, mmPerPx } = props;
  const [left, right, bottom, top] = panel.box;
  const shown = movablesOf(view)
    .map((movable) => {
      const { x, y, z } = movable.at;
      return { movable, place: shownAt(panel, [x, y, z]) };
    })
    .filter(({ place: [x, y] }) => x > left && x < right && -y > bottom && -y < top);
  const labels = placesOfLabels(
    shown.map(({ movable, place }) => ({ text: movable.label, place })),
    props,
  );
  /** Each handle is grabbed at its own centre: areas of two handles do not overlap. */
  const radiusOf = (index: number): number => {
    const [x, y] = shown[index]?.place ?? [0, 0];
    const apart = shown
      .filter((_, other) => other !== index)
      .map(({ place }) => Math.hypot(place[0] - x, place[1] - y) / mmPerPx);
    return Math.max(RADIUS_LEAST_PX, Math.min(RADIUS_MOST_PX, ...apart.map((px) => px / 2)));
  };
  return (
    <>
      {shown.map(({ movable, place }, index) => (
        <MoveHandle
          key={movable.key}
          {...{ ...props, movable, place }}
          radiusPx={radiusOf(index)}
          label={labels[index]}
        />
      ))}
    </>
  );
}

/** Which way the arrow keys move a thing: along the first axis, and along the second. */
const KEYS: Readonly<Record<string, readonly [along: number, up: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

interface MoveHandleProps extends HandlesProps {
  readonly movable: Movable;
  /** Where the panel shows it. */
  readonly place: readonly [x: number, y: number];
  /** Radius of the area that the pointer grabs. */
  readonly radiusPx: number;
  /** Middle of the base line of the label, in pixels; undefined if there is no room for it. */
  readonly label: readonly [x: number, y: number] | undefined;
}

/** A part of a picture that the pointer or the arrow keys move in two directions. */
function MoveHandle(props: MoveHandleProps): VNode {
  const { movable, place, radiusPx, label, panel, mmPerPx, unit, slide, hold } = props;
  const { name, kind, at } = movable;
  const [x, y] = place;
  const px = (pixels: number) => pixels * mmPerPx;
  const text = [
    `${formatLength(at.x, unit)} forward`,
    ...(panel.id === 'side' ? [] : [`${formatLength(at.y, unit)} to the left`]),
    ...(panel.id === 'above' ? [] : [`${formatLength(at.z, unit)} up`]),
  ].join(', ');
  const moveBy = (alongMm: number, upMm: number) =>
    slide(movable.move(movedBy(panel, at, alongMm, upMm)));
  const drag = dragging((toX, toY) => moveBy(toX - x, (y - toY) / upwardIn(panel)), hold);
  const onKeyDown = (event: KeyboardEvent) => {
    const way = KEYS[event.key];
    if (way === undefined) return;
    event.preventDefault();
    const step = event.shiftKey ? STEP_MM / 10 : STEP_MM;
    moveBy(way[0] * step, way[1] * step);
  };
  return (
    <g
      class={`reach-handle ${kind}`}
      role="slider"
      tabindex={0}
      aria-label={`${name}, ${panel.title.toLowerCase()}`}
      aria-valuemin={PLACE.min}
      aria-valuemax={PLACE.max}
      aria-valuenow={Math.round(at.x)}
      aria-valuetext={text}
      onKeyDown={onKeyDown}
      {...drag}
    >
      <circle data-screen-only class="grip-area" cx={x} cy={y} r={px(radiusPx)} />
      <Mark kind={kind} x={x} y={y} size={px(6)} />
      {label === undefined ? null : (
        <text x={px(label[0])} y={px(label[1])} text-anchor="middle" font-size={px(12)}>
          {movable.label}
        </text>
      )}
    </g>
  );
}

/** A dot for a target, a square for a thing, a diamond for what is seen and for edges. */
function Mark(props: { kind: Movable['kind']; x: number; y: number; size: number }): VNode {
  const { kind, x, y, size } = props;
  if (kind === 'target') return <circle class="grip" cx={x} cy={y} r={size} />;
  const turn = kind === 'clearance' ? 0 : 45;
  return (
    <rect
      class="grip"
      x={x - size}
      y={y - size}
      width={2 * size}
      height={2 * size}
      transform={`rotate(${turn} ${x} ${y})`}
    />
  );
}
