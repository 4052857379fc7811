import type { VNode } from 'preact';
import { clothingText } from '../../../site/labels.js';
import { addressOf } from '../../shared/address-fields.js';
import { populationInFull, populationLabel } from '../../shared/populations.js';
import { formatLength } from '../../widgets/lengths.js';
import { ReportPanel } from '../../widgets/report-panel.js';
import { clothingIn, FIT_ADDRESS, rulesOf } from '../address.js';
import type { FitData } from '../data-types.js';
import { boundsOf } from '../needs.js';
import { productById } from '../products.js';
import { sizesText } from '../texts.js';
import type { FitParts } from './parts.js';

/** The printed page's text on the sizes, the people and the rules, and how to print and cite the page. */
export function Report({ view, unit, data }: FitParts & { readonly data: FitData }): VNode {
  const who = view.populations.map(populationLabel).join('; ');
  const inFull = view.populations.map(populationInFull).join('; ');
  const { note } = productById(view.product) ?? {};
  const clothing = [...new Set(view.populations.map((one) => clothingIn(view, one)))];
  return (
    <ReportPanel
      title={`${FIT_ADDRESS.title(view)} ${who}`}
      path={addressOf(FIT_ADDRESS, view)}
      data={data}
    >
      <p class="on-paper">{sizesText(boundsOf(view))}</p>
      <p class="on-paper">
        People: {inFull}. Clothing: {clothing.map(clothingText).join(', ')}.
      </p>
      <ul class="on-paper">
        {rulesOf(view).map(({ size, kind, measurement, words, clearanceMm, basis }) => (
          <li key={`${size}-${kind}-${measurement}`}>
            {words} Clearance {formatLength(clearanceMm, unit)}. {basis}.
          </li>
        ))}
      </ul>
      {note === undefined ? null : <p class="on-paper">{note}</p>}
    </ReportPanel>
  );
}
