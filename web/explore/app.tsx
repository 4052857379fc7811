import type { VNode } from 'preact';
import { isTemporary } from '../../src/core/errors.js';
import { EXPLORER_PATHS } from '../../src/core/explorer-paths.js';
import {
  chartQuery,
  readView,
  VIEW_KINDS,
  type View,
  type ViewKind,
  viewQuery,
} from '../../src/core/explorer-view.js';
import { inWords } from '../../src/core/labels.js';
import { AGE_LIMITS } from '../../src/core/limits.js';
import type { ChartData } from '../../src/pages/explorer/chart-data-types.js';
import { type FirstAnswer, type ScreenAddress, useScreen } from '../populations/use-screen.js';
import { Calls } from './calls.js';
import { Controls } from './controls.js';
import { Notice } from './notice.js';
import { Results } from './results.js';

const KIND_LABELS: Readonly<Record<ViewKind, string>> = {
  distribution: 'Distribution',
  ages: `Ages ${AGE_LIMITS.minimum}–${AGE_LIMITS.maximum}`,
  connected: 'Two measurements',
};

const ADDRESS: ScreenAddress<View> = {
  path: EXPLORER_PATHS.dimension,
  read: readView,
  query: viewQuery,
  dataQuery: chartQuery,
  title: ({ measurement }) => `${inWords(measurement)}, explore`,
};

/** The page of one dimension: the controls that choose a view, and its results. */
export function App({ first }: { readonly first: FirstAnswer<ChartData> }): VNode {
  const screen = useScreen<View, ChartData>(ADDRESS, first);
  const { view, data, dataView, problem, busy, choose, slide, hold, retry } = screen;
  const isShown = problem === undefined || isTemporary(problem.code);
  const chart = data === undefined || !isShown ? undefined : { data, view: dataView };
  return (
    <>
      <Kinds
        view={view}
        onChoose={(kind) => choose(asKind(view, kind, data?.answer?.percentile))}
      />
      <Controls view={view} onChange={choose} />
      <div class="explorer-results" aria-busy={busy}>
        {problem === undefined ? null : <Notice problem={problem} onRetry={retry} />}
        {chart === undefined ? null : (
          <>
            <Results {...{ chart, view }} onChoose={choose} onSlide={slide} onHold={hold} />
            <Calls call={chart.data.call} />
          </>
        )}
      </div>
    </>
  );
}

/** The current view as another kind; a chosen length becomes its percentile. */
function asKind(view: View, kind: ViewKind, percentile = view.percentile): Partial<View> {
  if (view.value === undefined) return { kind };
  return { kind, value: undefined, percentile };
}

interface KindsProps {
  readonly view: View;
  readonly onChoose: (kind: ViewKind) => void;
}

/** The kinds of views, as links, so that they can be opened in a new tab. */
function Kinds({ view, onChoose }: KindsProps): VNode {
  return (
    <nav class="explorer-kinds" aria-label="Views">
      {VIEW_KINDS.map((kind) => (
        <a
          key={kind}
          href={`${EXPLORER_PATHS.dimension}?${viewQuery({ ...view, kind })}`}
          aria-current={kind === view.kind ? 'page' : undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            onChoose(kind);
          }}
        >
          {KIND_LABELS[kind]}
        </a>
      ))}
    </nav>
  );
}
