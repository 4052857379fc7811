import { render, type VNode } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { populationLabel } from '../../shared/populations.js';
import { fetchAgain } from '../../widgets/ask-again.js';
import { UnitChoice } from '../../widgets/length-field.js';
import { shownUnit } from '../../widgets/lengths.js';
import { Notice } from '../../widgets/notice.js';
import { PopulationBar } from '../../widgets/population-bar.js';
import { type FirstAnswer, firstAnswer, UNREACHABLE, useScreen } from '../../widgets/use-screen.js';
import { SHEET_ADDRESS, SHEET_NOTICE_ID, type SheetView } from '../address.js';
import { DimensionChoice } from './dimension-choice.js';

/**
 * Controls for choosing another sheet. The server renders the sheet. After a change, the old sheet is dimmed
 * and gets the new heading, until the new sheet replaces it.
 */
export function App(): VNode {
  const screen = useScreen<SheetView, Element>(SHEET_ADDRESS, sheetOf(document), loadSheet);
  const { view, data, problem, busy, stale, hold, retry } = screen;
  const isEmpty = view.measurements.length === 0;
  const title = populationLabel(view.population);
  // While no dimensions are chosen, no sheet is requested.
  useEffect(() => hold(isEmpty), [isEmpty]);

  useLayoutEffect(() => {
    const shown = document.querySelector('article.sheet');
    if (data !== undefined && data !== shown) shown?.replaceWith(data);
  }, [data]);
  useLayoutEffect(() => {
    const shown = document.querySelector('article.sheet');
    shown?.setAttribute('aria-busy', String(stale && !isEmpty));
    shown?.classList.toggle('refused', data === undefined);
    const heading = shown?.querySelector('h1');
    if (heading != null) heading.textContent = title;
  });
  // On a phone, this application is below the sheet. The notice is above the sheet.
  useLayoutEffect(() => {
    const place = document.getElementById(SHEET_NOTICE_ID);
    if (place === null) return;
    if (place.dataset.ready === undefined) place.replaceChildren();
    place.dataset.ready = '';
    const notice =
      problem === undefined || isEmpty ? null : (
        <Notice problem={problem} hasNumbers={data !== undefined} onRetry={retry} />
      );
    render(notice, place);
  }, [problem, isEmpty, data]);

  const choose = (change: Partial<SheetView>) => {
    const next = { ...view, ...change };
    hold(next.measurements.length === 0);
    screen.choose({ ...change, population: next.populations[next.shown - 1] ?? view.population });
  };
  return (
    <>
      <PopulationBar
        populations={view.populations}
        shown={view.shown}
        busy={busy && !isEmpty}
        {...(view.populations.length > 1 ? { note: ONE_AT_A_TIME } : {})}
        onChange={(populations, shown) => choose({ populations, shown })}
      />
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

/** The sheet of a page, or the reason why the page has none. */
function sheetOf(page: Document): FirstAnswer<Element> {
  const { problem } = firstAnswer<never>(page);
  if (problem !== undefined) return { problem };
  const data = page.querySelector('article.sheet');
  return data === null ? UNREACHABLE : { data };
}

/** Loads the page of a query and returns its sheet. */
async function loadSheet(query: string, signal: AbortSignal): Promise<FirstAnswer<Element>> {
  try {
    const response = await fetchAgain(`${SHEET_ADDRESS.path}?${query}`, signal);
    return sheetOf(new DOMParser().parseFromString(await response.text(), 'text/html'));
  } catch {
    return UNREACHABLE;
  }
}
