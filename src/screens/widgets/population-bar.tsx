import { render, type VNode } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { ScreenId } from '../../site/paths.js';
import { haveCommonAges } from '../shared/populations.js';
import { POPULATION_BAR_ID, screenLink } from '../shared/screen-parts.js';
import { PopulationChips, type PopulationChipsProps } from './population-chips.js';

interface BarProps extends PopulationChipsProps {
  /** Whether the shown numbers are of an earlier view. */
  readonly busy: boolean;
  /** A sentence that says what the screen shows of the populations. */
  readonly note?: string | undefined;
  /** Whether the screen has numbers for all populations together. */
  readonly together?: boolean;
  /** The answer in a sentence. Screen readers say it when it has come. */
  readonly said?: string;
}

/**
 * The population bar at the top of a screen. It renders into the element that every page has for it. So the
 * bar is the same on all screens, and the links to the other screens contain its populations.
 */
export function PopulationBar(props: BarProps): null {
  useLayoutEffect(() => {
    const place = document.getElementById(POPULATION_BAR_ID);
    if (place === null) return;
    // The page from the server contains the names of the populations. The bar replaces them once.
    if (place.dataset.ready === undefined) place.replaceChildren();
    place.dataset.ready = '';
    render(<Bar {...props} />, place);
    carry(props.populations);
  });
  useLayoutEffect(comeBackAfterSignIn, []);
  return null;
}

function Bar({ busy, note, said = '', together = false, ...chips }: BarProps): VNode {
  return (
    <>
      <PopulationChips {...chips} />
      {note === undefined ? null : <p class="hint">{note}</p>}
      {together ? <CountedOnce populations={chips.populations} /> : null}
      <p class="computing" role="status">
        {busy ? 'Computing…' : <span class="visually-hidden">{said}</span>}
      </p>
    </>
  );
}

/** Says that people belong to two populations. The members of country sets are loaded only for this. */
function CountedOnce({ populations }: Pick<PopulationChipsProps, 'populations'>): VNode | null {
  const [isSaid, setSaid] = useState(false);
  useEffect(() => {
    setSaid(false);
    let isCurrent = true;
    if (
      populations.some((one, i) =>
        populations.slice(0, i).some((other) => haveCommonAges(one, other)),
      )
    ) {
      import('../shared/together.js').then(
        ({ haveCommonPeople }) => isCurrent && setSaid(haveCommonPeople(populations)),
        () => undefined,
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [populations]);
  return isSaid ? (
    <p class="hint">
      Some people belong to two of the populations. They count once in the numbers for all together.
    </p>
  ) : null;
}

/** Puts these populations into the links to the other screens. */
function carry(populations: PopulationChipsProps['populations']): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-screen]')) {
    link.href = screenLink(link.dataset.screen as ScreenId, populations);
  }
}

/** Makes the sign-in link lead back to the view that the page shows when the link is pressed. */
function comeBackAfterSignIn(): () => void {
  const link = document.querySelector<HTMLAnchorElement>('.site-nav a[href^="/account/sign-in"]');
  const onPress = () => {
    const next = encodeURIComponent(location.pathname + location.search);
    if (link !== null) link.href = `/account/sign-in?next=${next}`;
  };
  link?.addEventListener('click', onPress, { capture: true });
  return () => link?.removeEventListener('click', onPress, { capture: true });
}
