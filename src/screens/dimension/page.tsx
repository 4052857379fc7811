import type { VNode } from 'preact';
import { COUNTRIES } from '../../core/countries.js';
import { GENDERS } from '../../core/genders.js';
import { AGE_LIMITS, PERCENT_LIMITS } from '../../core/limits.js';
import { MEASUREMENTS } from '../../core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../../core/profiles.js';
import { isMass, MASSES, unitsOf } from '../../site/amounts.js';
import {
  CLOTHING_LABELS,
  clothingSentence,
  inWords,
  POSTURE_LABELS,
  percentileText,
} from '../../site/labels.js';
import { ONE_AGE_LABEL } from '../shared/populations.js';
import type { ScreenPage } from '../shared/screen.js';
import { Choice, Field } from '../shared/screen-page.js';
import { type DimensionView, shownText } from './address.js';
import { countriesDataOf } from './countries-data.js';
import { chartDataOf } from './data.js';
import {
  type CountryValue,
  type CountryValues,
  type DimensionData,
  isOfCountries,
} from './data-types.js';
import { figureDataOf } from './figure-data.js';
import { CountriesMap, NarrowLegend } from './map.js';
import { Ranking } from './ranking.js';
import { Numbers } from './table.js';
import { answerText, countryName, titleOf, valueText } from './texts.js';

/** The Dimension screen: a chart of one dimension, or all countries. */
export const PAGE: ScreenPage<DimensionView, DimensionData> = {
  dataOf(view, { free, model }, left) {
    const { kind } = view;
    return kind === 'countries'
      ? countriesDataOf(view, free, model().artifactVersion, left)
      : chartDataOf({ ...view, kind }, model(), free, left);
  },
  content: (view) => ({
    sharedAs: titleOf(view),
    description: `Explore and share the distributions of ${MEASUREMENTS.length} body measurements by gender, age and country.`,
    place: 'dimension-screen',
    note: shownText(view),
    age: view.age,
    numbers: (data) => <FirstNumbers view={view} data={data} />,
    plain: {
      text: 'Charts, comparisons and exports need JavaScript. You can see the numbers without it.',
      form: <Form view={view} />,
    },
  }),
  /** The number, and the median person of the first country. */
  async shared(view, { answer, picture: drawn, artifactVersion }, { free }, left) {
    const isOfAll = drawn.kind === 'countries';
    const { picture } = isOfAll ? {} : await figureDataOf(view, free, left);
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
        ...(isOfAll ? endsOf(drawn, shown) : []),
      ],
    };
  },
};

/** The fields of the form for browsers without JavaScript. */
function Form({ view }: { readonly view: DimensionView }): VNode {
  const { measurement, gender, age, kind, percentile, countries, posture, clothing, unit } = view;
  const names = [...MEASUREMENTS.map(({ name }) => name), ...Object.keys(MASSES)];
  const choice = (name: string, label: string, chosen: string | undefined, options: Options) => (
    <Choice {...{ name, label, chosen, options }} />
  );
  const labelled = (ids: readonly string[], labels: Readonly<Record<string, string>>): Options =>
    ids.map((id) => [id, labels[id]]);
  return (
    <>
      {choice(
        'measurement',
        'Measurement',
        measurement,
        names.map((name) => [name, inWords(name)]),
      )}
      {choice('gender', 'Gender', gender, labelled(GENDERS, {}))}
      <Field name="age" label={ONE_AGE_LABEL} limits={AGE_LIMITS} step="any" value={age} />
      {choice('view', 'Numbers', kind, [
        ['distribution', 'Percentiles of one country'],
        ['countries', 'One percentile of all countries'],
      ])}
      <Field
        name="percentile"
        label="Percentile"
        limits={PERCENT_LIMITS}
        step="any"
        value={percentile}
      />
      {choice(
        'country',
        'Country',
        countries[0],
        COUNTRIES.map(({ code, name }) => [code, name]),
      )}
      {choice('posture', 'Posture', posture, labelled(POSTURE_IDS, POSTURE_LABELS))}
      {choice('clothing', 'Clothing', clothing, labelled(CLOTHING_IDS, CLOTHING_LABELS))}
      {choice('unit', 'Unit', unit, labelled(unitsOf(measurement), {}))}
    </>
  );
}

type Options = Parameters<typeof Choice>[0]['options'];

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

/** Number of countries at each end of the ranking in the image. */
const ENDS = 5;

/** Both ends of the ranking. */
function endsOf({ countries }: CountryValues, shown: (value: number) => string): string[] {
  const fact = ({ country, value }: CountryValue, index: number) =>
    `${index + 1}. ${countryName(country)}: ${shown(value)}`;
  return countries.map(fact).filter((_, index) => index < ENDS || index >= countries.length - ENDS);
}
