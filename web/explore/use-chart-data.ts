import { useEffect, useRef, useState } from 'preact/hooks';
import { EXPLORER_PATHS } from '../../src/core/explorer-paths.js';
import { chartQuery, type View } from '../../src/core/explorer-view.js';
import type { ChartData, ChartProblem } from '../../src/pages/explorer/chart-data-types.js';

/** Chart data and the view it belongs to. */
export interface LoadedChart {
  readonly data: ChartData;
  readonly view: View;
}

/** The chart data of the current view, as far as it is loaded. */
export interface ChartDataState {
  /** The last chart that was loaded; while a request runs, the chart of an earlier view. */
  readonly chart: LoadedChart | undefined;
  readonly problem: ChartProblem | undefined;
  readonly busy: boolean;
  /** Requests the current view again. */
  retry(): void;
}

/** Changes within this time are sent as one request. */
const DEBOUNCE_MS = 200;
/** Views in the cache, so that going back and forth needs no request. */
const CACHED_MAX = 60;
/** After a longer wait the user, and not the page, decides whether to ask again. */
const AUTOMATIC_RETRY_MAX_SECONDS = 90;

const cache = new Map<string, ChartData>();

/** Puts chart data into the cache, such as the data that came with the page. */
export function cacheChartData(query: string, data: ChartData): void {
  cache.set(query, data);
  const [oldest] = cache.keys();
  if (cache.size > CACHED_MAX && oldest !== undefined) cache.delete(oldest);
}

/**
 * Loads the chart data of a view whenever the view changes. It sends nothing while `held`, sends one
 * request for several quick changes, and repeats the request after the wait that the service asks
 * for.
 *
 * @param initialProblem why the page came without chart data, if it did
 */
export function useChartData(
  view: View,
  held: boolean,
  initialProblem: ChartProblem | undefined,
): ChartDataState {
  const query = chartQuery(view);
  const [chart, setChart] = useState<LoadedChart | undefined>(() => cachedChart(query, view));
  const [problem, setProblem] = useState(initialProblem);
  const [busy, setBusy] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const refused = useRef(initialProblem === undefined ? undefined : query);

  useEffect(() => {
    if (held) return;
    const known = cachedChart(query, view);
    if (known !== undefined) {
      setChart(known);
      setProblem(undefined);
      setBusy(false);
      return;
    }
    // The page came with this refusal; an immediate request would be refused again.
    if (refused.current === query) {
      refused.current = undefined;
      return;
    }
    const abort = new AbortController();
    setBusy(true);
    const timer = setTimeout(async () => {
      try {
        const outcome = await fetchChartData(query, abort.signal);
        if ('data' in outcome) {
          cacheChartData(query, outcome.data);
          setChart({ data: outcome.data, view });
          setProblem(undefined);
        } else setProblem(outcome.problem);
        setBusy(false);
      } catch (error) {
        if (abort.signal.aborted) return;
        setProblem(unreachable(error));
        setBusy(false);
      }
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query, held, attempt]);

  const waitSeconds = problem?.retryAfterSeconds;
  useEffect(() => {
    if (waitSeconds === undefined || waitSeconds > AUTOMATIC_RETRY_MAX_SECONDS) return;
    const timer = setTimeout(() => setAttempt((count) => count + 1), waitSeconds * 1000);
    return () => clearTimeout(timer);
  }, [problem, waitSeconds]);

  // What only the picture shows, such as its ages, may have changed since the data came.
  const current = chart && chartQuery(chart.view) === query ? { ...chart, view } : chart;
  return { chart: current, problem, busy, retry: () => setAttempt((count) => count + 1) };
}

function cachedChart(query: string, view: View): LoadedChart | undefined {
  const data = cache.get(query);
  return data === undefined ? undefined : { data, view };
}

async function fetchChartData(
  query: string,
  signal: AbortSignal,
): Promise<{ data: ChartData } | { problem: ChartProblem }> {
  const response = await fetch(`${EXPLORER_PATHS.dimension}/data?${query}`, { signal });
  if (response.ok) return { data: (await response.json()) as ChartData };
  const problem = (await response.json()) as ChartProblem;
  const wait = Number(response.headers.get('retry-after'));
  return { problem: wait > 0 ? { ...problem, retryAfterSeconds: wait } : problem };
}

function unreachable(error: unknown): ChartProblem {
  const detail = 'The service did not answer. Check your connection and try again.';
  return { code: error instanceof Error ? error.name : 'unreachable', detail, status: 0 };
}
