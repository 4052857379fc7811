import type { Ref, VNode } from 'preact';
import type { RegionId } from '../../core/body-regions.js';
import type { RegionPath } from '../../render/drawing.js';
import {
  BANDS,
  type Band,
  bodyOf,
  type Figure,
  LABEL,
  type LayoutOptions,
  layoutPeople,
  type PeopleLayout,
  type PlacedPeople,
} from './people-layout.js';
import { PersonImage } from './person-image.js';
import { spread } from './spread.js';

interface PeoplePictureProps extends Omit<LayoutOptions, 'axisPx'> {
  /** Content of the picture, in one sentence. */
  readonly title: string;
  /** A length as text, with its unit. */
  readonly format: (valueMm: number) => string;
  /** The chosen region of the body. */
  readonly region?: RegionId | undefined;
  /** Called when a region of a figure is pressed. */
  readonly onRegion?: ((region: RegionId) => void) | undefined;
  /** The regions of the median people, by the address of their places. */
  readonly regions?: ReadonlyMap<string, readonly RegionPath[]> | undefined;
  readonly svg?: Ref<SVGSVGElement> | undefined;
  /** Whether the people are loaded when the script of the page runs. */
  readonly isLater?: boolean;
  /** The layout of these properties, if it is known. The picture is then part of another picture. */
  readonly layout?: PeopleLayout | undefined;
}

/** Distance between the lines of the grid in mm. Every 500 mm, a stronger line has a height. */
const GRID_MM = 100;
const STRONG_MM = 500;
/** A height with a long text. `AXIS_CHAR_PX` is the approximate width of one character. */
const WIDE_HEIGHT_MM = 1500;
const AXIS_CHAR_PX = 6.9;

/**
 * Populations on one floor, to scale, in front of a grid of 100 mm. Each has a small, a median and a large
 * person in the arrangement of the layout, with bands from P5 to P95 or lines at landmarks.
 */
export function PeoplePicture(props: PeoplePictureProps): VNode {
  const { title, format, svg, region, onRegion, posture } = props;
  const layout = props.layout ?? pictureLayout(props);
  const { widthPx, heightPx, people, arrangement } = layout;
  return (
    <svg
      class="people-picture"
      data-arrangement={arrangement}
      {...(svg === undefined ? {} : { ref: svg })}
      {...(props.layout === undefined ? {} : { width: widthPx, height: heightPx })}
      viewBox={`0 0 ${round(widthPx)} ${round(heightPx)}`}
      role="img"
      aria-label={title}
    >
      <Grid layout={layout} format={format} />
      {people.map((one) => (
        <Figures key={one.series} one={one} layout={layout} isLater={props.isLater} />
      ))}
      <path
        class="people-floor"
        d={`M${layout.axisPx} ${round(layout.floorPx)}H${round(widthPx)}`}
      />
      {people.map((one) => (
        <Bands key={one.series} one={one} layout={layout} posture={posture} format={format} />
      ))}
      {people.map((one) => (
        <Heights key={one.series} one={one} layout={layout} posture={posture} format={format} />
      ))}
      {arrangement === 'overlaid'
        ? null
        : people.map((one) => <Label key={one.series} one={one} layout={layout} />)}
      {people.map((one) => (
        <Regions key={one.series} {...{ one, layout, region, onRegion }} regions={props.regions} />
      ))}
    </svg>
  );
}

/** The layout of a picture: the positions of everything in it. */
export function pictureLayout(props: Omit<PeoplePictureProps, 'title' | 'layout'>): PeopleLayout {
  const axisPx = Math.ceil(props.format(WIDE_HEIGHT_MM).length * AXIS_CHAR_PX + 12);
  return layoutPeople({ ...props, axisPx });
}

interface PartProps {
  readonly layout: PeopleLayout;
  readonly one: PlacedPeople;
}

function Grid(props: Pick<PeoplePictureProps, 'format'> & Pick<PartProps, 'layout'>): VNode {
  const { layout, format } = props;
  const { floorPx, pxPerMm, topMm, widthPx, axisPx } = layout;
  const topPx = floorPx - topMm * pxPerMm;
  const heights = Array.from({ length: topMm / GRID_MM }, (_, i) => (i + 1) * GRID_MM);
  const across = (mm: number) => `M${axisPx} ${round(floorPx - mm * pxPerMm)}H${round(widthPx)}`;
  const columns = Math.floor((widthPx - axisPx) / (GRID_MM * pxPerMm));
  const upright = Array.from(
    { length: columns + 1 },
    (_, i) => `M${round(axisPx + i * GRID_MM * pxPerMm)} ${round(topPx)}V${round(floorPx)}`,
  );
  const strong = heights.filter((mm) => mm % STRONG_MM === 0);
  return (
    <>
      <path class="people-grid" d={heights.map(across).join('') + upright.join('')} />
      <path class="people-grid-strong" d={strong.map(across).join('')} />
      {[0, ...strong].map((mm) => (
        <text
          key={mm}
          class="people-text"
          x={axisPx - 6}
          y={round(floorPx - mm * pxPerMm + 4)}
          text-anchor="end"
        >
          {mm === 0 ? '0' : format(mm)}
        </text>
      ))}
    </>
  );
}

function placeOf(originPx: number, { floorPx, pxPerMm }: PeopleLayout): string {
  return `translate(${round(originPx)} ${round(floorPx)}) scale(${pxPerMm.toFixed(5)})`;
}

/** The people of a population. */
function Figures(props: PartProps & { isLater: boolean | undefined }): VNode | null {
  const { one, layout, isLater } = props;
  if (one.figures === undefined) return null;
  const { arrangement } = layout;
  const [, median] = one.figures;
  const shown = arrangement === 'beside' ? one.figures : [median];
  return (
    <g class={`series-${one.series}`}>
      {shown.map((figure, index) => {
        const originPx = one.originsPx[arrangement === 'beside' ? index : 1] as number;
        return (
          <g key={index} transform={placeOf(originPx, layout)}>
            <Person figure={figure} isOverlaid={arrangement === 'overlaid'} isLater={isLater} />
          </g>
        );
      })}
    </g>
  );
}

/** A person in mm, with the origin between the feet. Sitting people get a seat, and lying people a mat below them. */
function Person(props: {
  figure: Figure;
  isOverlaid: boolean;
  isLater: boolean | undefined;
}): VNode {
  const { picture } = props.figure;
  const prop = propBelow(props.figure);
  return (
    <>
      {prop === undefined ? null : (
        <path class="people-prop" d={prop} vector-effect="non-scaling-stroke" />
      )}
      <PersonImage
        {...{ picture, isLater: props.isLater }}
        class={props.isOverlaid ? 'people-person overlaid' : 'people-person'}
      />
    </>
  );
}

/** Where a landmark of a figure is in the picture, px from the left. */
function landmarkPx(
  { picture, heightsMm: [tallest = 0] }: Figure,
  { aside, across }: Band,
  originPx: number,
  { pxPerMm }: PeopleLayout,
): number {
  return originPx + (picture.view.endsWith('Side') ? aside : across) * tallest * pxPerMm;
}

/** The height of the seat of a sitting figure, mm. */
const seatOf = ({ heightsMm }: Pick<Figure, 'heightsMm'>): number => heightsMm.at(-1) ?? 0;

function propBelow({ picture, heightsMm }: Figure): string | undefined {
  const { view, lying, frame } = picture;
  const [left, right, , top] = frame;
  // From the side, the floor is what they lie on.
  if (lying === 'fromSide') return undefined;
  if (lying === 'fromAbove') return `M${left} 0H${right}V${-top}H${left}z`;
  if (!view.startsWith('sitting')) return undefined;
  const seatMm = seatOf({ heightsMm });
  const half = right - 0.1 * (heightsMm[0] ?? 0);
  const [from, to] = view === 'sittingSide' ? [0.9 * left, 0.45 * right] : [-half, half];
  return `M${round(from)} ${-seatMm}H${round(to)}v20H${round(from)}zm30 20V0M${round(to - 30)} ${20 - seatMm}V0`;
}

/** Percentiles of people who stand beside each other. `NAME_PX` is the minimum distance of names of heights. */
const BESIDE_NAMES = ['P5', 'P50', 'P95'] as const;
const NAME_PX = 13;

/** For people beside each other: the height over each head, and lines between their landmarks. */
function Heights(props: PartProps & Pick<PeoplePictureProps, 'posture' | 'format'>): VNode | null {
  const { one, layout, posture, format } = props;
  const { figures, originsPx, namesPx, bandsMm } = one;
  if (layout.arrangement !== 'beside' || figures === undefined) return null;
  const [, , large] = figures;
  const y = (mm: number) => layout.floorPx - mm * layout.pxPerMm;
  const heads = figures.map((figure, index) => {
    const { left, right, top } = bodyOf(figure);
    const { lying } = figure.picture;
    const middleMm = lying === 'fromSide' ? (left + right) / 2 : 0;
    const xPx = (mm: number) => (originsPx[index] as number) + mm * layout.pxPerMm;
    return {
      ...{ xPx: xPx(middleMm), topPx: y(top), asidePx: xPx(left) - 3 },
      seatPx: posture === 'sitting' && lying === undefined ? y(seatOf(figure)) : undefined,
    };
  });
  const lines = BANDS[posture].slice(1).map((band, index) => {
    const { measurement, name, overSeat } = band;
    const xPx = landmarkPx(large, band, originsPx[2], layout);
    const yPx = y(large.heightsMm[index + 1] ?? 0);
    const own = figures
      .map((one) => format((one.heightsMm[index + 1] ?? 0) - (overSeat ? seatOf(one) : 0)))
      .join(', ');
    const values = (bandsMm[index + 1] ?? []).map((mm) => format(mm)).join(', ');
    return { measurement, name, xPx, yPx, own, values };
  });
  lines.sort((a, b) => b.yPx - a.yPx);
  const wanted = lines.map(({ yPx }) => yPx);
  const places = spread(wanted, NAME_PX, layout.floorPx);
  return (
    <g class={`series-${one.series}`}>
      {namesPx === undefined
        ? null
        : lines.map(({ measurement, name, xPx, yPx, own, values }, index) => (
            <g key={measurement}>
              <title>{`${one.label}, ${name.toLowerCase()}: the people drawn have ${own}; P5, P50 and P95 are ${values}`}</title>
              <path
                class="people-leader"
                d={`M${round(xPx)} ${round(yPx)}H${round(namesPx - 12)}L${round(namesPx - 3)} ${round(places[index] ?? 0)}`}
              />
              <text class="people-text" x={round(namesPx)} y={round((places[index] ?? 0) + 4)}>
                {name}
              </text>
            </g>
          ))}
      {heads.map(({ xPx, topPx, asidePx, seatPx }, index) => (
        <g key={index}>
          {/* A sitting height starts at the seat. */}
          {seatPx === undefined ? null : (
            <path
              class="people-measure"
              d={`M${round(asidePx - 3)} ${round(seatPx)}h6m-3 0V${round(topPx)}m-3 0h6`}
            />
          )}
          <text
            class="people-text people-height"
            x={round(xPx)}
            y={round(topPx - (seatPx === undefined ? 5 : 5 + NAME_PX))}
            text-anchor="middle"
          >
            {format(bandsMm[0]?.[index] ?? 0)}
            {seatPx === undefined ? null : (
              <tspan x={round(xPx)} dy={NAME_PX}>
                above the seat
              </tspan>
            )}
          </text>
          <text
            class="people-text"
            x={round(xPx)}
            y={round(layout.floorPx + 16)}
            text-anchor="middle"
          >
            {BESIDE_NAMES[index]}
          </text>
        </g>
      ))}
    </g>
  );
}

function Bands(props: PartProps & Pick<PeoplePictureProps, 'posture' | 'format'>): VNode | null {
  const { one, layout, posture, format } = props;
  if (one.bandsPx === undefined) return null;
  const [leftPx, stepPx] = one.bandsPx;
  const seat = BANDS[posture].findIndex(({ measurement }) => measurement === 'PoplitealHeight');
  const seatMm = one.bandsMm[seat]?.[1] ?? 0;
  return (
    <g class={`series-${one.series}`}>
      {BANDS[posture].map((band, index) => {
        const { measurement, name, overSeat } = band;
        const values = one.bandsMm[index] ?? [];
        const [low, middle, high] = values;
        if (low === undefined || middle === undefined || high === undefined) return null;
        const y = (mm: number) =>
          round(layout.floorPx - (mm + (overSeat ? seatMm : 0)) * layout.pxPerMm);
        const x = round(leftPx + index * stepPx);
        const median = one.figures?.[1];
        const [, originPx] = one.originsPx;
        const startPx = round(median ? landmarkPx(median, band, originPx, layout) : originPx);
        const text = values.map((mm) => format(mm ?? 0)).join(', ');
        return (
          <g key={measurement}>
            <title>{`${one.label}, ${name.toLowerCase()}: P5, P50 and P95 are ${text}`}</title>
            <path class="people-leader" d={`M${startPx} ${y(middle)}H${x}`} />
            <rect
              class="people-band"
              x={x}
              y={y(high)}
              width="5"
              height={round(y(low) - y(high))}
            />
            <path class="people-median" d={`M${x - 1} ${y(middle)}h7`} />
            {layout.namesBands ? (
              <text
                class="people-text"
                transform={`translate(${x + 15} ${y(middle)}) rotate(-90)`}
                text-anchor="middle"
              >
                {name}
              </text>
            ) : null}
          </g>
        );
      })}
    </g>
  );
}

/** The name of a population below its feet, in lines that fit its part of the floor. */
function Label({ one, layout }: PartProps): VNode {
  const [left, width] = one.slotPx;
  const middle = round(left + width / 2);
  const belowPx = layout.arrangement === 'beside' ? 33 : 18;
  return (
    <text class="people-text people-label" text-anchor="middle">
      {one.labelLines.map((line, index) => (
        <tspan key={line} x={middle} y={round(layout.floorPx + belowPx + index * LABEL.linePx)}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** The regions of the median person. A visitor can press them, and the chosen one is coloured. */
function Regions(
  props: PartProps & Pick<PeoplePictureProps, 'region' | 'onRegion' | 'regions'>,
): VNode | null {
  const { one, layout, region, onRegion } = props;
  const places = one.figures?.[1].picture.places ?? '';
  const shown = (props.regions?.get(places) ?? []).filter(
    (part) => onRegion !== undefined || part.region === region,
  );
  if (shown.length === 0) return null;
  return (
    <g transform={placeOf(one.originsPx[1], layout)}>
      {shown.map((part) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: buttons beside the picture do the same for the keyboard.
        <path
          key={part.d}
          data-screen-only={part.region === region ? undefined : true}
          class={part.region === region ? 'people-region chosen' : 'people-region'}
          data-region={part.region}
          d={part.d}
          vector-effect="non-scaling-stroke"
          onClick={() => onRegion?.(part.region)}
        />
      ))}
    </g>
  );
}

function round(px: number): number {
  return Math.round(px * 10) / 10;
}
