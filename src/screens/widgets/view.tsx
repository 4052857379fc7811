import { type ComponentChildren, type ComponentType, render, type VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isTemporary } from '../../core/errors.js';
import { addressOf, type ScreenAddress } from '../shared/address-fields.js';
import type { ScreenProblem } from '../shared/data-types.js';
import { type ChosenPopulation, screenLink } from '../shared/populations.js';
import { AUTOMATIC_RETRY_MAX_SECONDS, waitSentence, waitText } from '../shared/wait-text.js';
import { AGAIN_SECONDS, askAgainForPictures } from './ask-again.js';
import { pageWidth } from './parts.js';
import { type BarProps, PopulationBar } from './population-bar.js';

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
  /** The last loaded data, also if the service refuses the view. */
  readonly last: Data | undefined;
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
      setLoaded((was) => (was.data === known && was.view === view ? was : { data: known, view }));
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
    last: loaded.data,
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

/** Shows a screen in the place of its page, with the data that came with the page. */
export function mountScreen<View, Data>(
  id: string,
  address: ScreenAddress<View>,
  App: ComponentType<ScreenState<View, Data>>,
): void {
  askAgainForPictures();
  const root = document.getElementById(id);
  if (root === null) return;
  const text = document.getElementById('initial-data')?.textContent;
  const first: FirstAnswer<Data> = text == null ? {} : JSON.parse(text);
  const Screen = () => <App {...useScreen(address, first)} />;
  pageWidth();
  // The script draws the first view again, in the width of the screen.
  root.replaceChildren();
  render(<Screen />, root);
}

interface FrameProps<View> {
  readonly screen: ScreenState<View, unknown>;
  /** What the population bar has besides the populations. By default, a change of them alone changes the view. */
  readonly bar?: Partial<BarProps>;
  /** Topic of the links to other views, and these views with their titles. */
  readonly links?: readonly [
    label: string,
    views: readonly (readonly [title: string, view: View, isCurrent: boolean])[],
    areProducts?: boolean,
  ];
  /** What stands where the links stand, on a screen with links of its own. */
  readonly ownLinks?: VNode;
  readonly children: ComponentChildren;
}

/** What every screen has: populations, links to its views, and notices. The content of the screen follows. */
export function ScreenFrame<View extends { readonly populations: readonly ChosenPopulation[] }>(
  props: FrameProps<View>,
): VNode {
  const { screen, bar, ownLinks, links = [], children } = props;
  const [label = '', views = [], areProducts] = links;
  const { address, view, notices, busy, choose } = screen;
  return (
    <>
      <PopulationBar
        populations={view.populations}
        busy={busy}
        onChange={(populations) => choose({ populations } as Partial<View>)}
        {...bar}
      />
      <AddressNotices notices={notices} />
      {ownLinks}
      {views.length === 0 ? null : (
        <ViewLinks
          label={label}
          all={areProducts ? `${screenLink('fit', view.populations)}#all` : undefined}
          links={views.map(([title, next, isCurrent]) => ({
            ...{ title, isCurrent, href: addressOf(address, next), onChoose: () => choose(next) },
          }))}
        />
      )}
      <Notice {...screen} />
      {children}
    </>
  );
}

/** Sentences about the parts of an address that the page cannot show; nothing if there are none. */
function AddressNotices({ notices }: { readonly notices: readonly string[] }): VNode | null {
  if (notices.length === 0) return null;
  return (
    <div class="notice warning address-notices" role="status">
      {notices.map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
    </div>
  );
}

/** A link to a view of a screen. */
export interface ViewLink {
  readonly title: string;
  readonly href: string;
  /** Whether the page shows this view. */
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}

interface ViewLinksProps {
  /** Topic of the links, such as `Products`. */
  readonly label: string;
  readonly links: readonly ViewLink[];
  /** Address of all products. */
  readonly all?: string | undefined;
}

/** Shows the view of a link on the page, unless the user opens it in a new tab or window. */
export function chosenHere({ onChoose }: ViewLink) {
  return (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onChoose();
  };
}

/** Links to the views of a screen. The user can open a view in a new tab. */
export function ViewLinks({ label, links, all }: ViewLinksProps): VNode {
  const row = useRef<HTMLElement>(null);
  const current = links.find(({ isCurrent }) => isCurrent)?.title;
  // On a phone, the links are one row that scrolls. The page itself must not scroll.
  useEffect(() => {
    const [nav, link] = [row.current, row.current?.querySelector<HTMLElement>('[aria-current]')];
    if (nav === null || link == null) return;
    nav.scrollLeft = link.offsetLeft - nav.offsetLeft + (link.offsetWidth - nav.clientWidth) / 2;
  }, [current]);
  return (
    <nav ref={row} class="row view-links" aria-label={label}>
      {all === undefined ? null : (
        <a class="all-products" href={all}>
          ▸ All products
        </a>
      )}
      {links.map((link) => (
        <a
          key={link.title}
          href={link.href}
          aria-current={link.isCurrent ? 'page' : undefined}
          onClick={chosenHere(link)}
        >
          {link.title}
        </a>
      ))}
    </nav>
  );
}

type NoticeProps = Pick<ScreenState<unknown, unknown>, 'data' | 'problem' | 'retry'>;

/** Says why a view has no numbers, in the words of the service, and when the page asks again. */
function Notice({ problem, data, retry }: NoticeProps): VNode | null {
  if (problem === undefined) return null;
  const { code, detail, errors = [], retryAfterSeconds } = problem;
  const old = data !== undefined ? 'The pale numbers are those of the view before.' : '';
  if (isTemporary(code)) {
    const seconds = retryAfterSeconds ?? 0;
    if (seconds > AUTOMATIC_RETRY_MAX_SECONDS) {
      return (
        <div class="notice warning">
          <p role="status">
            <strong>That is all for now.</strong> {detail} With a{' '}
            <a href="/account/sign-up">key of your own</a> the API gives more numbers. {old}
          </p>
        </div>
      );
    }
    return (
      <div class="notice warning">
        <p>
          <span role="status">
            <strong>A short pause, please.</strong> {detail.replace(waitSentence(seconds), '')} The
            view appears automatically
          </span>{' '}
          <Countdown problem={problem} seconds={seconds} /> {old}
        </p>
      </div>
    );
  }
  return (
    <div class="notice danger">
      <p role="alert">
        {errors.length > 1 ? 'This view cannot be shown:' : detail}
        {code === 'unreachable' ? ' Check your connection. The page asks again by itself.' : ''}
      </p>
      {errors.length > 1 ? (
        <ul>
          {errors.map((error) => (
            <li key={error.pointer + error.message}>{error.message}</li>
          ))}
        </ul>
      ) : null}
      {old === '' ? null : <p>{old}</p>}
      {isOfService(problem) ? (
        <button type="button" onClick={retry}>
          Try again
        </button>
      ) : null}
    </div>
  );
}

interface CountdownProps {
  /** Each refusal starts the time again. */
  readonly problem: ScreenProblem;
  readonly seconds: number;
}

/** The remaining time. Screen readers do not announce it, because it changes every second. */
function Countdown({ problem, seconds }: CountdownProps): VNode {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const endMs = Date.now() + seconds * 1000;
    const show = () => setLeft(Math.max(0, Math.ceil((endMs - Date.now()) / 1000)));
    show();
    const timer = setInterval(show, 1000);
    return () => clearInterval(timer);
  }, [problem, seconds]);
  return <span>{left === 0 ? 'now …' : `in ${waitText(left)}.`}</span>;
}
