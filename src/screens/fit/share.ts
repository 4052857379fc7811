import { formatAmount } from '../../site/amounts.js';
import { percent } from '../../site/labels.js';
import type { ShareContent } from '../../site/share-card.js';
import { populationLabel } from '../shared/populations.js';
import type { FitView } from './address.js';
import type { FitData } from './data-types.js';
import { boundsOf } from './needs.js';
import { productById } from './products.js';
import { withDesign } from './proposal.js';
import { roundedCount } from './texts.js';

/** The share image of the Fit screen: the share that fits, the sizes, and a small, a median and a large person. */
export function sharedFit(asked: FitView, data: FitData): ShareContent {
  const view = withDesign(asked, data.proposal);
  const { overall, populations, artifactVersion } = data;
  const shares = populations.flatMap(({ label, share }) =>
    share === undefined ? [] : [`${percent(share.answer.share)} ${label}`],
  );
  return {
    title: `${productById(view.product)?.title ?? 'Own limits'}: ${view.populations.map(populationLabel).join('; ')}`,
    artifactVersion,
    people: (data.persons ?? []).flatMap((one) => one?.pictures.slice(0, 1) ?? []),
    headline: overall === undefined ? undefined : percent(overall.answer.share),
    facts: [
      ...(overall === undefined ? [] : [`of ${roundedCount(overall.answer.people)} people fit`]),
      ...shares,
      ...boundsOf(view).map(({ label, value, unit }) => `${label} ${formatAmount(value, unit)}`),
    ],
  };
}
