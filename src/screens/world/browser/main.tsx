import { mountScreen } from '../../widgets/mount-screen.js';
import './world.css';
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { readingOf } from '../../../core/readings.js';
import { isMass } from '../../../site/amounts.js';
import { addressOf } from '../../shared/address-fields.js';
import { countryName } from '../../shared/names.js';
import { shownPopulation, withPopulation } from '../../shared/one-population.js';
import { AddressNotices } from '../../shared/screen-parts.js';
import { TIDY_HEAD } from '../../shared/tidy.js';
import { CallChoice } from '../../widgets/calls.js';
import { ExportButtons } from '../../widgets/export-buttons.js';
import { Notice } from '../../widgets/notice.js';
import { PopulationBar } from '../../widgets/population-bar.js';
import { ReportPanel } from '../../widgets/report-panel.js';
import type { Tidy } from '../../widgets/tables.js';
import { type FirstAnswer, useScreen } from '../../widgets/use-screen.js';
import { Waiting } from '../../widgets/waiting.js';
import { WORLD_ADDRESS, type WorldView } from '../address.js';
import type { WorldData } from '../data-types.js';
import { NarrowLegend, WorldMap } from '../map.js';
import { Ranking } from '../ranking.js';
import { conditionsOf, countryText, dressOf, worldTitle } from '../texts.js';
import { Controls } from './controls.js';

const NOTE =
  'This screen shows all countries, for one gender, one age and the clothing of one population. The countries of the population are marked.';
const SOURCE =
  'No lines: grade A, a small error. More lines: larger errors, from B to D. Map: Natural Earth, public domain.';

/** The World screen: a length in all countries, as a map and as a ranking. */
export function App({ first }: { readonly first: FirstAnswer<WorldData> }): VNode {
  const screen = useScreen<WorldView, WorldData>(WORLD_ADDRESS, first);
  const { view, data, dataView, problem, busy, stale, retry } = screen;
  return (
    <>
      <PopulationBar
        populations={view.populations}
        shown={view.shown}
        busy={busy}
        note={NOTE}
        onChange={(populations, shown) => screen.choose(shownPopulation(view, populations, shown))}
      />
      <AddressNotices notices={screen.notices} />
      <Controls view={view} onChange={(change) => screen.choose(withPopulation(view, change))} />
      <Waiting busy={stale} class="world-results column">
        <Notice problem={problem} hasNumbers={data !== undefined} onRetry={retry} />
        {data === undefined ? null : <Results view={dataView} data={data} />}
      </Waiting>
    </>
  );
}

interface ResultsProps {
  readonly view: WorldView;
  readonly data: WorldData;
}

/** Map and ranking. A country that the reader points at in one of them is shown in both. */
function Results({ view, data }: ResultsProps): VNode {
  const [pointed, setPointed] = useState<string>();
  const figure = useRef<HTMLElement>(null);
  const title = worldTitle(view);
  const point = ({ target }: Event) => {
    const place = target instanceof Element ? target.closest('[data-country]') : null;
    const country = place?.getAttribute('data-country');
    if (country != null) setPointed(country);
  };
  const found = data.countries.find(({ country }) => country === (pointed ?? view.countries[0]));
  const what = [
    'world',
    view.measurement,
    view.gender,
    `age${view.age}`,
    `P${view.percentile}`,
  ].concat(dressOf(view), view.unit);
  const texts = {
    title,
    subtitle: conditionsOf(view, data.artifactVersion),
    source: SOURCE,
    series: [],
  };
  return (
    <>
      <section class="panel" aria-labelledby="world-heading">
        <h2 id="world-heading">{title}</h2>
        <figure ref={figure} class="world-picture" onPointerOver={point}>
          <WorldMap {...{ view, data, pointed: found?.country }} />
          <NarrowLegend {...{ view, data }} />
          <figcaption class="world-readout">
            {found === undefined ? null : countryText(found, data, view)}
          </figcaption>
        </figure>
        <ExportButtons
          what={what}
          data={data}
          table={() => tidyOf(view, data)}
          pictures={[{ svg: () => figure.current?.querySelector('svg'), texts: () => texts }]}
        />
      </section>
      <section class="panel" aria-label="Ranking" onPointerOver={point} onFocusIn={point}>
        <Ranking {...{ view, data }} />
      </section>
      <ReportPanel title={title} path={addressOf(WORLD_ADDRESS, view)} data={data}>
        <p class="on-paper">
          {conditionsOf(view, data.artifactVersion)} {SOURCE}
        </p>
      </ReportPanel>
      <details class="world-calls">
        <summary>The API call with all {data.countries.length} countries</summary>
        <CallChoice
          label="Country"
          calls={data.calls.map((call, index) => [
            data.calls.length === 1 ? 'All' : countryName(data.countries[index]?.country ?? ''),
            call,
          ])}
        />
      </details>
    </>
  );
}

/** The ranking for other programs, with the columns of the other screens. */
function tidyOf(view: WorldView, data: WorldData): Tidy {
  const { measurement, gender, age, percentile } = view;
  const posture = isMass(measurement) ? '' : 'standing_erect';
  const unit = view.unit === 'ft-in' ? 'in' : view.unit;
  const rows = data.countries.map(({ country, value, grade = '' }) => [
    ...[measurement, `${gender} ${country} ${age}`, gender, country, age, age, dressOf(view)],
    ...[posture, 'percentile', percentile, value, unit],
    ...[readingOf(measurement), grade, '', data.artifactVersion],
  ]);
  return { head: TIDY_HEAD, rows };
}

mountScreen('world', App);
