import type { VNode } from 'preact';
import { clothingText, inWords } from '../../../site/labels.js';
import { addressOf } from '../../shared/address-fields.js';
import { clothingOf, populationInFull } from '../../shared/populations.js';
import { formatLength, type ShownUnit } from '../../widgets/lengths.js';
import { ReportPanel } from '../../widgets/report-panel.js';
import { dimensionsOf, SIZES_ADDRESS, type SizesView, sizesTitle } from '../address.js';
import type { SizesData } from '../data-types.js';
import { sizedProductById } from '../products.js';

interface ReportProps {
  readonly view: SizesView;
  readonly data: SizesData;
  readonly unit: ShownUnit;
}

/** The printed page's text on the people and the width of a size, and how to print and cite the page. */
export function Report({ view, data, unit }: ReportProps): VNode {
  const clothing = [...new Set(view.populations.map(clothingOf))];
  return (
    <ReportPanel title={sizesTitle(view)} path={addressOf(SIZES_ADDRESS, view)} data={data}>
      <p class="on-paper">
        People: {view.populations.map(populationInFull).join('; ')}. Clothing:{' '}
        {clothing.map(clothingText).join(', ')}. Share to serve: {view.targetPercent} %.
      </p>
      <ul class="on-paper">
        {dimensionsOf(view).map((dimension) => (
          <li key={dimension.measurement}>
            {inWords(dimension.measurement)}: one size serves a range of{' '}
            {formatLength(dimension.toleranceMm, unit)}. {basisOf(view, dimension)}.
          </li>
        ))}
      </ul>
    </ReportPanel>
  );
}

/** The source of a size's width. */
function basisOf(
  { product }: SizesView,
  { measurement, toleranceMm }: { measurement: string; toleranceMm: number },
): string {
  const known = sizedProductById(product)?.dimensions.find(
    (one) => one.measurement === measurement && one.toleranceMm === toleranceMm,
  );
  return known?.basis ?? 'Chosen by the user';
}
