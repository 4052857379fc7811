import type { VNode } from 'preact';
import { COUNTRIES } from '../../core/countries.js';
import { GENDERS } from '../../core/genders.js';
import { AGE_LIMITS } from '../../core/limits.js';
import { MEASUREMENTS } from '../../core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../../core/profiles.js';
import { MASSES, unitsOf } from '../../site/amounts.js';
import { CLOTHING_LABELS, inWords, POSTURE_LABELS } from '../../site/labels.js';
import { renderPage } from '../../site/layout.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import type { FirstData, PageContext } from '../shared/screen.js';
import { Choice, ScreenPage } from '../shared/screen-page.js';
import { DIMENSION_ADDRESS, type DimensionView } from './address.js';
import type { ChartData, CoarseCurve } from './data-types.js';
import { titleOf } from './titles.js';

/** The Dimension screen as HTML text, with the data of its first view. */
export function dimensionPage(
  view: DimensionView,
  first: FirstData<ChartData>,
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
      withoutScript={<WithoutScript view={view} first={first} />}
    />,
  );
}

interface Chosen {
  readonly view: DimensionView;
  readonly first: FirstData<ChartData>;
}

/** A form and a table of percentiles, for browsers without JavaScript. */
function WithoutScript({ view, first }: Chosen): VNode {
  const [country] = view.countries;
  return (
    <>
      <p>Charts, comparisons and exports need JavaScript. You can see the numbers without it.</p>
      <Numbers view={view} first={first} />
      <form method="get" action={SCREEN_PATHS.dimension} class="panel dimension-form">
        <Choice
          name="measurement"
          label="Measurement"
          chosen={view.measurement}
          options={[...MEASUREMENTS.map(({ name }) => name), ...Object.keys(MASSES)].map((name) => [
            name,
            inWords(name),
          ])}
        />
        <Choice
          name="gender"
          label="Gender"
          chosen={view.gender}
          options={GENDERS.map((name) => [name, name])}
        />
        <div class="form-row">
          <label for="age">Age in completed years</label>
          <input
            id="age"
            name="age"
            type="number"
            min={AGE_LIMITS.minimum}
            max={AGE_LIMITS.maximum}
            step={1}
            value={view.age}
          />
        </div>
        <Choice
          name="country"
          label="Country"
          chosen={country}
          options={COUNTRIES.map(({ code, name }) => [code, name])}
        />
        <Choice
          name="clothing"
          label="Clothing"
          chosen={view.clothing}
          options={CLOTHING_IDS.map((id) => [id, CLOTHING_LABELS[id] ?? id])}
        />
        <Choice
          name="posture"
          label="Posture"
          chosen={view.posture}
          options={POSTURE_IDS.map((id) => [id, POSTURE_LABELS[id] ?? id])}
        />
        <Choice
          name="unit"
          label="Unit"
          chosen={view.unit}
          options={unitsOf(view.measurement).map((id) => [id, id])}
        />
        <button type="submit" class="primary">
          Show
        </button>
      </form>
    </>
  );
}

function Numbers({ view, first }: Chosen): VNode | null {
  if ('problem' in first) return <p class="notice danger">{first.problem.detail}</p>;
  const { picture } = first.data;
  if (picture.kind !== 'distribution') return null;
  const found = MEASUREMENTS.find(({ name }) => name === view.measurement);
  return (
    <>
      <h2>{inWords(view.measurement)}</h2>
      <p>{MASSES[view.measurement] ?? found?.definition}</p>
      {picture.curves.map((curve) => (
        <Percentiles
          key={curve.country}
          name={COUNTRIES.find(({ code }) => code === curve.country)?.name ?? curve.country}
          curve={curve}
          unit={view.unit}
        />
      ))}
    </>
  );
}

function Percentiles(props: { name: string; curve: CoarseCurve; unit: string }): VNode {
  const { name, curve, unit } = props;
  return (
    <div class="table-scroll">
      <table>
        <caption>
          {name}: value in {unit} at percentiles
        </caption>
        <thead>
          <tr>
            {curve.percentiles.map((percentile) => (
              <th key={percentile} scope="col" class="number">
                P{percentile}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            {curve.values.map((value, index) => (
              <td key={curve.percentiles[index]} class="number">
                {value}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}
