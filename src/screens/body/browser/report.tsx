import type { VNode } from 'preact';
import { clothingText } from '../../../site/labels.js';
import { addressOf } from '../../shared/address-fields.js';
import { clothingOf, populationInFull } from '../../shared/populations.js';
import { ReportPanel } from '../../widgets/report-panel.js';
import { BODY_ADDRESS, type BodyView, pictureTitle } from '../address.js';
import type { BodyData } from '../data-types.js';

interface ReportProps {
  readonly view: BodyView;
  readonly data: BodyData;
}

/** The printed page's text on the people of the picture, and how to print and cite the page. */
export function Report({ view, data }: ReportProps): VNode {
  const clothing = [...new Set(view.populations.map(clothingOf))];
  return (
    <ReportPanel title={pictureTitle(view)} path={addressOf(BODY_ADDRESS, view)} data={data}>
      <p class="on-paper">
        People: {view.populations.map(populationInFull).join('; ')}. Clothing:{' '}
        {clothing.map(clothingText).join(', ')}.
      </p>
    </ReportPanel>
  );
}
