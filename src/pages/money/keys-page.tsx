import type { VNode } from 'preact';
import type { CreatedKey, KeyRecord } from '../../accounts/keys.js';
import { OVERLAP_NAMES, OVERLAPS } from '../../accounts/overlaps.js';
import type { Visitor } from '../../accounts/sessions.js';
import type { KeyUsage } from '../../ledger/usage.js';
import { accountPage } from '../account/account-page.js';
import { Form, type FormFault, HiddenToken, TextField } from '../account/forms.js';
import { Time } from '../time.js';
import { count } from './format.js';

/** Path of the list of keys. */
export const KEYS_PATH = '/account/keys';
/** Revoked keys a page lists. */
const REVOKED_SHOWN = 50;

/** What the list of keys shows. */
export interface KeysState {
  readonly visitor: Visitor;
  readonly keys: readonly KeyRecord[];
  readonly usage: ReadonlyMap<string, KeyUsage>;
  /** What has just been done. */
  readonly done?: string | undefined;
  readonly failed?: { readonly name: string; readonly fault: FormFault } | undefined;
}

/** The keys of an account, as HTML text. */
export function keysPage({ visitor, keys, usage, done, failed }: KeysState): string {
  const good = keys.filter(({ revokedAtMs }) => revokedAtMs === null);
  const revoked = keys.filter(({ revokedAtMs }) => revokedAtMs !== null).reverse();
  return accountPage({
    title: 'API keys',
    path: KEYS_PATH,
    visitor,
    children: (
      <div class="account-sections">
        {done === 'revoked' ? (
          <p class="notice good" role="status">
            The key is revoked. It is refused within a second.
          </p>
        ) : null}
        <section class="panel" aria-labelledby="keys-title">
          <h2 id="keys-title">Your keys</h2>
          {good.length === 0 ? (
            <p>You have no key yet. Make one below.</p>
          ) : (
            <KeyTable keys={good} usage={usage} />
          )}
        </section>
        <CreateForm csrfToken={visitor.csrfToken} failed={failed} />
        {revoked.length === 0 ? null : (
          <details class="panel">
            <summary>{`Revoked keys (${count(revoked.length)})`}</summary>
            <KeyTable keys={revoked.slice(0, REVOKED_SHOWN)} usage={usage} />
          </details>
        )}
      </div>
    ),
  });
}

type ListProps = Pick<KeysState, 'keys' | 'usage'>;

function KeyTable({ keys, usage }: ListProps): VNode {
  return (
    <div class="table-scroll">
      <table class="stacking">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Made</th>
            <th scope="col">Last used</th>
            <th scope="col" class="number">
              Calls
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} record={key} used={usage.get(key.id)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function KeyRow(props: { readonly record: KeyRecord; readonly used: KeyUsage | undefined }): VNode {
  const { record, used } = props;
  return (
    <tr>
      <th scope="row" class="long-text">
        {record.name}
      </th>
      <td data-label="Key">
        <span>
          <code>{record.displayStart}…</code>{' '}
          <span class={`tag ${record.mode}`}>{record.mode}</span>
        </span>
      </td>
      <td data-label="Made">
        <Time atMs={record.createdAtMs} />
      </td>
      <td data-label="Last used">
        {used === undefined ? <span class="soft">never</span> : <Time atMs={used.lastAtMs} />}
      </td>
      <td data-label="Calls" class="number">
        {count(used?.calls ?? 0)}
      </td>
      <td data-label="State">
        <KeyState record={record} />
      </td>
    </tr>
  );
}

function KeyState({ record }: { readonly record: KeyRecord }): VNode {
  const { id, name, revokedAtMs, endsAtMs } = record;
  if (revokedAtMs !== null) {
    return (
      <span class="soft">
        revoked <Time atMs={revokedAtMs} />
      </span>
    );
  }
  return (
    <span class="actions">
      {endsAtMs === null ? (
        <a href={`${KEYS_PATH}/${id}/rotate`} aria-label={`Rotate ${name}`}>
          Rotate
        </a>
      ) : (
        <span>
          replaced, ends <Time atMs={endsAtMs} />
        </span>
      )}
      <a href={`${KEYS_PATH}/${id}/revoke`} aria-label={`Revoke ${name}`}>
        Revoke
      </a>
    </span>
  );
}

function CreateForm({
  csrfToken,
  failed,
}: Pick<KeysState, 'failed'> & Pick<Visitor, 'csrfToken'>): VNode {
  return (
    <section class="panel" aria-labelledby="new-title">
      <h2 id="new-title">New key</h2>
      <Form action={KEYS_PATH} csrfToken={csrfToken} fault={failed?.fault} submit="Make the key">
        <TextField
          name="name"
          label="Name"
          hint="What the key is for, such as the program that uses it."
          autoComplete="off"
          maxLength={100}
          {...(failed === undefined ? {} : { value: failed.name })}
          fault={failed?.fault}
        />
        <fieldset class="form-row">
          <legend class="label">What it spends</legend>
          <label class="choice">
            <input type="radio" name="mode" value="test" checked />
            <span>Test: test credits and test free calls; the answers are the same</span>
          </label>
          <label class="choice">
            <input type="radio" name="mode" value="live" />
            <span>Live: paid credits and free calls</span>
          </label>
        </fieldset>
      </Form>
    </section>
  );
}

/** The page that shows a new key, this once, as HTML text. */
export function newKeyPage(
  visitor: Visitor,
  made: CreatedKey,
  origin: string,
  old?: KeyRecord,
): string {
  const { apiKey, name, mode } = made;
  const ends = old?.revokedAtMs === null ? old.endsAtMs : null;
  return accountPage({
    title: 'Your new key',
    path: KEYS_PATH,
    visitor,
    entry: 'account/main.ts',
    children: (
      <div class="account-sections">
        <section class="panel">
          <p class="notice warning">
            Copy it now: the whole key is shown only here and only this once. We store no more than
            a fingerprint of it.
          </p>
          <p class="soft long-text">{`${name}, ${mode}`}</p>
          <p class="secret">
            <code id="api-key">{apiKey}</code>
            <button type="button" data-copy="api-key" hidden>
              Copy
            </button>
            <span role="status" data-copied hidden>
              Copied
            </span>
          </p>
          {old === undefined ? null : (
            <p>
              {'The old key, '}
              <code>{old.displayStart}…</code>
              {ends === null ? ', is revoked.' : ', goes on until '}
              {ends === null ? null : <Time atMs={ends} />}
            </p>
          )}
          <h2>Try it</h2>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
          <pre tabIndex={0}>{curlLine(origin, apiKey)}</pre>
          <p>
            <a href={KEYS_PATH}>I have copied it</a>
          </p>
        </section>
      </div>
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

/** The page that asks how a key is to be rotated, as HTML text. */
export function rotatePage(visitor: Visitor, key: KeyRecord): string {
  return accountPage({
    title: 'Rotate a key',
    path: KEYS_PATH,
    visitor,
    children: (
      <section class="panel">
        <p>
          A new key takes the place of <strong class="long-text">{key.name}</strong> (
          <code>{key.displayStart}…</code>). Both are good until the old one ends by itself, so that
          you have time to put the new one in its place.
        </p>
        <Form
          action={`${KEYS_PATH}/${key.id}/rotate`}
          csrfToken={visitor.csrfToken}
          submit="Make the new key"
        >
          <fieldset class="form-row">
            <legend class="label">The old key ends</legend>
            {OVERLAP_NAMES.map((name) => (
              <label key={name} class="choice">
                <input type="radio" name="ends" value={name} checked={name === '24h'} />
                <span>{OVERLAPS[name].label}</span>
              </label>
            ))}
          </fieldset>
        </Form>
        <p>
          <a href={KEYS_PATH}>Leave it as it is</a>
        </p>
      </section>
    ),
  });
}

/** The page that asks whether a key is to be revoked, as HTML text. */
export function revokePage(visitor: Visitor, key: KeyRecord): string {
  return accountPage({
    title: 'Revoke a key',
    path: KEYS_PATH,
    visitor,
    children: (
      <section class="panel">
        <p>
          Revoke <strong class="long-text">{key.name}</strong> (<code>{key.displayStart}…</code>)?
          Programs that use it are refused within a second. This cannot be undone.
        </p>
        <form method="post" action={`${KEYS_PATH}/${key.id}/revoke`} class="account-form">
          <HiddenToken csrfToken={visitor.csrfToken} />
          <button type="submit" class="danger">
            Revoke the key
          </button>
        </form>
        <p>
          <a href={KEYS_PATH}>Keep it</a>
        </p>
      </section>
    ),
  });
}
