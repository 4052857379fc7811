import type { VNode } from 'preact';
import type { CreatedKey, KeyRecord } from '../../accounts/keys.js';
import type { SignedInUser } from '../../accounts/sessions.js';
import { Time } from '../format.js';
import { accountPage } from './account-page.js';
import { KEYS_PATH } from './keys-page.js';

/** Content of the page that shows a new key. */
export interface NewKeyState {
  readonly user: SignedInUser;
  readonly created: CreatedKey;
  /** Public URL of the service, for the example. */
  readonly origin: string;
  /** The old key, if the new key replaces one. */
  readonly old?: KeyRecord | undefined;
  /** Whether this key is the first one, created by the sign-up. */
  readonly first?: boolean;
  /** The page from which the user came to sign up. */
  readonly next?: string | undefined;
}

/** The page that shows a new key in full, as HTML text. No other page shows a key in full. */
export function newKeyPage(state: NewKeyState): string {
  const { user, created, origin, old, first = false, next } = state;
  const { apiKey, name, mode } = created;
  const ends = old?.revokedAtMs === null ? old.endsAtMs : null;
  return accountPage({
    title: first ? 'Your test key' : 'Your new key',
    path: KEYS_PATH,
    user,
    entry: 'web/account/main.ts',
    children: (
      <div class="account-sections">
        <section class="panel">
          <p class="notice warning">
            Copy your key now. You cannot see it again later, because we store only a hash of it.
          </p>
          <p class="soft long-text">{`${name}, ${mode}`}</p>
          <p class="row secret">
            <code id="api-key">{apiKey}</code>
            <CopyButton from="api-key" what="the key" />
          </p>
          {mode === 'test' ? <KeyChoice /> : null}
          {old === undefined ? null : (
            <p>
              {'The old key, '}
              <code>{old.displayStart}…</code>
              {ends === null ? ', is revoked.' : ', works until '}
              {ends === null ? null : <Time atMs={ends} />}
            </p>
          )}
          <h2>Try it</h2>
          <p>
            Paste this line into a terminal. It asks how tall a woman of 30 in the Netherlands is.
          </p>
          <div class="row secret">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
            <pre id="curl-line" tabIndex={0}>
              {curlLine(origin, apiKey)}
            </pre>
            <CopyButton from="curl-line" what="the command" />
          </div>
          <p class="row actions">
            {next === undefined ? null : <a href={next}>Back to where you were</a>}
            <a href={KEYS_PATH}>{next === undefined ? 'I have copied it' : 'Your keys'}</a>
            <a href="/docs">Documentation</a>
          </p>
        </section>
      </div>
    ),
  });
}

/** A button that puts a test key into the examples of this browser. Without scripts, it stays hidden. */
function KeyChoice(): VNode {
  return (
    <div data-key-choice hidden>
      <p class="soft">
        The examples of the documentation and of the screens can show this key. Only this browser
        keeps it, and it forgets the key when you sign out.
      </p>
      <p class="row actions">
        <button type="button">Use this key in the examples</button>
        <span role="status" />
      </p>
    </div>
  );
}

/** A button that copies a text. Scripts show and connect it; without scripts, it stays hidden. */
function CopyButton({ from, what }: { readonly from: string; readonly what: string }): VNode {
  return (
    <>
      <button type="button" data-copy={from} hidden>
        Copy<span class="visually-hidden"> {what}</span>
      </button>
      <span role="status" data-copied hidden>
        Copied
      </span>
    </>
  );
}

/** The page for a key form that was sent again, as HTML text. No key is created. */
export function shownKeyPage(user: SignedInUser, key: KeyRecord | undefined): string {
  return accountPage({
    title: 'This key was already created',
    path: KEYS_PATH,
    user,
    children: (
      <section class="panel">
        {key === undefined ? (
          <p>The form that you sent was used before. Nothing new was created.</p>
        ) : (
          <p>
            The form that you sent has created the key <code>{key.displayStart}…</code> (
            <span class="long-text">{key.name}</span>) before, at <Time atMs={key.createdAtMs} />.
            The key was shown then. We cannot show it again, because we store only a hash of it.
            Nothing new was created.
          </p>
        )}
        <p>If you did not copy the key, revoke it and create another one.</p>
        <p class="row actions">
          <a href={KEYS_PATH}>Your keys</a>
          {key?.revokedAtMs === null ? (
            <a href={`${KEYS_PATH}/${key.id}/revoke`}>Revoke this key</a>
          ) : null}
          <a href={`${KEYS_PATH}#new-title`}>Create another key</a>
        </p>
      </section>
    ),
  });
}

function curlLine(origin: string, apiKey: string): string {
  const body = { measurement: 'Stature', gender: 'Female', age: 30, percentile: 50, country: 'NL' };
  return [
    `curl ${origin}/v1/predict \\`,
    `  -H 'Authorization: Bearer ${apiKey}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
