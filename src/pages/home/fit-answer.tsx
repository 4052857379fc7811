import type { VNode } from 'preact';
import { numberText } from '../../core/number-text.js';
import { FIT_ADDRESS, type FitView, viewOfProduct } from '../../screens/fit/address.js';
import type { FitData } from '../../screens/fit/data-types.js';
import { fitDrawing } from '../../screens/fit/drawing.js';
import { productById } from '../../screens/fit/products.js';
import { withDesign } from '../../screens/fit/proposal.js';
import { StillPicture } from '../../screens/fit/still-picture.js';
import { missedText } from '../../screens/fit/texts.js';
import { Warnings } from '../../screens/fit/warnings.js';
import { addressOf } from '../../screens/shared/address-fields.js';
import { percent } from '../../site/labels.js';
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
        <dl class="row">
          {(productById(data.product)?.sizes ?? []).flatMap(({ id, label }) => {
            const mm = proposal.sizesMm[id];
            if (mm === undefined) return [];
            return [
              <div key={id}>
                <dt class="soft small">{label}</dt>
                <dd>{numberText(mm)} mm</dd>
              </div>,
            ];
          })}
        </dl>
      )}
      {share === undefined ? null : (
        <p>{missedText(view, data) ?? `These sizes fit ${percent(share)} of them`}.</p>
      )}
      <p>
        <a class="button primary" href={addressOf(FIT_ADDRESS, view)}>
          See who fits, and change the sizes
        </a>
      </p>
    </>
  );
}

/** The product with the proposed sizes and its people, to scale; nothing where the product has no picture. */
export function FitPicture({ view, data }: AnswerProps): VNode | null {
  const own = withDesign(view, data.design);
  const drawing = fitDrawing(own, data, 'both');
  if (drawing === undefined) return null;
  return (
    <figure>
      <StillPicture {...{ view: own, data, drawing }} widthPx={350} heightPx={300} />
      <figcaption class="hint">{drawing.caption}</figcaption>
    </figure>
  );
}
