import './dimension.css';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AGE_LIMITS } from '../../../core/limits.js';
import { Waiting } from '../../widgets/parts.js';
import { mountScreen, ScreenFrame, type ScreenState } from '../../widgets/view.js';
import {
  asKind,
  DIMENSION_ADDRESS,
  type DimensionView,
  shownPopulation,
  shownText,
  VIEW_KINDS,
  type ViewKind,
  withPopulation,
} from '../address.js';
import { type DimensionData, isOfCountries, type Loaded } from '../data-types.js';
import { answerText } from '../texts.js';
import { Controls } from './controls.js';
import { Results, type ResultsProps } from './results.js';

const KIND_LABELS: Readonly<Record<ViewKind, string>> = {
  distribution: 'Distribution',
  ages: `Ages ${AGE_LIMITS.minimum}–${AGE_LIMITS.maximum}`,
  countries: 'Countries',
  connected: 'Two measurements',
};

/** The Dimension screen: the controls that choose a view, and its results. */
export function App(screen: ScreenState<DimensionView, DimensionData>): VNode {
  const { view, data, dataView, stale, hold } = screen;
  const choose = (change: Partial<DimensionView>) => screen.choose(withPopulation(view, change));
  const slide = (change: Partial<DimensionView>) => screen.slide(withPopulation(view, change));
  const chart = data === undefined ? undefined : { data, view: dataView };
  const kinds = VIEW_KINDS.map((kind) => {
    const next = { ...view, ...asKind(view, kind, data?.answer?.percentile) };
    return [KIND_LABELS[kind], next, kind === view.kind] as const;
  });
  return (
    <ScreenFrame
      screen={screen}
      bar={{
        shown: view.shown,
        age: view.age,
        note: shownText(view),
        said: data === undefined ? '' : answerText(view, data),
        onChange: (populations, shown) => screen.choose(shownPopulation(view, populations, shown)),
      }}
      links={['Views', kinds]}
    >
      <Controls view={view} onChange={choose} />
      <Waiting busy={stale && isOfOthers(view, dataView)} class="dimension-results column">
        {chart === undefined ? null : (
          <Shown {...{ chart, view }} onChoose={choose} onSlide={slide} onHold={hold} />
        )}
      </Waiting>
    </ScreenFrame>
  );
}

/** The map and the ranking of all countries, once they are loaded. */
let Countries: typeof import('./countries.js').Countries | undefined;

/** Loads the map and the ranking of all countries. */
async function loadCountries(): Promise<void> {
  ({ Countries } = await import('./countries.js'));
}

interface ShownProps extends Omit<ResultsProps, 'chart'> {
  readonly chart: Loaded;
}

/** A chart, or all countries. */
function Shown({ chart: { data, view }, ...more }: ShownProps): VNode | null {
  const [isLoaded, setLoaded] = useState(Countries !== undefined);
  const { kind } = data.picture;
  useEffect(() => {
    if (kind === 'countries' && !isLoaded)
      loadCountries().then(
        () => setLoaded(true),
        () => {},
      );
  }, [kind]);
  if (!isOfCountries(data)) return <Results {...more} chart={{ data, view }} />;
  if (Countries === undefined) return null;
  return <Countries chart={{ data, view }} onChoose={more.onChoose} />;
}

/**
 * Whether a chart shows another dimension or other people than the view. Another percentile of a distribution
 * does not count, nor another age in a chart of ages. The chart itself gives their values.
 */
function isOfOthers(view: DimensionView, chart: DimensionView): boolean {
  const shown = ({ percentile, value: _v, age, ages: _a, points: _n, ...rest }: DimensionView) =>
    JSON.stringify({
      ...rest,
      ...(rest.kind === 'ages' ? {} : { age }),
      ...(rest.kind === 'ages' || rest.kind === 'countries' ? { percentile } : {}),
    });
  return shown(view) !== shown(chart);
}

const mount = () => mountScreen('dimension-screen', DIMENSION_ADDRESS, App);
// The page has the map already. It stays until its script is here.
if (DIMENSION_ADDRESS.read(location.search).kind !== 'countries') mount();
else loadCountries().then(mount, mount);
