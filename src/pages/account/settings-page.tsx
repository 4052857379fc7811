import type { ComponentChildren, VNode } from 'preact';
import { EMAIL_CHARS_MAX } from '../../accounts/email-address.js';
import type { SessionRecord, SignedInUser } from '../../accounts/sessions.js';
import { DataTable } from '../../screens/shared/table.js';
import { Time } from '../format.js';
import { accountPage } from './account-page.js';
import { Done, Form, type FormFault, TextField } from './forms.js';
import { NewPasswordField, narrowPage, OwnPassword } from './sign-in-pages.js';

/** The forms of the settings page. */
export type SettingsForm = 'email' | 'password' | 'delete';

/** Content of the settings page. */
export interface SettingsState {
  readonly user: SignedInUser;
  readonly sessions: readonly SessionRecord[];
  /** The change that the page confirms at the top: a key of `DONE`. */
  readonly done?: string | undefined;
  readonly failed?: { readonly form: SettingsForm; readonly fault: FormFault } | undefined;
}

const DONE: Readonly<Record<string, string>> = {
  password: 'Your password was changed. All other browsers are signed out.',
  mail: 'We sent a link to the new address. Open it to confirm the change. Until then, your old address stays in use.',
  email: 'Your e-mail address was changed.',
  session: 'That browser is signed out.',
  sessions: 'All other browsers are signed out.',
};

/** The settings of the signed-in user, as HTML text. */
export function settingsPage({ user, sessions, done, failed }: SettingsState): string {
  const faultOf = (form: SettingsForm) => (failed?.form === form ? failed.fault : undefined);
  const { csrfToken } = user;
  return accountPage({
    title: 'Settings',
    path: '/account/settings',
    user,
    children: (
      <div class="account-sections">
        <Done texts={DONE} done={done} />
        <EmailSection user={user} fault={faultOf('email')} />
        <PasswordSection csrfToken={csrfToken} email={user.email} fault={faultOf('password')} />
        <SessionsSection user={user} sessions={sessions} />
        <DeleteSection csrfToken={csrfToken} fault={faultOf('delete')} />
      </div>
    ),
  });
}

/** The page that an e-mailed link opens to confirm a new address, as HTML text. */
export function confirmEmailPage(user: SignedInUser, token: string): string {
  return narrowPage(
    'Confirm your e-mail',
    <>
      <p>Do you want to replace {user.email} with the new address?</p>
      <Form
        action="/account/confirm-email"
        csrfToken={user.csrfToken}
        hidden={{ token }}
        class="account-form"
        submit="Use the new address"
      />
    </>,
    true,
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Section({ id, title, children }: SectionProps): VNode {
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface FaultProps {
  readonly fault: FormFault | undefined;
}

function EmailSection({ user, fault }: FaultProps & { user: SignedInUser }): VNode {
  return (
    <Section id="e-mail" title="E-mail">
      <p>
        Your address is <strong class="long-text">{user.email}</strong>.
      </p>
      {user.confirmByMs === null ? (
        <Form
          action="/account/settings/email"
          csrfToken={user.csrfToken}
          fault={fault}
          submit="Change the address"
        >
          <TextField
            name="email"
            id="new-email"
            label="New e-mail address"
            type="email"
            autoComplete="email"
            maxLength={EMAIL_CHARS_MAX}
            fault={fault}
          />
          <OwnPassword id="email-password" label="Your password" fault={fault} />
        </Form>
      ) : (
        <p>You can change the address after you have confirmed it.</p>
      )}
    </Section>
  );
}

type TokenProps = Pick<SignedInUser, 'csrfToken'>;

function PasswordSection(props: FaultProps & TokenProps & { email: string }): VNode {
  const { csrfToken, email, fault } = props;
  return (
    <Section id="password" title="Password">
      <Form
        action="/account/settings/password"
        csrfToken={csrfToken}
        fault={fault}
        submit="Change the password"
      >
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" value={email} autoComplete="username" readOnly hidden />
        <OwnPassword id="old-password" label="Current password" fault={fault} />
        <NewPasswordField
          id="new-password"
          name="new_password"
          label="New password"
          fault={fault}
        />
      </Form>
      <p class="soft small">Changing the password signs out all other browsers.</p>
    </Section>
  );
}

function SessionsSection({ user, sessions }: Pick<SettingsState, 'user' | 'sessions'>): VNode {
  const { csrfToken, sessionId } = user;
  const end = (session: string, submit: string) => (
    <Form
      action="/account/settings/sessions"
      {...{ csrfToken, hidden: { session }, submit, look: 'plain' }}
    />
  );
  return (
    <Section id="sessions" title="Signed-in browsers">
      <DataTable
        stacks
        label="Table of signed-in browsers"
        head={['Browser', 'Signed in', 'Last used', <span class="visually-hidden">Sign out</span>]}
        texts="all"
        rows={sessions.map(({ id, userAgent, createdAtMs, seenAtMs }) => [
          <span title={userAgent}>{browserName(userAgent)}</span>,
          <Time atMs={createdAtMs} />,
          <Time atMs={seenAtMs} />,
          id === sessionId ? 'this browser' : end(id, 'Sign out'),
        ])}
      />
      {sessions.length < 2 ? null : end('others', 'Sign out everywhere else')}
    </Section>
  );
}

function DeleteSection({ csrfToken, fault }: FaultProps & TokenProps): VNode {
  return (
    <Section id="delete" title="Delete your account">
      <p>
        Your API keys stop working immediately. You lose your remaining credits. We erase your name,
        e-mail address and password. Ledger entries stay, without your name. You cannot undo this.
      </p>
      <Form
        action="/account/settings/delete"
        csrfToken={csrfToken}
        fault={fault}
        submit="Delete my account"
        look="danger"
      >
        <OwnPassword id="delete-password" label="Your password" fault={fault} />
      </Form>
    </Section>
  );
}

// The order matters, because most browsers also name other browsers in `User-Agent`.
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['CriOS', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** A name for a browser from its `User-Agent`, such as `Firefox on Linux`. Anyone can fake the header. */
function browserName(userAgent: string): string {
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([sign]) => userAgent.includes(sign))?.[1];
  const [browser, system] = [find(BROWSERS) ?? 'Unknown browser', find(SYSTEMS)];
  return system === undefined ? browser : `${browser} on ${system}`;
}
