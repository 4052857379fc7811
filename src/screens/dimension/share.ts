import { amountUnit, formatAmount, isMass, toPlain } from '../../site/amounts.js';
import { CLOTHING_LABELS, percentileText } from '../../site/labels.js';
import type { PagePicture } from '../../site/pictures/addresses.js';
import type { ShareContent } from '../../site/share-card.js';
import { countryName } from '../shared/names.js';
import type { DimensionView } from './address.js';
import type { ChartData } from './data-types.js';
import { titleOf } from './titles.js';

/** The share image of the Dimension screen: the number, and the median person of the first country. */
export function sharedDimension(
  view: DimensionView,
  { answer, picture: { kind }, artifactVersion }: ChartData,
  picture: PagePicture | undefined,
): ShareContent {
  const clothing = CLOTHING_LABELS[view.clothing] ?? view.clothing;
  const shown = (value: number): string =>
    formatAmount(toPlain(value, view.unit), amountUnit(view.unit));
  const isPoint = kind === 'distribution' && answer?.value !== undefined;
  const values = (answer?.values ?? []).map(({ country, percentile, value }) => {
    const who = country === undefined ? '' : `${countryName(country)} `;
    return `${who}${percentile === undefined ? '' : `P${percentileText(percentile)} `}${shown(value)}`;
  });
  return {
    title: titleOf(view),
    note: isMass(view.measurement) ? 'Nude body' : `Clothing: ${clothing}`,
    artifactVersion,
    people: picture === undefined ? [] : [picture],
    headline: isPoint ? shown(answer.value as number) : undefined,
    facts: [
      ...(isPoint ? [`is P${percentileText(answer.percentile ?? view.percentile)}`] : []),
      ...values,
    ],
  };
}
