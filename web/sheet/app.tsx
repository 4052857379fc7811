import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { populationLabel } from '../../src/pages/screens/shared/populations.js';
import {
  readSheetView,
  SHEET_ADDRESS,
  type SheetView,
  sheetQuery,
} from '../../src/pages/screens/sheet/address.js';
import { UnitChoice } from '../widgets/length-field.js';
import { shownUnit } from '../widgets/lengths.js';
import { PopulationBar } from '../widgets/population-bar.js';
import { DimensionChoice } from './dimension-choice.js';

/** Changes within this time are sent as one request: a row of key presses is one. */
const DEBOUNCE_MS = 300;

/**
 * What chooses another sheet. The server writes the sheet itself; a change dims it, gives it its new
 * heading, and replaces it when the next one has come.
 */
export function App(): VNode {
  const [view, setView] = useState(viewOfAddress);
  const query = sheetQuery(view);
  /** The query of the sheet on the page. */
  const [loaded, setLoaded] = useState(query);
  const [fault, setFault] = useState<string>();
  const isEmpty = view.measurements.length === 0;
  const busy = query !== loaded && !isEmpty;

  useEffect(() => {
    const onBack = () => setView(viewOfAddress());
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, []);

  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current || isEmpty) {
      isFirst.current = false;
      return;
    }
    if (query !== sheetQuery(viewOfAddress())) {
      history.pushState(null, '', `${SHEET_ADDRESS.path}?${query}`);
    }
    const title = populationLabel(view.population);
    document.title = `${title}: sheet – Vitruvia`;
    const shown = document.querySelector('article.sheet');
    shown?.setAttribute('aria-busy', String(query !== loaded));
    const heading = shown?.querySelector('h1');
    if (heading != null) heading.textContent = title;
    if (query === loaded) return;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const next = await sheetOf(query, abort.signal);
      if (abort.signal.aborted) return;
      setFault(next === undefined ? UNREACHABLE : undefined);
      if (next === undefined) return;
      document.querySelector('article.sheet')?.replaceWith(next);
      setLoaded(query);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query, loaded]);

  const choose = (change: Partial<SheetView>) => {
    setView((was) => {
      const next = { ...was, ...change };
      return { ...next, population: next.populations[next.shown - 1] ?? was.population };
    });
  };
  return (
    <>
      <PopulationBar
        populations={view.populations}
        shown={view.shown}
        busy={busy && fault === undefined}
        {...(view.populations.length > 1 ? { note: ONE_AT_A_TIME } : {})}
        onChange={(populations, shown) => choose({ populations, shown })}
      />
      {fault === undefined ? null : (
        <p class="notice danger" role="alert">
          {fault}
        </p>
      )}
      <DimensionChoice
        chosen={view.measurements}
        onChange={(measurements) => choose({ measurements })}
      >
        <UnitChoice unit={shownUnit(view.unit)} onChange={(unit) => choose({ unit })} />
      </DimensionChoice>
    </>
  );
}

const ONE_AT_A_TIME = 'A sheet shows one population at a time. Choose it by its round button.';
const UNREACHABLE =
  'The service did not answer, so the sheet is still the one before. Check your connection and change it again.';

function viewOfAddress(): SheetView {
  return readSheetView(new URLSearchParams(location.search));
}

/** The sheet of a query, from its page; undefined if the service does not answer. */
async function sheetOf(query: string, signal: AbortSignal): Promise<Element | undefined> {
  try {
    const response = await fetch(`${SHEET_ADDRESS.path}?${query}`, { signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    return page.querySelector('article.sheet') ?? undefined;
  } catch {
    return undefined;
  }
}
