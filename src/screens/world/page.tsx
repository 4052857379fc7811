import type { VNode } from 'preact';
import { COUNTRIES } from '../../core/countries.js';
import { PERCENT_LIMITS } from '../../core/limits.js';
import { clothingSentence } from '../../site/labels.js';
import { renderPage } from '../../site/layout.js';
import type { ShareContent } from '../../site/share-card.js';
import { countryName } from '../shared/names.js';
import type { FirstData, PageContext } from '../shared/screen.js';
import { ScreenPage } from '../shared/screen-page.js';
import { DimensionFields, Field, WithoutScript } from '../shared/without-script.js';
import { WORLD_ADDRESS, type WorldView } from './address.js';
import type { CountryValue, WorldData } from './data-types.js';
import { NarrowLegend, WorldMap } from './map.js';
import { Ranking } from './ranking.js';
import { dressOf, valueText, worldTitle } from './texts.js';

/** The World screen as HTML text, with the map and the ranking of its first view. */
export function worldPage(
  view: WorldView,
  first: FirstData<WorldData>,
  context: PageContext,
): string {
  return renderPage(
    <ScreenPage
      {...{ view, first, context }}
      screen="world"
      address={WORLD_ADDRESS}
      title={WORLD_ADDRESS.title(view)}
      heading="One dimension in all countries"
      sharedAs={worldTitle(view)}
      description={`See a body dimension in ${COUNTRIES.length} countries as a map and a ranking, with the evidence behind each number.`}
      place="world"
      withoutScript={<Plain view={view} first={first} />}
    >
      {'data' in first ? (
        <figure class="world-picture">
          <WorldMap view={view} data={first.data} />
          <NarrowLegend view={view} data={first.data} />
        </figure>
      ) : null}
    </ScreenPage>,
  );
}

/** The ranking and a form, for browsers without JavaScript. */
function Plain({ view, first }: { view: WorldView; first: FirstData<WorldData> }): VNode {
  return (
    <WithoutScript
      screen="world"
      first={first}
      text="Exports need JavaScript. The map and the numbers do not."
      numbers={(data) => <Ranking view={view} data={data} />}
    >
      <DimensionFields view={view}>
        <Field
          name="percentile"
          label="Percentile"
          limits={PERCENT_LIMITS}
          value={view.percentile}
        />
      </DimensionFields>
    </WithoutScript>
  );
}

/** Number of countries at each end of the ranking in the image. */
const ENDS = 5;

/** The share image of the World screen: both ends of the ranking. */
export function sharedWorld(view: WorldView, data: WorldData): ShareContent {
  const { countries, artifactVersion } = data;
  const fact = ({ country, value }: CountryValue) =>
    `${countries.findIndex((one) => one.country === country) + 1}. ${countryName(country)}: ${valueText(value, view)}`;
  const shown = countries.filter((_, index) => index < ENDS || index >= countries.length - ENDS);
  return {
    title: worldTitle(view),
    note: clothingSentence([dressOf(view)]),
    artifactVersion,
    people: [],
    facts: shown.map(fact),
  };
}
