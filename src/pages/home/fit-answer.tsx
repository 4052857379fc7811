import type { VNode } from 'preact';
import { FIT_ADDRESS, type FitView, viewOfProduct } from '../../screens/fit/address.js';
import type { FitData } from '../../screens/fit/data-types.js';
import { DimensionMarks, dimensionEnd, FitGround, fitDrawing } from '../../screens/fit/drawing.js';
import { productById } from '../../screens/fit/products.js';
import { boundsOf, withDesign } from '../../screens/fit/proposal.js';
import { sizesText } from '../../screens/fit/texts.js';
import { Warnings } from '../../screens/fit/warnings.js';
import { addressOf } from '../../screens/shared/address-fields.js';
import { formatAmount } from '../../site/amounts.js';
import { boxInPx, labelPlaces } from '../../site/label-places.js';
import { ASKED_PEOPLE } from './asked-people.js';

/** The first values of the question. */
export const FIRST = { product: 'desk', country: 'DE', share: 90 } as const;

/** The view of the Fit screen that answers the question before anybody changes it. */
export function firstView(): FitView {
  const [people] = ASKED_PEOPLE;
  const population = {
    countries: [FIRST.country],
    ageMin: people?.ageMin ?? 18,
    ageMax: people?.ageMax ?? 65,
  };
  return viewOfProduct(FIRST.product, {
    populations: [population],
    targetPercent: FIRST.share,
  });
}

interface AnswerProps {
  readonly view: FitView;
  readonly data: FitData;
}

/** The proposed sizes, the share that they fit, and a link to the Fit screen with these sizes. */
export function FitAnswer({ view, data }: AnswerProps): VNode {
  const { proposal, populations, notes } = data;
  const refusal = populations.find((one) => one.refusal !== undefined)?.refusal?.detail;
  const share = proposal?.share;
  return (
    <>
      <Warnings product={data.product} />
      {proposal === undefined ? (
        <p>{refusal ?? notes[0] ?? 'There is no answer for these people.'}</p>
      ) : (
        <dl>
          {(productById(data.product)?.sizes ?? []).flatMap(({ id, label }) => {
            const mm = proposal.sizesMm[id];
            if (mm === undefined) return [];
            return [
              <div key={id}>
                <dt>{label}</dt>
                <dd>{mm.toLocaleString('en')} mm</dd>
              </div>,
            ];
          })}
        </dl>
      )}
      {share === undefined ? null : <p>These sizes fit {(share * 100).toFixed(1)} % of them.</p>}
      <p>
        <a href={addressOf(FIT_ADDRESS, view)}>See who fits, and change the sizes</a>
      </p>
    </>
  );
}

/** Usual width of the picture beside the question and of a small one, and the height at most, pixels. */
const [WIDTH_PX, SMALL_PX, HIGH_PX] = [520, 200, 480];

/** The product with the proposed sizes and its people, to scale; nothing where the product has no picture. */
export function FitPicture({
  view,
  data,
  isSmall = false,
}: AnswerProps & { readonly isSmall?: boolean }): VNode | null {
  const own = withDesign(view, data.design);
  const drawing = fitDrawing(own, data, 'both');
  if (drawing === undefined) return null;
  const { caption, dimensions, box, heads } = drawing;
  const [left, right, bottom, top] = box;
  const bounds = boundsOf(own);
  const mmPerPx = Math.max(
    (right - left) / (isSmall ? SMALL_PX : WIDTH_PX),
    (top - bottom) / HIGH_PX,
  );
  const lines = dimensions.flatMap((line) => {
    const bound = bounds.find(({ id }) => id === line.size);
    if (bound === undefined) return [];
    const [x, y] = dimensionEnd(line, bound.value);
    const text = formatAmount(bound.value, bound.unit);
    return [{ line, bound, text, x: x / mmPerPx, y: y / mmPerPx }];
  });
  const free = heads.map((one) => boxInPx(one, mmPerPx));
  const labels = labelPlaces(lines, boxInPx(box, mmPerPx), free);
  return (
    <figure>
      <svg
        class="scene figure"
        role="img"
        aria-label={`${caption} ${sizesText(bounds)}`}
        viewBox={`${left} ${-top} ${right - left} ${top - bottom}`}
      >
        <FitGround drawing={drawing} />
        {lines.map(({ line, bound }) => (
          <DimensionMarks key={line.size} {...{ line, bound, data, mmPerPx }} />
        ))}
        {lines.map(({ line, text, x, y }, index) => {
          const [middle, base] = labels[index] ?? [x, y];
          return (
            <text
              key={line.size}
              x={middle * mmPerPx}
              y={base * mmPerPx}
              text-anchor="middle"
              font-size={12 * mmPerPx}
            >
              {text}
            </text>
          );
        })}
      </svg>
      {isSmall ? null : <figcaption class="hint">{caption}</figcaption>}
    </figure>
  );
}
