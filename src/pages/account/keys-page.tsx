import type { VNode } from 'preact';
import { OVERLAP_NAMES, OVERLAPS } from '../../accounts/key-rotation.js';
import type { KeyRecord } from '../../accounts/keys.js';
import type { SignedInUser } from '../../accounts/sessions.js';
import type { KeyUsage } from '../../ledger/usage.js';
import { DataTable } from '../../screens/shared/table.js';
import { count, Time } from '../format.js';
import { accountPage } from './account-page.js';
import { Done, Form, type FormFault, TextField } from './forms.js';

/** Path of the API keys. */
export const KEYS_PATH = '/account/keys';
/** Most revoked keys on the page. */
const REVOKED_SHOWN = 50;

/** Content of the page of API keys. */
export interface KeysState {
  readonly user: SignedInUser;
  readonly keys: readonly KeyRecord[];
  readonly usage: ReadonlyMap<string, KeyUsage>;
  /** One-time token of the form for a new key. */
  readonly once: string;
  /** The change that the page confirms at the top: a key of `DONE`. */
  readonly done?: string | undefined;
  readonly failed?: { readonly name: string; readonly fault: FormFault } | undefined;
}

const DONE: Readonly<Record<string, string>> = {
  revoked: 'The key is revoked. It stops working within a second.',
  confirmed: 'Your e-mail address is confirmed. You can now create live keys and buy credits.',
  shown:
    'You are signed up. Your first test key was shown once and cannot be shown again, because we store only a hash of it. If you did not copy it, create another key below.',
};

/** The API keys of an account, as HTML text. */
export function keysPage({ user, keys, usage, once, done, failed }: KeysState): string {
  const active = keys.filter(({ revokedAtMs }) => revokedAtMs === null);
  const revoked = keys.filter(({ revokedAtMs }) => revokedAtMs !== null).reverse();
  return accountPage({
    title: 'API keys',
    path: KEYS_PATH,
    user,
    entry: 'web/account/main.ts',
    children: (
      <div class="account-sections">
        <p class="notice own-key" data-kept-key={testStarts(active)} hidden>
          Your test key <code /> is in the examples that this browser shows.{' '}
          <button type="button">Forget it</button>
        </p>
        <Done texts={DONE} done={done} />
        <section class="panel" aria-labelledby="keys-title">
          <h2 id="keys-title">Your keys</h2>
          {active.length === 0 ? (
            <p>You have no API key yet. Create one below.</p>
          ) : (
            <KeyTable label="Table of your keys" keys={active} usage={usage} />
          )}
        </section>
        <CreateForm user={user} once={once} failed={failed} />
        {revoked.length === 0 ? null : (
          <details class="panel">
            <summary>{`Revoked keys (${count(revoked.length)})`}</summary>
            <KeyTable label="Revoked keys" keys={revoked.slice(0, REVOKED_SHOWN)} usage={usage} />
          </details>
        )}
      </div>
    ),
  });
}

/** The first characters of the test keys. The script needs them to find the key that the examples show. */
function testStarts(keys: readonly KeyRecord[]): string {
  const test = keys.filter(({ mode }) => mode === 'test');
  return test.map(({ displayStart }) => displayStart).join(' ');
}

type ListProps = Pick<KeysState, 'keys' | 'usage'> & { readonly label: string };

function KeyTable({ label, keys, usage }: ListProps): VNode {
  return (
    <DataTable
      stacks
      label={label}
      head={['Name', 'Key', 'Created', 'Last used', 'Calls', 'State']}
      texts={['Key', 'Created', 'Last used', 'State']}
      rows={keys.map((key) => {
        const used = usage.get(key.id);
        return [
          <span class="long-text">{key.name}</span>,
          <span>
            <code>{key.displayStart}…</code> <span class={`tag ${key.mode}`}>{key.mode}</span>
          </span>,
          <Time atMs={key.createdAtMs} />,
          used === undefined ? <span class="soft">never</span> : <Time atMs={used.lastAtMs} />,
          count(used?.calls ?? 0),
          <KeyState record={key} />,
        ];
      })}
    />
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
    <span class="row actions">
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

function CreateForm({ user, once, failed }: Pick<KeysState, 'user' | 'once' | 'failed'>): VNode {
  const confirmed = user.confirmByMs === null;
  return (
    <section class="panel" aria-labelledby="new-title">
      <h2 id="new-title">New key</h2>
      <Form
        action={KEYS_PATH}
        csrfToken={user.csrfToken}
        once={once}
        fault={failed?.fault}
        submit="Create key"
      >
        <TextField
          name="name"
          label="Name"
          hint="What you use the key for, such as the name of a program."
          autoComplete="off"
          maxLength={100}
          {...(failed === undefined ? {} : { value: failed.name })}
          fault={failed?.fault}
        />
        <fieldset class="form-row">
          <legend class="label">Mode</legend>
          <label class="choice">
            <input type="radio" name="mode" value="test" checked />
            <span>Test: uses test credits and free test calls; the answers are the same</span>
          </label>
          <label class="choice">
            <input type="radio" name="mode" value="live" disabled={!confirmed} />
            <span>
              Live: uses paid credits and free live calls
              {confirmed ? '' : ' (after you confirm your e-mail address)'}
            </span>
          </label>
        </fieldset>
      </Form>
    </section>
  );
}

/** The form to rotate a key, as HTML text. */
export function rotatePage(user: SignedInUser, key: KeyRecord, once: string): string {
  return accountPage({
    title: 'Rotate a key',
    path: KEYS_PATH,
    user,
    children: (
      <section class="panel">
        <p>
          You get a new key that replaces <strong class="long-text">{key.name}</strong> (
          <code>{key.displayStart}…</code>). Both keys work until the old one ends, so that you have
          time to switch your programs to the new key.
        </p>
        <Form
          action={`${KEYS_PATH}/${key.id}/rotate`}
          csrfToken={user.csrfToken}
          once={once}
          submit="Create new key"
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
          <a href={KEYS_PATH}>Cancel</a>
        </p>
      </section>
    ),
  });
}

/** The page that asks for confirmation before a key is revoked, as HTML text. */
export function revokePage(user: SignedInUser, key: KeyRecord): string {
  return accountPage({
    title: 'Revoke a key',
    path: KEYS_PATH,
    user,
    children: (
      <section class="panel">
        <p>
          Do you want to revoke <strong class="long-text">{key.name}</strong> (
          <code>{key.displayStart}…</code>)? Programs that use it stop working within a second. You
          cannot undo this.
        </p>
        <Form
          action={`${KEYS_PATH}/${key.id}/revoke`}
          csrfToken={user.csrfToken}
          class="account-form"
          submit="Revoke the key"
          look="danger"
        />
        <p>
          <a href={KEYS_PATH}>Keep the key</a>
        </p>
      </section>
    ),
  });
}
