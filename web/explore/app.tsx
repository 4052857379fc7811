import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LookProblem } from '../../src/pages/explorer/look-types.js';
import { inWords } from '../../src/pages/explorer/names.js';
import {
  readView,
  VIEW_KINDS,
  type View,
  type ViewKind,
  viewQuery,
} from '../../src/pages/explorer/view.js';
import { Calls } from './calls.js';
import { Controls } from './controls.js';
import { Notice } from './notice.js';
import { Results } from './results.js';
import { useLook } from './use-look.js';

const KIND_LABELS: Readonly<Record<ViewKind, string>> = {
  distribution: 'Distribution',
  ages: 'Ages 0–120',
  connected: 'Two measurements',
};

interface AppProps {
  readonly firstView: View;
  readonly firstProblem: LookProblem | undefined;
}

/** The explorer: what to look at, and what is seen. */
export function App({ firstView, firstProblem }: AppProps): VNode {
  const [view, setView] = useState(firstView);
  const [held, setHeld] = useState(false);
  const { seen, problem, busy, retry } = useLook(view, held, firstProblem);
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
  const shown = problem === undefined || isPaused ? seen : undefined;
  return (
    <>
      <Kinds
        view={view}
        onChoose={(kind) => choose(asKind(view, kind, seen?.look.answer?.percentile))}
      />
      <Controls view={view} onChange={choose} />
      <div class="explorer-results" aria-busy={busy}>
        {problem === undefined ? null : <Notice problem={problem} onRetry={retry} />}
        {shown === undefined ? null : (
          <Results {...{ seen: shown, view }} onChoose={choose} onSlide={slide} onHold={setHeld} />
        )}
        {shown === undefined ? null : <Calls call={shown.look.call} />}
      </div>
    </>
  );
}

/** The present view in another kind; a length asked for becomes the percentile it lies at. */
function asKind(view: View, kind: ViewKind, percentile = view.percentile): Partial<View> {
  if (view.value === undefined) return { kind };
  return { kind, value: undefined, percentile };
}

/**
 * Keeps the address bar and the view alike. A choice is a step to go back to; what is slid, only
 * its last place.
 */
function useAddress(view: View, held: boolean, setView: (view: View) => void) {
  const sliding = useRef(false);
  const query = viewQuery(view);
  useEffect(() => {
    document.title = `${inWords(view.measurement)}, explore – Vitruvia`;
    if (held || query === viewQuery(readView(new URLSearchParams(location.search)))) return;
    const address = `/explore?${query}`;
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

/** The kinds of views, as links that can be opened elsewhere too. */
function Kinds({ view, onChoose }: KindsProps): VNode {
  return (
    <nav class="explorer-kinds" aria-label="Views">
      {VIEW_KINDS.map((kind) => (
        <a
          key={kind}
          href={`/explore?${viewQuery({ ...view, kind })}`}
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
