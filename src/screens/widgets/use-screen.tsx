import { useEffect, useRef, useState } from 'preact/hooks';
import { isTemporary } from '../../core/errors.js';
import type { ScreenAddress } from '../shared/address-fields.js';
import type { ScreenProblem } from '../shared/data-types.js';
import { AUTOMATIC_RETRY_MAX_SECONDS } from '../shared/wait-text.js';
import { AGAIN_SECONDS } from './ask-again.js';

/** The data of the first view, or the reason why the page came without data. */
export interface FirstAnswer<Data> {
  readonly data?: Data;
  readonly problem?: ScreenProblem;
}

/** State of a screen. */
export interface ScreenState<View, Data> {
  readonly address: ScreenAddress<View>;
  readonly view: View;
  /** Sentences about the parts of the address that the page cannot show; empty after a change of the view. */
  readonly notices: readonly string[];
  /**
   * The last loaded data. While a request runs, it belongs to an earlier view. Undefined if the service
   * refuses the view itself.
   */
  readonly data: Data | undefined;
  /** The view that the data belongs to. */
  readonly dataView: View;
  readonly problem: ScreenProblem | undefined;
  /** Whether the data of the view is being loaded. */
  readonly busy: boolean;
  /** Whether the data belongs to an earlier view, because the new data is not here yet or could not be loaded. */
  readonly stale: boolean;
  /** Changes the view and adds an entry to the history. */
  choose(change: Partial<View>): void;
  /** Changes the view while something moves. All moves in a row share one history entry. */
  slide(change: Partial<View>): void;
  /** While held, the page sends no requests and keeps its address. */
  hold(held: boolean): void;
  retry(): void;
}

/** Changes within this time share one request, for example several key presses in a row. */
const DEBOUNCE_MS = 300;
const CACHED_MAX = 40;
/** Waits before the page asks a silent service again. After the last wait in the list, that wait is repeated. */
const UNANSWERED_RETRY_SECONDS = [...AGAIN_SECONDS, 15, 30];

/**
 * The view of a screen, its address, and its data. Back and Forward restore views. Views that were already
 * shown need no request.
 */
export function useScreen<View, Data>(
  address: ScreenAddress<View>,
  first: FirstAnswer<Data>,
): ScreenState<View, Data> {
  const [{ view, notices }, setRead] = useState(() => readAddress(address));
  const [held, hold] = useState(false);
  const query = address.query(view);
  const asked = address.dataQuery?.(view) ?? query;
  const cache = useRef<Map<string, Data> | undefined>(undefined);
  if (cache.current === undefined) {
    cache.current = new Map(first.data === undefined ? [] : [[asked, first.data]]);
  }
  const [loaded, setLoaded] = useState({ data: first.data, view });
  const [problem, setProblem] = useState(first.problem);
  /** The query that the last data or problem belongs to. */
  const [answered, setAnswered] = useState(asked);
  const [attempt, setAttempt] = useState(0);
  const refused = useRef(first.problem === undefined ? undefined : asked);
  /** Number of requests in a row that the service did not answer. */
  const failures = useRef(0);
  const sliding = useRef(false);
  /** Whether a slide made the current history entry. Further slides then replace this entry. */
  const entrySlid = useRef(false);

  useEffect(() => {
    document.title = `${address.title(view)} – Vitruvia`;
    const current = address.query(address.read(location.search));
    if (held || query === current) return;
    const next = `${address.path}?${query}`;
    if (sliding.current && entrySlid.current) history.replaceState(null, '', next);
    else history.pushState(null, '', next);
    entrySlid.current = sliding.current;
  }, [query, held]);

  useEffect(() => {
    const onBack = () => {
      entrySlid.current = false;
      setRead(readAddress(address));
    };
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, []);

  useEffect(() => {
    if (held) return;
    const known = cache.current?.get(asked);
    if (known !== undefined) {
      setLoaded({ data: known, view });
      setProblem(undefined);
      setAnswered(asked);
      return;
    }
    // The page came with this refusal. An immediate request would be refused again.
    if (refused.current === asked) {
      refused.current = undefined;
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const outcome = await loadJson<Data>(`${address.path}/data?${asked}`, abort.signal);
      if (abort.signal.aborted) return;
      const isUnanswered = outcome.problem !== undefined && isOfService(outcome.problem);
      failures.current = isUnanswered ? failures.current + 1 : 0;
      setAnswered(asked);
      // Every refusal is a new object. So it starts the next wait, even if its text is the same as before.
      setProblem(outcome.problem && { ...outcome.problem });
      if (outcome.data === undefined) return;
      setLoaded({ data: outcome.data, view });
      remember(cache.current ?? new Map(), asked, outcome.data);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [asked, held, attempt]);

  useEffect(() => {
    if (problem === undefined) return;
    const again = () => setAttempt((count) => count + 1);
    const seconds = retrySeconds(problem, failures.current);
    if (seconds === undefined || seconds > AUTOMATIC_RETRY_MAX_SECONDS) return;
    const timer = setTimeout(again, seconds * 1000);
    // As soon as the connection is back, the page asks again.
    if (isOfService(problem)) addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', again);
    };
  }, [problem]);

  const change = (slides: boolean) => (part: Partial<View>) => {
    sliding.current = slides;
    setRead((was) => ({ view: { ...was.view, ...part }, notices: [] }));
  };
  const busy = answered !== asked;
  const data = problem === undefined || passes(problem) ? loaded.data : undefined;
  return {
    ...{ address, view, notices, problem, hold, data, busy },
    stale: data !== undefined && (busy || problem !== undefined),
    // Parts of the view that only the picture shows may have changed since the data came.
    dataView: answered === asked && problem === undefined ? view : loaded.view,
    choose: change(false),
    slide: change(true),
    retry: () => setAttempt((count) => count + 1),
  };
}

/** The view of the address bar, and the parts of the address that the page cannot show. */
function readAddress<View>(address: ScreenAddress<View>) {
  const notices: string[] = [];
  const say = (notice: string) => notices.push(notice);
  return { view: address.read(location.search, say), notices };
}

function remember<Data>(cache: Map<string, Data>, query: string, data: Data): void {
  cache.set(query, data);
  const [oldest] = cache.keys();
  if (cache.size > CACHED_MAX && oldest !== undefined) cache.delete(oldest);
}

/** Whether the service or the connection failed, rather than the view. */
export function isOfService({ status }: ScreenProblem): boolean {
  return status === 0 || status >= 500;
}

/** Whether the same view may get an answer later. */
function passes(problem: ScreenProblem): boolean {
  return isTemporary(problem.code) || isOfService(problem);
}

/** Seconds until the page asks again; undefined if the answer is expected to stay the same. */
function retrySeconds(problem: ScreenProblem, failures: number): number | undefined {
  if (problem.retryAfterSeconds !== undefined) return problem.retryAfterSeconds;
  // A fault of the service may occur every time. So the user decides whether to ask again.
  if (!isOfService(problem) || problem.status === 500) return undefined;
  const waits = UNANSWERED_RETRY_SECONDS;
  return waits[Math.min(Math.max(0, failures - 1), waits.length - 1)];
}

async function loadJson<Data>(url: string, signal: AbortSignal): Promise<FirstAnswer<Data>> {
  try {
    const response = await fetch(url, { signal });
    if (response.ok) return { data: (await response.json()) as Data };
    return { problem: withWait((await response.json()) as ScreenProblem, response) };
  } catch {
    return UNREACHABLE;
  }
}

/** A problem with the waiting time from the `retry-after` header of its response. */
export function withWait(problem: ScreenProblem, { headers }: Response): ScreenProblem {
  const wait = Number(headers.get('retry-after'));
  return wait > 0 ? { ...problem, retryAfterSeconds: wait } : problem;
}

/** The problem if there is no readable answer: no connection, or a service that is restarting. */
const UNREACHABLE = {
  problem: { code: 'unreachable', detail: 'The service did not answer.', status: 0 },
} as const;
