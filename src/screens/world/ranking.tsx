import type { VNode } from 'preact';
import { isMass } from '../../site/amounts.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import { parameter } from '../shared/address-fields.js';
import { countryName } from '../shared/names.js';
import { populationsQuery } from '../shared/populations.js';
import { markedCountries, type WorldView } from './address.js';
import type { WorldData } from './data-types.js';
import { valueText, worldTitle } from './texts.js';

interface RankingProps {
  readonly view: WorldView;
  readonly data: WorldData;
}

/** All countries in a table, the largest length first. Each country links to its distribution. */
export function Ranking({ view, data }: RankingProps): VNode {
  const marked = markedCountries(view);
  return (
    <table class="world-ranking">
      <caption class="hint">{worldTitle(view)}</caption>
      <thead>
        <tr>
          <th scope="col" class="number">
            Rank
          </th>
          <th scope="col">Country</th>
          <th scope="col" class="number">
            {isMass(view.measurement) ? 'Value' : 'Length'}
          </th>
          <th scope="col">Grade</th>
        </tr>
      </thead>
      <tbody>
        {data.countries.map(({ country, value, grade }, index) => (
          <tr
            key={country}
            data-country={country}
            class={marked.has(country) ? 'marked' : undefined}
          >
            <td class="number">{index + 1}</td>
            <td>
              <a href={dimensionLink(view, country)}>{countryName(country)}</a>
            </td>
            <td class="number">{valueText(value, view)}</td>
            <td>{grade ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The distribution of the same people in one country. */
function dimensionLink(view: WorldView, country: string): string {
  const { measurement, gender, age, clothing, percentile, unit } = view;
  const query = Object.entries({ measurement, gender, age, country, clothing, percentile, unit });
  const fields = query.map(([name, value]) => parameter(name, value)).join('&');
  return `${SCREEN_PATHS.dimension}?${populationsQuery(view.populations)}&${fields}`;
}
