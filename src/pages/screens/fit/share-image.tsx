import type { VNode } from 'preact';
import { COLOUR, figureStyles, seriesColour } from '../../drawing-colours.js';
import { formatLength, type ShownUnit, shownUnit } from '../../lengths.js';
import { type Area, linesOf, type ShareContent } from '../../share/share-card.js';
import { percent } from '../shared/labels.js';
import { populationLabel } from '../shared/populations.js';
import type { FitView } from './address.js';
import type { FitData } from './data-types.js';
import { DimensionMarks, dimensionEnds, FitGround, fitDrawing } from './drawing.js';
import { type Bound, boundsOf } from './needs.js';
import { productById } from './products.js';
import { withDesign } from './proposal.js';
import { roundedCount } from './texts.js';

const TEXT_WIDTH = 400;
const LINE = 30;

/** The share image of the Fit screen: the product with a person, and the share that it fits. */
export function sharedFit(asked: FitView, data: FitData): ShareContent {
  const view = withDesign(asked, data.proposal);
  const product = productById(view.product)?.title ?? 'Own limits';
  return {
    title: `${product}: ${view.populations.map(populationLabel).join('; ')}`,
    artifactVersion: data.artifactVersion,
    draw: (area) => {
      const bounds = boundsOf(view);
      const unit = shownUnit(view.unit);
      const right = { ...area, x: area.x + TEXT_WIDTH, width: area.width - TEXT_WIDTH };
      const drawn = drawnProduct(right, view, data, bounds, unit);
      return {
        styles: drawn?.styles ?? '',
        picture: (
          <>
            <Texts area={area} data={data} bounds={bounds} unit={unit} />
            {drawn?.picture}
          </>
        ),
      };
    },
  };
}

interface TextsProps {
  readonly area: Area;
  readonly data: FitData;
  readonly bounds: readonly Bound[];
  readonly unit: ShownUnit;
}

/** The share of all people, the share of each population, and the sizes. */
function Texts({ area, data, bounds, unit }: TextsProps): VNode {
  const { overall, populations } = data;
  const shares = populations.map(({ label, share }, index) => {
    const text = share === undefined ? '–' : percent(share.answer.share);
    return { text: linesOf(`${text} ${label}`, 34, 1)[0], colour: seriesColour(index) };
  });
  const sizes = bounds.map(({ label, valueMm }) => `${label} ${formatLength(valueMm, unit)}`);
  const { x, y } = area;
  const sharesTop = y + (overall === undefined ? 30 : 160);
  const sizesTop = sharesTop + shares.length * LINE + 24;
  const room = Math.max(0, Math.floor((area.y + area.height - sizesTop) / LINE) + 1);
  return (
    <>
      {overall === undefined ? null : (
        <>
          <text x={x} y={y + 76} font-size={82} font-weight={600} fill={COLOUR.accent}>
            {percent(overall.answer.share)}
          </text>
          <text x={x} y={y + 112} font-size={22} fill={COLOUR.ink}>
            {`of ${roundedCount(overall.answer.people)} people fit`}
          </text>
        </>
      )}
      {shares.map(({ text, colour }, index) => (
        <g key={text} transform={`translate(${x} ${sharesTop + index * LINE})`}>
          <rect y={-15} width={16} height={16} fill={colour} />
          <text x={26} font-size={21} fill={COLOUR.ink}>
            {text}
          </text>
        </g>
      ))}
      {sizes.slice(0, room).map((text, index) => (
        <text key={text} x={x} y={sizesTop + index * LINE} font-size={21} fill={COLOUR.inkSoft}>
          {text}
        </text>
      ))}
    </>
  );
}

/** The product to scale; undefined for own limits. */
function drawnProduct(
  area: Area,
  view: FitView,
  data: FitData,
  bounds: readonly Bound[],
  unit: ShownUnit,
): { readonly styles: string; readonly picture: VNode } | undefined {
  const drawing = fitDrawing(view, data, 50);
  if (drawing === undefined) return undefined;
  const [left, right, bottom, top] = drawing.box;
  const mmPerPx = Math.max((right - left) / area.width, (top - bottom) / area.height);
  const [width, height] = [(right - left) / mmPerPx, (top - bottom) / mmPerPx];
  const x = area.x + area.width - width;
  const y = area.y + (area.height - height) / 2;
  const { surface, rule, ink } = COLOUR;
  const picture = (
    <>
      <rect {...{ x, y, width, height }} fill={surface} stroke={rule} />
      <svg {...{ x, y, width, height }} viewBox={`${left} ${-top} ${right - left} ${top - bottom}`}>
        <title>{drawing.person.caption}</title>
        <FitGround drawing={drawing} />
        {drawing.scene.dimensions.map((line) => {
          const bound = bounds.find(({ id }) => id === line.size);
          if (bound === undefined) return null;
          const [labelX, labelY] = dimensionEnds(line, bound.valueMm, mmPerPx).label;
          return (
            <g key={line.size}>
              <DimensionMarks {...{ line, bound, data, mmPerPx }} />
              <text
                x={labelX}
                y={labelY}
                text-anchor="middle"
                font-size={19 * mmPerPx}
                font-weight={600}
                fill={ink}
                stroke={surface}
                stroke-width={5 * mmPerPx}
                paint-order="stroke"
              >
                {formatLength(bound.valueMm, unit)}
              </text>
            </g>
          );
        })}
      </svg>
    </>
  );
  return { styles: figureStyles(mmPerPx), picture };
}
