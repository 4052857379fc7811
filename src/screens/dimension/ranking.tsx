import type { VNode } from 'preact';
import { isMass } from '../../site/amounts.js';
import { addressOf } from '../shared/address-fields.js';
import { DataTable } from '../shared/table.js';
import { DIMENSION_ADDRESS, type DimensionView, markedCountries } from './address.js';
import type { CountryValues } from './data-types.js';
import { countryName, titleOf, valueText } from './texts.js';

interface RankingProps {
  readonly view: DimensionView;
  readonly values: CountryValues;
}

/** All countries in a table, the largest value first. Each country links to its distribution. */
export function Ranking({ view, values }: RankingProps): VNode {
  const marked = markedCountries(view);
  const { countries } = values;
  const length = isMass(view.measurement) ? 'Value' : 'Length';
  return (
    <DataTable
      class="countries-ranking"
      caption={titleOf(view)}
      head={['Rank', 'Country', length, 'Grade']}
      texts={['Grade']}
      headAt={1}
      rows={countries.map(({ country, value, grade = '–' }, index) => [
        index + 1,
        <a key="country" href={distributionIn(view, country)}>
          {countryName(country)}
        </a>,
        valueText(value, view.unit),
        grade,
      ])}
      rowAttributes={(row) => {
        const { country = '' } = countries[row] ?? {};
        return { 'data-country': country, class: marked.has(country) ? 'marked' : undefined };
      }}
    />
  );
}

/** The address of the distribution of the same people in one country. */
function distributionIn(view: DimensionView, country: string): string {
  return addressOf(DIMENSION_ADDRESS, { ...view, kind: 'distribution', countries: [country] });
}
