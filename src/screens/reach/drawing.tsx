import type { ComponentChildren, VNode } from 'preact';
import { sum } from '../../body/vectors.js';
import { aboutMiddle, type Seat as SeatOf } from '../../reach/demands.js';
import { forth } from '../../reach/posture.js';
import type { Vector } from '../../reach/sitter.js';
import { COLOUR } from '../../site/drawing-colours.js';
import { type Box, boxesAlong, boxInPx, coveredBy, labelPlaces } from '../../site/label-places.js';
import type { PageImage } from '../../site/pictures/addresses.js';
import { PersonImage } from '../../site/pictures/person-image.js';
import { GRID_MM, gridPath, gridSteps } from '../shared/scene.js';
import type { ReachView } from './address.js';
import { type Curves, type DrawnPerson, type DrawnScene, SHOWN, TURNS } from './data-types.js';
import { type Figure, figureOf, type Limb } from './figure.js';
import { seatMoves } from './moves.js';
import type { Point, ReachScene, Sight } from './scene-types.js';
import { type RoomLine, type Template, templateById } from './templates.js';

/** A picture of the scene from one side, in mm. */
export interface Panel {
  readonly id: 'side' | 'above' | 'turned';
  readonly title: string;
  /** What it shows: left, right, bottom, top. Right is forward; up is up, or to the person's left. */
  readonly box: readonly [left: number, right: number, bottom: number, top: number];
  /** Where its upper left corner is in the whole picture. */
  readonly at: readonly [x: number, y: number];
  /** Of a turned panel: the angle around the vertical axis through a place, degrees. At 0, it is seen from the side. */
  readonly turn?: { readonly degrees: number; readonly about: readonly [x: number, y: number] };
}

/** Both panels and the size of the whole picture, in mm. */
export interface ReachLayout {
  readonly panels: readonly Panel[];
  readonly width: number;
  readonly height: number;
}

/** A drawn person and the person's figure. */
export interface ShownFigure {
  readonly person: DrawnPerson;
  readonly figure: Figure;
}

const ORIGIN: Point = { x: 0, y: 0, z: 0 };
const [MARGIN_MM, GAP_MM] = [120, 60];
/** Room that people need in the picture: behind, above the seat or the floor, and to each side. */
const PEOPLE = { behind: 420, ahead: 900, sitting: 960, standing: 2000, side: 420 } as const;
/** From how far above a turned panel is seen, degrees, and what a mm up and a mm away is in the picture. */
export const RAISE_DEGREES = 20;
const RADIANS = Math.PI / 180;
const RAISE = RAISE_DEGREES * RADIANS;
const [UP, AWAY] = [Math.cos(RAISE), Math.sin(RAISE)];
/** Half widths of a seat and of an edge in three dimensions. */
const [SEAT_HALF, EDGE_HALF] = [220, 450];
/** Points on each end of a drawn limb. */
const ROUND = 8;

/** The scene of a view with the pose of its template. */
export function sceneOf(view: ReachView): ReachScene {
  const { seat, targets, see, clear } = view;
  return { pose: templateById(view.template).pose, seat, targets, see, clear };
}

/** The figures of the drawn people in a view. */
export function figuresOf(view: ReachView, data: DrawnScene): readonly ShownFigure[] {
  const scene = sceneOf(view);
  return data.persons.flatMap((person) =>
    person === null ? [] : [{ person, figure: figureOf(scene, person, data.stretch) }],
  );
}

/** The room of a view. It grows only if something is moved out of the room of the template. */
function roomOf(view: ReachView) {
  const template = templateById(view.template);
  const points = [...pointsOf(template), ...pointsOf(view)];
  const { pose } = template;
  const top =
    (view.seat?.heightMm ?? 0) + aboutMiddle(view.seat?.travelZ ?? [0, 0])[1] + PEOPLE[pose];
  const spread = (axis: keyof Point, least: number, most: number) => {
    const values = points.map((one) => one[axis]);
    const low = Math.min(least, ...values.map((value) => value - MARGIN_MM));
    const high = Math.max(most, ...values.map((value) => value + MARGIN_MM));
    return [Math.floor(low / GRID_MM) * GRID_MM, Math.ceil(high / GRID_MM) * GRID_MM] as const;
  };
  const back =
    aboutMiddle(view.seat?.travelX ?? [0, 0])[0] - PEOPLE.behind * (pose === 'sitting' ? 1 : 0.6);
  return {
    x: spread('x', back, PEOPLE.ahead),
    y: spread('y', -PEOPLE.side, PEOPLE.side),
    z: spread('z', -40, top),
  };
}

/** One panel with the room in three dimensions, turned by an angle. It is as large at every angle. */
export function turnedLayout(view: ReachView, degrees: number): ReachLayout {
  const { x, y, z } = roomOf(view);
  const half = Math.hypot(x[1] - x[0], y[1] - y[0]) / 2;
  const [bottom, top] = [z[0] * UP - half * AWAY, z[1] * UP + half * AWAY];
  const about = [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2] as const;
  const panel: Panel = {
    ...{ id: 'turned', title: 'In three dimensions', box: [-half, half, bottom, top], at: [0, 0] },
    turn: { degrees, about },
  };
  return { panels: [panel], width: 2 * half, height: top - bottom };
}

/** Both panels of a view, side by side or one below the other. */
export function layoutOf(view: ReachView, isRow: boolean): ReachLayout {
  const room = roomOf(view);
  const [left, right] = room.x;
  const [rightHand, leftHand] = room.y;
  const [bottom, high] = room.z;
  const width = right - left;
  const [tall, deep] = [high - bottom, leftHand - rightHand];
  const side = { id: 'side', title: 'From the side', box: [left, right, bottom, high] } as const;
  const above = {
    id: 'above',
    title: 'From above',
    box: [left, right, rightHand, leftHand],
  } as const;
  return isRow
    ? {
        panels: [
          { ...side, at: [0, 0] },
          { ...above, at: [width + GAP_MM, (tall - deep) / 2] },
        ],
        ...{ width: 2 * width + GAP_MM, height: Math.max(tall, deep) },
      }
    : {
        panels: [
          { ...side, at: [0, 0] },
          { ...above, at: [0, tall + GAP_MM] },
        ],
        ...{ width, height: tall + GAP_MM + deep },
      };
}

/** Places within the reach of a body. Others are seen far away and need no room in the picture. */
function pointsOf({ targets, see, clear }: Pick<Template, 'targets' | 'see' | 'clear'>) {
  const near = see.map(({ at }) => at).filter(({ x }) => x <= 1200);
  return [
    ...targets.map(({ at }) => at),
    ...near,
    ...see.flatMap(({ over }) => (over === undefined ? [] : [{ ...over, y: 0 }])),
    ...clear.flatMap(({ from, to }) => [from, to]).map((one) => ({ ...one, y: one.y / 2 })),
  ];
}

/** A place as a panel shows it, y downwards. */
export function shownAt(
  { id, turn }: Pick<Panel, 'id' | 'turn'>,
  [x, y, z]: Vector,
): readonly [number, number] {
  if (turn === undefined) return [x, id === 'side' ? -z : -y];
  const radians = (turn.degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const [dx, dy] = [x - turn.about[0], y - turn.about[1]];
  return [dx * cos + dy * sin, -z * UP - (dy * cos - dx * sin) * AWAY];
}

/**
 * Where a thing is after a move in a panel: along the picture, and up in it. In a turned panel, it moves in the upright
 * plane that is parallel to the picture.
 */
export function movedBy(
  { id, turn }: Pick<Panel, 'id' | 'turn'>,
  { x, y, z }: Point,
  alongMm: number,
  upMm: number,
): Partial<Point> {
  if (turn !== undefined) {
    const radians = (turn.degrees * Math.PI) / 180;
    const [aheadMm, leftMm] = [alongMm * Math.cos(radians), alongMm * Math.sin(radians)];
    return { x: x + aheadMm, y: y + leftMm, z: z + upMm };
  }
  return { x: x + alongMm, ...(id === 'side' ? { z: z + upMm } : { y: y + upMm }) };
}

/** How long a mm upward is in a panel. */
export const upwardIn = ({ turn }: Panel): number => (turn === undefined ? 1 : UP);

interface SceneProps {
  readonly view: ReachView;
  readonly data: DrawnScene;
  readonly layout: ReachLayout;
  readonly figures: readonly ShownFigure[];
  readonly mmPerPx: number;
  /** Whether the images of the people show this view. While something is moved, only joints follow. */
  readonly hasImages: boolean;
  /** Whether joined limbs show a person until the image has come. */
  readonly hasLimbs?: boolean;
  /** What the panel has besides, such as handles. */
  readonly children?: (panel: Panel) => ComponentChildren;
}

/** What one panel shows. */
interface PanelProps extends Pick<SceneProps, 'view' | 'data' | 'figures' | 'mmPerPx'> {
  readonly panel: Panel;
}

/** The scene with its people in both panels, to scale. */
export function ReachPanels(props: SceneProps): VNode {
  const { layout, mmPerPx, children } = props;
  return (
    <>
      {layout.panels.map((panel) => {
        const [left, right, bottom, top] = panel.box;
        const clip = `reach-${panel.id}`;
        return (
          <g
            key={panel.id}
            class={`reach-${panel.id}`}
            transform={`translate(${panel.at[0] - left} ${panel.at[1] + top})`}
          >
            <clipPath id={clip}>
              <rect x={left} y={-top} width={right - left} height={top - bottom} />
            </clipPath>
            <g clip-path={`url(#${clip})`}>
              <Ground {...props} panel={panel} />
            </g>
            <text
              class="panel-title"
              x={left + 8 * mmPerPx}
              y={-top + 18 * mmPerPx}
              font-size={13 * mmPerPx}
            >
              {panel.title}
            </text>
            {children?.(panel)}
          </g>
        );
      })}
    </>
  );
}

/** Middles of the base lines of labels beside places of a panel, in pixels, clear of its names and of the room. */
export function placesOfLabels(
  labels: readonly { readonly text: string; readonly place: readonly [number, number] }[],
  props: PanelProps,
) {
  const { view, panel, figures, mmPerPx } = props;
  const avoided = linesIn({ view, panel, figures }).flatMap(boxesAlong);
  return labelPlaces(
    labels.map(({ text, place: [x, y] }) => ({ text, x: x / mmPerPx, y: y / mmPerPx })),
    boxInPx(panel.box, mmPerPx),
    namesIn(props).map((one) => boxOfName(one, mmPerPx)),
    avoided.map((one) => boxInPx(one, mmPerPx)),
    true,
  );
}

interface TargetMarksProps extends PanelProps {
  /** What stands beside each target. By default, its name. */
  readonly texts?: readonly string[] | undefined;
}

/** The targets of a scene from the side, with texts. A line leads to a text that has no room beside its target. */
export function TargetMarks(props: TargetMarksProps): VNode {
  const { view, mmPerPx, panel } = props;
  const { texts: names = view.targets.map(({ name }) => name) } = props;
  const at = view.targets.map((one) => shownAt(panel, [one.at.x, one.at.y, one.at.z]));
  const labels = at.map((place, index) => ({ place, text: names[index] ?? '' }));
  const places = placesOfLabels(labels, props);
  const texts = places.map((place, index) => place?.map((px) => px * mmPerPx) ?? at[index] ?? []);
  /** The place of a text that is nearest to its target. */
  const endOf = ([x]: readonly [number, number], index: number): string => {
    const [middle = x, base = 0] = texts[index] ?? [];
    const half = halfOf(names[index] ?? '') * mmPerPx;
    return `${Math.max(middle - half, Math.min(middle + half, x))} ${base - 4 * mmPerPx}`;
  };
  return (
    <>
      {at.map(([x, y], index) => (
        <g key={index}>
          <path class="leader" d={`M${x} ${y}L${endOf([x, y], index)}`} />
          <circle cx={x} cy={y} r={4 * mmPerPx} fill={COLOUR.accent} />
        </g>
      ))}
      {texts.map(([x, y], index) => (
        <text key={index} {...{ x, y }} font-size={13 * mmPerPx} text-anchor="middle">
          {names[index]}
        </text>
      ))}
    </>
  );
}

function Ground(props: SceneProps & PanelProps): VNode {
  const { view, data, panel, mmPerPx, hasLimbs = true } = props;
  const [left, right, bottom, top] = panel.box;
  const middle = props.figures.find(({ person }) => person.percentile === 50);
  // From above, people would cover each other.
  const figures = panel.id === 'above' && middle !== undefined ? [middle] : props.figures;
  const isTurned = panel.id === 'turned';
  const curves = isTurned ? [] : (data.envelope?.[panel.id] ?? []);
  // The names are behind the heads, the largest person's above.
  const heads = figures.map(({ figure: { head } }) => {
    const [x, y] = shownAt(panel, head.centre);
    return { behind: x - head.half[0], y };
  });
  const nameX = Math.min(...heads.map(({ behind }) => behind)) - 4 * mmPerPx;
  // None covers another. The last is at the top.
  const nameYs: number[] = [];
  for (const { y } of heads.toReversed()) {
    nameYs.unshift(Math.max(y, (nameYs[0] ?? Number.NEGATIVE_INFINITY) + 14 * mmPerPx));
  }
  return (
    <>
      <path class="grid-lines" d={isTurned ? floorPath(view, panel) : gridPath(panel.box)} />
      {panel.id === 'side' ? <path class="product" d={`M${left} 0L${right} 0`} /> : null}
      {middle === undefined ? null : isTurned ? (
        [data.envelope?.side ?? [], data.envelope?.above ?? []].map((both, index) => (
          <Envelope key={index} panel={panel} curves={both} figure={middle.figure} />
        ))
      ) : (
        <Envelope {...{ curves, panel }} figure={middle.figure} />
      )}
      {/* The cushions of one seat are enough to show how people sit. */}
      {[middle ?? figures[0]].map((one) =>
        one === undefined || view.seat === undefined || panel.id !== 'side' ? null : (
          <g key="cushions" class={colourOf(one.person)}>
            <path
              class="cushion thing"
              stroke="none"
              d={cushionPath(view.seat, one.figure, panel)}
            />
          </g>
        ),
      )}
      {/* In three dimensions, people cover their seats. */}
      {isTurned
        ? figures.map(({ person, figure }) => (
            <g key={person.percentile} class={colourOf(person)}>
              <Seat view={view} figure={figure} panel={panel} />
            </g>
          ))
        : null}
      {/* Large people are behind small ones. */}
      {figures.toReversed().map(({ person, figure }) => {
        const image = props.hasImages ? imageIn(panel, person) : undefined;
        return (
          <Person
            key={image?.href ?? person.percentile}
            {...{ person, figure, panel, image }}
            hasLimbs={hasLimbs || image === undefined}
          />
        );
      })}
      <Things {...{ view, panel, mmPerPx }} />
      {figures.map(({ person, figure }, at) => (
        <g key={person.percentile} class={colourOf(person)}>
          {isTurned ? null : <Seat view={view} figure={figure} panel={panel} />}
          {view.see.map(({ at: { x, y, z } }, index) => {
            const isSeen = (figure.marginsMm[view.targets.length + index] ?? 0) >= 0;
            const ends = [figure.eye, [x, y, z] as const].map((one) => shownAt(panel, one));
            const d = `M${ends.map((one) => one.map(Math.round).join(' ')).join('L')}`;
            return <path key={index} class={isSeen ? 'sight' : 'sight fails'} d={d} />;
          })}
          {panel.id === 'above' ? null : (
            <text
              class="person-label"
              x={nameX}
              y={nameYs[at]}
              text-anchor="end"
              font-size={12 * mmPerPx}
            >
              P{person.percentile}
            </text>
          )}
        </g>
      ))}
      {/* No line is drawn after a text. */}
      {namesIn(props).map(({ text, at: [x, y] }) => (
        <text key={text} {...{ x, y }} text-anchor="middle" font-size={12 * mmPerPx}>
          {text}
        </text>
      ))}
      <path
        class="panel-frame"
        d={`M${left} ${-bottom}L${right} ${-bottom}L${right} ${-top}L${left} ${-top}Z`}
      />
    </>
  );
}

/** The class of a person's colour, which is that of the population. */
export const colourOf = ({ series }: DrawnPerson): string => `series-${series + 1}`;

interface PanelOf {
  readonly panel: Panel;
  readonly figure: Figure;
}

/** The image of a person in a panel; undefined without one. */
function imageIn({ id, turn }: Panel, { images }: DrawnPerson): PageImage | undefined {
  return id === 'turned' ? images?.turned[TURNS.indexOf(turn?.degrees ?? 0)] : images?.[id];
}

interface PersonProps extends PanelOf {
  readonly person: DrawnPerson;
  readonly image: PageImage | undefined;
  readonly hasLimbs: boolean;
}

/** A person. Joined limbs wait for the image, or show the person without one. */
function Person({ person, figure, panel, image, hasLimbs }: PersonProps): VNode {
  const limbs = figure.limbs.filter(
    ({ only }) => only === undefined || only === panel.id || panel.id === 'turned',
  );
  // All parts turn the same way, so that one path fills what they cover together.
  const body = [...limbs.map((limb) => limbPath(limb, panel)), headPath(figure, panel)].join('');
  // A saved picture has the image alone.
  const waiting = image === undefined ? {} : { 'data-screen-only': true };
  return (
    <g class={`reach-person ${colourOf(person)}`}>
      {/* The outlines come first, so that none lies inside the body. */}
      {hasLimbs
        ? (['person-outline', 'person-part'] as const).map((part) => (
            <path key={part} class={part} d={body} {...waiting} />
          ))
        : null}
      {image === undefined ? null : (
        <PersonImage
          picture={image}
          transform={`translate(${shownAt(panel, [figure.seat[0], 0, figure.seat[1]]).join(' ')})`}
          // The image replaces the limbs when it has come.
          onLoad={(event) => event.currentTarget.closest('g')?.classList.add('has-image')}
        />
      )}
    </g>
  );
}

/** A limb with round ends. */
function limbPath({ from, to, radii }: Limb, panel: Panel): string {
  const [a, b] = [shownAt(panel, from), shownAt(panel, to)];
  const along = Math.atan2(b[1] - a[1], b[0] - a[0]);
  const end = ([x, y]: readonly [number, number], radius: number, start: number) =>
    Array.from({ length: ROUND + 1 }, (_, i) => {
      const turn = start + (i * Math.PI) / ROUND;
      return [x + radius * Math.cos(turn), y + radius * Math.sin(turn)] as const;
    });
  const points = [
    ...end(a, radii[0], along + Math.PI / 2),
    ...end(b, radii[1], along - Math.PI / 2),
  ];
  return pathOf(points);
}

function headPath({ head }: Figure, panel: Panel): string {
  const [x, y] = shownAt(panel, head.centre);
  const radians = ((panel.turn?.degrees ?? 0) * Math.PI) / 180;
  const halfX = Math.hypot(head.half[0] * Math.cos(radians), head.half[1] * Math.sin(radians));
  const halfY = head.half[panel.id === 'above' ? 1 : 2];
  const points = Array.from({ length: 3 * ROUND }, (_, i) => {
    const turn = (2 * Math.PI * i) / (3 * ROUND);
    return [x + halfX * Math.cos(turn), y + halfY * Math.sin(turn)] as const;
  });
  return pathOf(points);
}

const tenth = (mm: number) => Math.round(10 * mm) / 10;

function pathOf(points: readonly (readonly [number, number])[], isClosed = true): string {
  const texts = points.map(([x, y]) => `${tenth(x)} ${tenth(y)}`);
  return `M${texts.join('L')}${isClosed ? 'Z' : ''}`;
}

interface EnvelopeProps extends PanelOf {
  readonly curves: Curves;
}

/** The bands of reach, where the median person sits or stands. */
function Envelope(props: EnvelopeProps): VNode {
  return (
    <>
      {bandsOf(props).map((points, index) =>
        points.length < 3 ? null : <path key={SHOWN[index]} class="envelope" d={pathOf(points)} />,
      )}
    </>
  );
}

/** Points of the bands in the picture. They are whole mm, as those of the data are. */
const bandsOf = ({ curves, panel, figure }: EnvelopeProps) =>
  curves.map((curve) =>
    curve.map((point) => {
      const [x, y] = shownAt(panel, figure.toRoom(point));
      return [Math.round(x), Math.round(y)] as const;
    }),
  );

/** A name in a picture: its middle on the base line, mm. */
interface Named {
  readonly text: string;
  readonly at: readonly [x: number, y: number];
}

/** The names of the bands, and from the side those of sights that end far away. */
function namesIn(props: PanelProps): readonly Named[] {
  const { view, data, figures, panel, mmPerPx } = props;
  const middle = figures.find(({ person }) => person.percentile === 50);
  if (panel.id === 'turned' || middle === undefined) return [];
  const [, right] = panel.box;
  const lineMm = 14 * mmPerPx;
  // Sights fall to the right, so that the place below the lowest is free, unless a narrow picture has an edge there.
  const edges = view.see.flatMap(({ over }) => (over === undefined ? [] : [over]));
  const sights = view.see.flatMap(({ name: text, at }): Named[] => {
    if (panel.id !== 'side' || at.x <= right) return [];
    const ends = figures.map(({ figure: { eye } }) => {
      const [x, y] = shownAt(panel, eye);
      return y + ((right - x) / (at.x - x)) * (-at.z - y);
    });
    const x = right - lineMm / 2 - halfOf(text) * mmPerPx;
    const y = Math.max(...ends) + lineMm;
    const isTaken = edges.some(
      (edge) => edge.x > x - halfOf(text) * mmPerPx - lineMm && Math.abs(-edge.z - y) < lineMm,
    );
    return [{ text, at: [x, isTaken ? y + 2 * lineMm : y] }];
  });
  const curves = data.envelope?.[panel.id] ?? [];
  const bands = bandsOf({ curves, panel, figure: middle.figure });
  return [...bandNames(bands, props, sights), ...sights];
}

/** Approximate half width of a name, pixels. */
const halfOf = (text: string): number => 3.3 * text.length;

/** The box of a name, pixels. */
function boxOfName({ text, at }: Named, mmPerPx: number): Box {
  const [x, y] = [at[0] / mmPerPx, at[1] / mmPerPx];
  return [x - halfOf(text), x + halfOf(text), y - 11, y + 3];
}

/** Directions in which the bands may have their names, degrees downward from straight ahead. Those ahead come first. */
const NAMED_AT = Array.from({ length: 60 }, (_, i) => 6 * (i % 2 === 0 ? i / 2 : -(i + 1) / 2));

/** The names of the bands on their edges, in the direction in which they cover least. */
function bandNames(
  bands: readonly (readonly (readonly [number, number])[])[],
  { view, panel, figures, mmPerPx }: PanelProps,
  others: readonly Named[],
): readonly Named[] {
  const marks = [
    ...view.targets.map(({ at }) => at),
    ...view.see.flatMap(({ over, at }) => (over === undefined ? [at] : [{ ...over, y: 0 }])),
  ].map(({ x, y, z }) => shownAt(panel, [x, y, z]));
  const lines = linesIn({ view, panel, figures }).flatMap(boxesAlong);
  const avoided = [
    ...others.map((one) => boxOfName(one, mmPerPx)),
    // Names of targets are around them.
    ...marks.map(([x, y]): Box => {
      const [left, top] = [x / mmPerPx, y / mmPerPx];
      return [left - 50, left + 50, top - 30, top + 30];
    }),
    ...lines.map((one) => wider(boxInPx(one, mmPerPx), LIMB_PX)),
  ];
  const [left, right, top, bottom] = boxInPx(panel.box, mmPerPx);
  let best: { readonly names: readonly Named[]; readonly cost: number } | undefined;
  for (const degrees of NAMED_AT) {
    const [cos, sin] = [Math.cos(degrees * RADIANS), Math.sin(degrees * RADIANS)];
    const names = bands.flatMap((points, index): Named[] => {
      if (points.length < 3) return [];
      const [x, y] = points.reduce((far, one) =>
        one[0] * cos + one[1] * sin > far[0] * cos + far[1] * sin ? one : far,
      );
      const text = `${100 - (SHOWN[index] ?? 0)} %${index === 0 ? ' reach' : ''}`;
      return [{ text, at: [x, y + 4 * mmPerPx] }];
    });
    const boxes = names.map((one) => boxOfName(one, mmPerPx));
    const outside = boxes.filter(
      ([l, r, t, b]) => l < left || r > right || t < top + 20 || b > bottom,
    );
    const cost = boxes.reduce(
      (sum, box, index) =>
        sum + coveredBy(box, avoided) + 10 * coveredBy(wider(box, 6), boxes.slice(index + 1)),
      OUTSIDE_COST * outside.length,
    );
    if (best === undefined || cost < best.cost) best = { names, cost };
  }
  return best?.names ?? [];
}

/** What a name outside the panel costs, square pixels, and about half the breadth of a limb, pixels. */
const [OUTSIDE_COST, LIMB_PX] = [1e5, 12];

const wider = ([left, right, top, bottom]: Box, px: number): Box => [
  left - px,
  right + px,
  top - px,
  bottom + px,
];

/** Lines of the room and of the people in a flat panel, which names should leave free. */
function linesIn({ view, panel, figures }: Pick<PanelProps, 'view' | 'panel' | 'figures'>) {
  const limbs = figures.flatMap(({ figure }) =>
    figure.limbs.map(({ from, to }) =>
      [from, to].map((at) => shownAt(panel, at)).map(([x, y]) => [x, -y] as const),
    ),
  );
  const [travel, isSide] = [travelOf(view.seat), panel.id === 'side'];
  const moved =
    travel === undefined || !isSide
      ? []
      : [
          [
            [travel.left - 250, -travel.low],
            [travel.right, -travel.low],
          ] as const,
        ];
  const things = isSide
    ? view.clear.map(
        ({ from, to }) =>
          [
            [from.x, from.z],
            [to.x, from.z],
          ] as const,
      )
    : [];
  return [...roomLines(view, panel), ...limbs, ...moved, ...things];
}

/** Lines of the room in a flat panel, upwards. */
function roomLines(view: ReachView, { id }: Panel): readonly RoomLine[] {
  const template = templateById(view.template);
  const placeOf = (name: string): Point => {
    const all = [...view.see, ...view.targets, ...template.see, ...template.targets];
    const { at = ORIGIN, over }: Partial<Sight> = all.find((one) => one.name === name) ?? {};
    return { ...at, ...over };
  };
  return id === 'turned' ? [] : template[id === 'side' ? 'lines' : 'above'](placeOf);
}

/** The room: its lines, the things that need room, and the edges. */
function Things(props: Pick<SceneProps, 'view' | 'mmPerPx'> & { readonly panel: Panel }): VNode {
  const { view, panel, mmPerPx } = props;
  const edges = view.see.flatMap(({ over }) => (over === undefined ? [] : [over]));
  const [, , bottom, top] = panel.box;
  const travel = travelOf(view.seat);
  return (
    <>
      {view.clear.map(({ from, to }, index) => {
        return <path key={index} class="product thing" d={boxPath(from, to, panel)} />;
      })}
      {panel.id === 'side' && travel !== undefined ? (
        <>
          <path class="product dashed" d={travel.path} />
          <text
            x={travel.left - 5 * mmPerPx}
            y={travel.low}
            text-anchor="end"
            font-size={12 * mmPerPx}
          >
            Seat travel
          </text>
        </>
      ) : null}
      {roomLines(view, panel).map((points, index) => (
        <path
          key={index}
          class="product"
          d={pathOf(
            points.map(([x, z]) => [x, -z] as const),
            false,
          )}
        />
      ))}
      {edges.map(({ x, z }, index) =>
        panel.id === 'side' ? (
          <path key={index} class="product edge" d={`M${x} ${-z}L${x} ${-z + 60}`} />
        ) : panel.id === 'above' ? (
          <path key={index} class="product dashed" d={`M${x} ${-top}L${x} ${-bottom}`} />
        ) : (
          <path
            key={index}
            class="product edge"
            d={pathOf(
              [-EDGE_HALF, EDGE_HALF].map((y) => shownAt(panel, [x, y, z])),
              false,
            )}
          />
        ),
      )}
    </>
  );
}

/** A box: a rectangle in a flat panel, its bottom, its top and its other edges in a turned one. */
function boxPath(from: Point, to: Point, panel: Panel): string {
  const at = (x: number, y: number, z: number) => shownAt(panel, [x, y, z]);
  if (panel.id === 'side') {
    return pathOf([
      ...[at(from.x, 0, from.z), at(to.x, 0, from.z)],
      ...[at(to.x, 0, to.z), at(from.x, 0, to.z)],
    ]);
  }
  const around = (z: number) => [
    ...[at(from.x, from.y, z), at(to.x, from.y, z)],
    ...[at(to.x, to.y, z), at(from.x, to.y, z)],
  ];
  if (panel.id === 'above') return pathOf(around(0));
  const [low, high] = [around(from.z), around(to.z)];
  const edges = low.map((corner, i) => pathOf([corner, high[i] as typeof corner], false));
  return [pathOf(low), pathOf(high), ...edges].join('');
}

/** Lines on the floor, which show how the room is turned. */
function floorPath(view: ReachView, panel: Panel): string {
  const { x, y } = roomOf(view);
  const line = (a: readonly [number, number], b: readonly [number, number]) =>
    pathOf(
      [a, b].map(([atX, atY]) => shownAt(panel, [atX, atY, 0])),
      false,
    );
  return [
    ...gridSteps(...x).map((atX) => line([atX, y[0]], [atX, y[1]])),
    ...gridSteps(...y).map((atY) => line([x[0], atY], [x[1], atY])),
  ].join('');
}

/** Where the back edge of a seat can be, in the picture; undefined if it does not move. */
function travelOf(seat: SeatOf | undefined) {
  if (seat === undefined || !seatMoves(seat)) return undefined;
  const { heightMm, travelX, travelZ } = seat;
  const [[left, right], [low, high]] = [aboutMiddle(travelX), aboutMiddle(travelZ)];
  const corner = (x: number, z: number) => [x, -heightMm - z] as const;
  const path = pathOf([
    ...[corner(left, low), corner(right, low)],
    ...[corner(right, high), corner(left, high)],
  ]);
  return { path, left, right, low: -heightMm - low };
}

/** Head rest, back and seat from the side. A person sinks into them. The sizes, mm, are our own assumption. */
function cushionPath(seat: SeatOf, { seat: [x, z] }: Figure, panel: Panel): string {
  const pillow = (turn: number, from: number, to: number, below: number, radii: Limb['radii']) => {
    const [a, b] = [from, to].map((mm) => sum([x, 0, z], forth(mm, below, turn * RADIANS)));
    return limbPath({ from: a as Vector, to: b as Vector, radii }, panel);
  };
  const { backAngle, panAngle } = seat;
  return [
    pillow(90 + backAngle, 720, 800, 40, [45, 40]),
    pillow(90 + backAngle, 0, 590, 40, [65, 50]),
    pillow(panAngle, 0, 420, -35, [65, 55]),
  ].join('');
}

/** The seat of a person, where this person puts it. */
function Seat({ view, figure, panel }: PanelOf & { readonly view: ReachView }): VNode | null {
  const { seat } = view;
  if (seat === undefined || panel.id === 'above') return null;
  const [x, z] = figure.seat;
  const at = (degrees: number, length: number, y: number) => {
    const turn = (degrees * Math.PI) / 180;
    return shownAt(panel, [x + length * Math.cos(turn), y, z + length * Math.sin(turn)]);
  };
  const line = (y: number) => [
    ...[at(90 + seat.backAngle, 520, y), at(0, 0, y), at(seat.panAngle, 420, y)],
  ];
  if (panel.id === 'side') return <path class="seat-line" d={pathOf(line(0), false)} />;
  const both = [...line(SEAT_HALF), ...line(-SEAT_HALF).toReversed()];
  const fold = [at(0, 0, SEAT_HALF), at(0, 0, -SEAT_HALF)];
  return <path class="seat-line" d={pathOf(both) + pathOf(fold, false)} />;
}
