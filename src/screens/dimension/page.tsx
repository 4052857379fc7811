import type { VNode } from 'preact';
import { COUNTRIES } from '../../core/countries.js';
import { PERCENT_LIMITS } from '../../core/limits.js';
import { MEASUREMENTS } from '../../core/measurements.js';
import { POSTURE_IDS } from '../../core/profiles.js';
import { isMass, MASSES } from '../../site/amounts.js';
import { clothingSentence, POSTURE_LABELS, percentileText } from '../../site/labels.js';
import { renderPage } from '../../site/layout.js';
import type { PagePicture } from '../../site/pictures/addresses.js';
import type { ShareContent } from '../../site/share-card.js';
import { countryName } from '../shared/names.js';
import type { FirstData, PageContext } from '../shared/screen.js';
import {
  Choice,
  DimensionFields,
  Field,
  ScreenPage,
  WithoutScript,
} from '../shared/screen-page.js';
import { DIMENSION_ADDRESS, type DimensionView, shownText } from './address.js';
import {
  type CountryValue,
  type CountryValues,
  type DimensionData,
  isOfCountries,
} from './data-types.js';
import { CountriesMap, NarrowLegend } from './map.js';
import { Ranking } from './ranking.js';
import { Numbers } from './table.js';
import { answerText, titleOf, valueText } from './texts.js';

/** The Dimension screen as HTML text, with the data of its first view. */
export function dimensionPage(
  view: DimensionView,
  first: FirstData<DimensionData>,
  context: PageContext,
): string {
  return renderPage(
    <ScreenPage
      {...{ view, first, context }}
      screen="dimension"
      address={DIMENSION_ADDRESS}
      title={DIMENSION_ADDRESS.title(view)}
      heading="Explore body measurements"
      sharedAs={titleOf(view)}
      description={`Explore and share the distributions of ${MEASUREMENTS.length} body measurements by gender, age and country.`}
      place="dimension-screen"
      note={shownText(view)}
      numbers={(data) => <FirstNumbers view={view} data={data} />}
      withoutScript={<Plain view={view} />}
    />,
  );
}

/** A form, for browsers without JavaScript. */
function Plain({ view }: { view: DimensionView }): VNode {
  return (
    <WithoutScript
      screen="dimension"
      text="Charts, comparisons and exports need JavaScript. You can see the numbers without it."
    >
      <DimensionFields view={view}>
        <Choice
          name="view"
          label="Numbers"
          chosen={view.kind}
          options={[
            ['distribution', 'Percentiles of one country'],
            ['countries', 'One percentile of all countries'],
          ]}
        />
        <Field
          name="percentile"
          label="Percentile"
          limits={PERCENT_LIMITS}
          step="any"
          value={view.percentile}
        />
        <Choice
          name="country"
          label="Country"
          chosen={view.countries[0]}
          options={COUNTRIES.map(({ code, name }) => [code, name])}
        />
        <Choice
          name="posture"
          label="Posture"
          chosen={view.posture}
          options={POSTURE_IDS.map((id) => [id, POSTURE_LABELS[id]])}
        />
      </DimensionFields>
    </WithoutScript>
  );
}

/** The map and ranking of all countries, or what a dimension is and its percentiles. */
function FirstNumbers({ view, data }: { view: DimensionView; data: DimensionData }): VNode {
  if (isOfCountries(data)) {
    return (
      <>
        <figure class="countries-picture">
          <CountriesMap view={view} values={data.picture} />
          <NarrowLegend view={view} values={data.picture} />
        </figure>
        <Ranking view={view} values={data.picture} />
      </>
    );
  }
  const found = MEASUREMENTS.find(({ name }) => name === view.measurement);
  return (
    <>
      <p class="first-answer">{answerText(view, data)}</p>
      <p>{MASSES[view.measurement] ?? found?.definition}</p>
      <Numbers view={view} data={data} />
    </>
  );
}

/** The share image of the Dimension screen: the number, and the median person of the first country. */
export function sharedDimension(
  view: DimensionView,
  { answer, picture: drawn, artifactVersion }: DimensionData,
  picture: PagePicture | undefined,
): ShareContent {
  const shown = (value: number): string => valueText(value, view.unit);
  const isPoint = drawn.kind === 'distribution' && answer?.value !== undefined;
  const values = (answer?.values ?? []).map(({ country, percentile, value }) => {
    const who = country === undefined ? '' : `${countryName(country)} `;
    return `${who}${percentile === undefined ? '' : `P${percentileText(percentile)} `}${shown(value)}`;
  });
  return {
    title: titleOf(view),
    note: isMass(view.measurement) ? 'Nude body' : clothingSentence([view.clothing]),
    artifactVersion,
    people: picture === undefined ? [] : [picture],
    headline: isPoint ? shown(answer.value as number) : undefined,
    facts: [
      ...(isPoint ? [`is P${percentileText(answer.percentile ?? view.percentile)}`] : []),
      ...values,
      ...(drawn.kind === 'countries' ? endsOf(drawn, shown) : []),
    ],
  };
}

/** Number of countries at each end of the ranking in the image. */
const ENDS = 5;

/** Both ends of the ranking. */
function endsOf({ countries }: CountryValues, shown: (value: number) => string): string[] {
  const fact = ({ country, value }: CountryValue, index: number) =>
    `${index + 1}. ${countryName(country)}: ${shown(value)}`;
  return countries.map(fact).filter((_, index) => index < ENDS || index >= countries.length - ENDS);
}
