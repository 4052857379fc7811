import type { VNode } from 'preact';
import { COUNTRIES } from '../../core/countries.js';
import { GENDERS } from '../../core/genders.js';
import { AGE_LIMITS, PERCENT_LIMITS } from '../../core/limits.js';
import { MEASUREMENTS } from '../../core/measurements.js';
import { CLOTHING_IDS } from '../../core/profiles.js';
import { MASSES, unitsOf } from '../../site/amounts.js';
import { CLOTHING_LABELS, inWords } from '../../site/labels.js';
import { renderPage } from '../../site/layout.js';
import { SCREEN_PATHS } from '../../site/paths.js';
import type { FirstData, PageContext } from '../shared/screen.js';
import { Choice, ScreenPage } from '../shared/screen-page.js';
import { WORLD_ADDRESS, type WorldView } from './address.js';
import type { WorldData } from './data-types.js';
import { NarrowLegend, WorldMap } from './map.js';
import { Ranking } from './ranking.js';
import { worldTitle } from './texts.js';

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
      withoutScript={<WithoutScript view={view} first={first} />}
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
function WithoutScript(props: { view: WorldView; first: FirstData<WorldData> }): VNode {
  const { view, first } = props;
  return (
    <>
      <p>Exports need JavaScript. The map and the numbers do not.</p>
      {'problem' in first ? <p class="notice danger">{first.problem.detail}</p> : null}
      <form method="get" action={SCREEN_PATHS.world} class="panel">
        <Choice
          name="measurement"
          label="Measurement"
          chosen={view.measurement}
          options={[...MEASUREMENTS.map(({ name }) => name), ...Object.keys(MASSES)].map((name) => [
            name,
            inWords(name),
          ])}
        />
        <NumberInput name="percentile" label="Percentile" limits={PERCENT_LIMITS} {...view} />
        <Choice
          name="gender"
          label="Gender"
          chosen={view.gender}
          options={GENDERS.map((name) => [name, name])}
        />
        <NumberInput name="age" label="Age in completed years" limits={AGE_LIMITS} {...view} />
        <Choice
          name="clothing"
          label="Clothing"
          chosen={view.clothing}
          options={CLOTHING_IDS.map((id) => [id, CLOTHING_LABELS[id] ?? id])}
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
      {'data' in first ? <Ranking view={view} data={first.data} /> : null}
    </>
  );
}

interface NumberInputProps extends WorldView {
  readonly name: 'age' | 'percentile';
  readonly label: string;
  readonly limits: { readonly minimum: number; readonly maximum: number };
}

function NumberInput({ name, label, limits, ...view }: NumberInputProps): VNode {
  const { minimum: min, maximum: max } = limits;
  return (
    <div class="form-row">
      <label for={name}>{label}</label>
      <input id={name} type="number" {...{ name, min, max }} step={1} value={view[name]} />
    </div>
  );
}
