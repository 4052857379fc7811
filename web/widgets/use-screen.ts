import { useEffect, useRef, useState } from 'preact/hooks';
import type { ScreenAddress } from '../../src/pages/screens/shared/address-fields.js';
import type { ScreenProblem } from '../../src/pages/screens/shared/data-types.js';

/** The data that came with a page, or why it came without. */
export interface FirstAnswer<Data> {
  readonly data?: Data;
  readonly problem?: ScreenProblem;
}

/** State of a screen. */
export interface ScreenState<View, Data> {
  readonly view: View;
  /** What the address asks for that the page cannot show, in sentences; none after a change of the view. */
  readonly notices: readonly string[];
  /** The last data that was loaded; while a request runs, the data of an earlier view. */
  readonly data: Data | undefined;
  /** The view that the data belongs to. */
  readonly dataView: View;
  readonly problem: ScreenProblem | undefined;
  /** Whether the data is of an earlier view. */
  readonly busy: boolean;
  /** Changes the view and adds an entry to the history. */
  choose(change: Partial<View>): void;
  /** Changes the view while something moves: all moves in a row are one history entry. */
  slide(change: Partial<View>): void;
  /** While held, nothing is requested and the address stays. */
  hold(held: boolean): void;
  retry(): void;
}

/** Changes within this time are sent as one request: a row of key presses is one. */
const DEBOUNCE_MS = 300;
const CACHED_MAX = 40;
/** After a longer wait the user, and not the page, decides whether to ask again. */
const AUTOMATIC_RETRY_MAX_SECONDS = 90;

/**
 * The view of a screen, its address, and its data. Back and Forward restore views, and views that
 * were seen need no request.
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
  /** The query that the last data or problem answers. */
  const [answered, setAnswered] = useState(asked);
  const [attempt, setAttempt] = useState(0);
  const refused = useRef(first.problem === undefined ? undefined : asked);
  const sliding = useRef(false);
  /** Whether the current history entry was made by a slide; further slides replace it. */
  const entrySlid = useRef(false);

  useEffect(() => {
    document.title = `${address.title(view)} – Vitruvia`;
    const current = address.query(address.read(new URLSearchParams(location.search)));
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
    // The page came with this refusal; an immediate request would be refused again.
    if (refused.current === asked) {
      refused.current = undefined;
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const outcome = await load<Data>(`${address.path}/data?${asked}`, abort.signal);
      if (abort.signal.aborted) return;
      setAnswered(asked);
      setProblem(outcome.problem);
      if (outcome.data === undefined) return;
      setLoaded({ data: outcome.data, view });
      remember(cache.current ?? new Map(), asked, outcome.data);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [asked, held, attempt]);

  const waitSeconds = problem?.retryAfterSeconds;
  useEffect(() => {
    if (waitSeconds === undefined || waitSeconds > AUTOMATIC_RETRY_MAX_SECONDS) return;
    const timer = setTimeout(() => setAttempt((count) => count + 1), waitSeconds * 1000);
    return () => clearTimeout(timer);
  }, [problem, waitSeconds]);

  const change = (slides: boolean) => (part: Partial<View>) => {
    sliding.current = slides;
    setRead((was) => ({ view: { ...was.view, ...part }, notices: [] }));
  };
  return {
    ...{ view, notices, problem, hold, data: loaded.data, busy: answered !== asked },
    // What only the picture shows may have changed since the data came.
    dataView: answered === asked && problem === undefined ? view : loaded.view,
    choose: change(false),
    slide: change(true),
    retry: () => setAttempt((count) => count + 1),
  };
}

/** The view of the address bar, and what it asks for that the page cannot show. */
function readAddress<View>(address: ScreenAddress<View>) {
  const notices: string[] = [];
  const say = (notice: string) => notices.push(notice);
  return { view: address.read(new URLSearchParams(location.search), say), notices };
}

function remember<Data>(cache: Map<string, Data>, query: string, data: Data): void {
  cache.set(query, data);
  const [oldest] = cache.keys();
  if (cache.size > CACHED_MAX && oldest !== undefined) cache.delete(oldest);
}

async function load<Data>(url: string, signal: AbortSignal): Promise<FirstAnswer<Data>> {
  try {
    const response = await fetch(url, { signal });
    if (response.ok) return { data: (await response.json()) as Data };
    const problem = (await response.json()) as ScreenProblem;
    const wait = Number(response.headers.get('retry-after'));
    return { problem: wait > 0 ? { ...problem, retryAfterSeconds: wait } : problem };
  } catch {
    const detail = 'The service did not answer. Check your connection and try again.';
    return { problem: { code: 'unreachable', detail, status: 0 } };
  }
}

/** The data that the page was sent with. */
export function firstAnswer<Data>(): FirstAnswer<Data> {
  const text = document.getElementById('initial-data')?.textContent;
  return text == null ? {} : (JSON.parse(text) as FirstAnswer<Data>);
}
