import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { DimensionView } from '../address.js';
import type { ChartData, CountryValues, Loaded } from '../data-types.js';
import { CountriesMap, NarrowLegend } from '../map.js';
import { Ranking } from '../ranking.js';
import { countryText, findingOf } from '../texts.js';
import { Fields } from './readout.js';
import { MoreTabs } from './results.js';

const SOURCE =
  'No lines: grade A, a small error. More lines: larger errors, from B to D. Map: Natural Earth, public domain.';

interface CountriesProps {
  readonly chart: Loaded<ChartData<CountryValues>>;
  readonly onChoose: (change: Partial<DimensionView>) => void;
}

/** Map and ranking of all countries. A country that the reader points at in one of them is shown in both. */
export function Countries({ chart, onChoose }: CountriesProps): VNode {
  const { view } = chart;
  const values = chart.data.picture;
  const [pointed, setPointed] = useState<string>();
  const figure = useRef<HTMLElement>(null);
  const point = ({ target }: Event) => {
    const place = target instanceof Element ? target.closest('[data-country]') : null;
    const country = place?.getAttribute('data-country');
    if (country != null) setPointed(country);
  };
  const found = values.countries.find(({ country }) => country === (pointed ?? view.countries[0]));
  return (
    <>
      <section class="panel" aria-labelledby="countries-heading">
        <h2 id="countries-heading">{findingOf(view, chart.data)}</h2>
        <Fields {...{ view, point: view, onChange: onChoose }} />
        <figure ref={figure} class="countries-picture" onPointerOver={point}>
          <CountriesMap {...{ view, values, pointed: found?.country }} />
          <NarrowLegend {...{ view, values }} />
          <figcaption class="countries-readout">
            {found === undefined ? null : countryText(found, values, view)}
          </figcaption>
        </figure>
        <p class="hint">The countries of the population are marked. {SOURCE}</p>
      </section>
      <MoreTabs
        {...{ chart, source: SOURCE }}
        svg={() => figure.current?.querySelector<SVGSVGElement>('svg')}
      >
        <div onPointerOver={point} onFocusIn={point}>
          <Ranking {...{ view, values }} />
        </div>
      </MoreTabs>
    </>
  );
}
