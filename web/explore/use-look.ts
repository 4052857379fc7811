import { useEffect, useRef, useState } from 'preact/hooks';
import type { Look, LookProblem } from '../../src/pages/explorer/look-types.js';
import { type View, viewQuery } from '../../src/pages/explorer/view.js';

/** A look and the view it is of. */
export interface SeenLook {
  readonly look: Look;
  readonly view: View;
}

/** Where the answer to the present view stands. */
export interface LookState {
  /** The last look that was had; of an older view while the next is under way. */
  readonly seen: SeenLook | undefined;
  readonly problem: LookProblem | undefined;
  readonly busy: boolean;
  /** Asks again for the present view. */
  retry(): void;
}

/** Changes this close together cost one look. */
const DEBOUNCE_MS = 200;
/** Looks kept, so that going back and forth costs none. */
const KEPT_LOOKS = 60;
/** A longer wait is for the visitor to end. */
const LONGEST_WAIT_SECONDS = 90;

const kept = new Map<string, Look>();

/** Remembers a look that came some other way, as with the page. */
export function keepLook(query: string, look: Look): void {
  kept.set(query, look);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_LOOKS && oldest !== undefined) kept.delete(oldest);
}

/**
 * Looks at a view as it changes: at rest, not while `held`; once for changes in quick succession;
 * again by itself when the service has asked to wait.
 */
export function useLook(view: View, held: boolean, first: LookProblem | undefined): LookState {
  const query = viewQuery(view);
  const [seen, setSeen] = useState<SeenLook | undefined>(() => seenOf(query, view));
  const [problem, setProblem] = useState(first);
  const [busy, setBusy] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const refused = useRef(first === undefined ? undefined : query);

  useEffect(() => {
    if (held) return;
    const known = seenOf(query, view);
    if (known !== undefined) {
      setSeen(known);
      setProblem(undefined);
      setBusy(false);
      return;
    }
    // The page came with this refusal: asking again at once would only be refused again.
    if (refused.current === query) {
      refused.current = undefined;
      return;
    }
    const abort = new AbortController();
    setBusy(true);
    const timer = setTimeout(async () => {
      try {
        const outcome = await fetchLook(query, abort.signal);
        if ('look' in outcome) {
          keepLook(query, outcome.look);
          setSeen({ look: outcome.look, view });
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
    if (waitSeconds === undefined || waitSeconds > LONGEST_WAIT_SECONDS) return;
    const timer = setTimeout(() => setAttempt((count) => count + 1), waitSeconds * 1000);
    return () => clearTimeout(timer);
  }, [problem, waitSeconds]);

  return { seen, problem, busy, retry: () => setAttempt((count) => count + 1) };
}

function seenOf(query: string, view: View): SeenLook | undefined {
  const look = kept.get(query);
  return look === undefined ? undefined : { look, view };
}

async function fetchLook(
  query: string,
  signal: AbortSignal,
): Promise<{ look: Look } | { problem: LookProblem }> {
  const response = await fetch(`/explore/look?${query}`, { signal });
  if (response.ok) return { look: (await response.json()) as Look };
  const problem = (await response.json()) as LookProblem;
  const wait = Number(response.headers.get('retry-after'));
  return { problem: wait > 0 ? { ...problem, retryAfterSeconds: wait } : problem };
}

function unreachable(error: unknown): LookProblem {
  const detail = 'The service did not answer. Check the connection and try again.';
  return { code: error instanceof Error ? error.name : 'unreachable', detail, status: 0 };
}
