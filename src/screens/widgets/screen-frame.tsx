import { type ComponentChildren, type ComponentType, render, type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isTemporary } from '../../core/errors.js';
import { addressOf, type ScreenAddress } from '../shared/address-fields.js';
import type { ScreenProblem } from '../shared/data-types.js';
import type { ChosenPopulation } from '../shared/populations.js';
import { AUTOMATIC_RETRY_MAX_SECONDS, waitSentence, waitText } from '../shared/wait-text.js';
import { askAgainForPictures } from './ask-again.js';
import { type BarProps, PopulationBar } from './population-bar.js';
import { type FirstAnswer, isOfService, type ScreenState, useScreen } from './use-screen.js';

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
  ];
  /** What stands where the links stand, on a screen with links of its own. */
  readonly ownLinks?: VNode;
  readonly children: ComponentChildren;
}

/** What every screen has: populations, links to its views, and notices. The content of the screen follows. */
export function ScreenFrame<View extends { readonly populations: readonly ChosenPopulation[] }>(
  props: FrameProps<View>,
): VNode {
  const { screen, bar, links: [label = '', views = []] = [], ownLinks, children } = props;
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
export function ViewLinks({ label, links }: ViewLinksProps): VNode {
  return (
    <nav class="view-links" aria-label={label}>
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
