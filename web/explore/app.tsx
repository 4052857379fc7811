import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { EXPLORER_PATHS } from '../../src/core/explorer-paths.js';
import {
  readView,
  VIEW_KINDS,
  type View,
  type ViewKind,
  viewQuery,
} from '../../src/core/explorer-view.js';
import { inWords } from '../../src/core/labels.js';
import { AGE_LIMITS } from '../../src/core/limits.js';
import type { ChartProblem } from '../../src/pages/explorer/chart-data-types.js';
import { Calls } from './calls.js';
import { Controls } from './controls.js';
import { Notice } from './notice.js';
import { Results } from './results.js';
import { useChartData } from './use-chart-data.js';

const KIND_LABELS: Readonly<Record<ViewKind, string>> = {
  distribution: 'Distribution',
  ages: `Ages ${AGE_LIMITS.minimum}–${AGE_LIMITS.maximum}`,
  connected: 'Two measurements',
};

interface AppProps {
  readonly initialView: View;
  readonly initialProblem: ChartProblem | undefined;
}

/** The explorer: the controls that choose a view, and its results. */
export function App({ initialView, initialProblem }: AppProps): VNode {
  const [view, setView] = useState(initialView);
  const [held, setHeld] = useState(false);
  const { chart, problem, busy, retry } = useChartData(view, held, initialProblem);
  const sliding = useAddress(view, held, setView);
  const choose = (change: Partial<View>) => {
    sliding.current = false;
    setView((was) => ({ ...was, ...change }));
  };
  const slide = (change: Partial<View>) => {
    sliding.current = true;
    setView((was) => ({ ...was, ...change }));
  };
  const isPaused = problem?.code === 'rate_limited';
  const shown = problem === undefined || isPaused ? chart : undefined;
  return (
    <>
      <Kinds
        view={view}
        onChoose={(kind) => choose(asKind(view, kind, chart?.data.answer?.percentile))}
      />
      <Controls view={view} onChange={choose} />
      <div class="explorer-results" aria-busy={busy}>
        {problem === undefined ? null : <Notice problem={problem} onRetry={retry} />}
        {shown === undefined ? null : (
          <Results {...{ chart: shown, view }} onChoose={choose} onSlide={slide} onHold={setHeld} />
        )}
        {shown === undefined ? null : <Calls call={shown.data.call} />}
      </div>
    </>
  );
}

/** The current view as another kind; a chosen length becomes its percentile. */
function asKind(view: View, kind: ViewKind, percentile = view.percentile): Partial<View> {
  if (view.value === undefined) return { kind };
  return { kind, value: undefined, percentile };
}

/**
 * Keeps the address bar and the view in step. A choice adds a history entry; a slide replaces the
 * last one.
 */
function useAddress(view: View, held: boolean, setView: (view: View) => void) {
  const sliding = useRef(false);
  const query = viewQuery(view);
  useEffect(() => {
    document.title = `${inWords(view.measurement)}, explore – Vitruvia`;
    if (held || query === viewQuery(readView(new URLSearchParams(location.search)))) return;
    const address = `${EXPLORER_PATHS.dimension}?${query}`;
    if (sliding.current) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
  }, [query, held]);
  useEffect(() => {
    const onBack = () => setView(readView(new URLSearchParams(location.search)));
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, []);
  return sliding;
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
