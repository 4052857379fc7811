import type { VNode } from 'preact';
import { addressOf } from '../../shared/address-fields.js';
import { ReportPanel } from '../../widgets/report-panel.js';
import { DIMENSION_ADDRESS } from '../address.js';
import { conditionsOf, titleOf } from './texts.js';
import type { LoadedChart } from './tidy.js';

/** The printed page's text on the conditions of a chart, and how to print and cite the page. */
export function Report({ chart: { view, data } }: { readonly chart: LoadedChart }): VNode {
  return (
    <ReportPanel title={titleOf(view)} path={addressOf(DIMENSION_ADDRESS, view)} data={data}>
      <p class="on-paper">{conditionsOf(view, data.artifactVersion)}</p>
    </ReportPanel>
  );
}
