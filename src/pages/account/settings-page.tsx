import type { ComponentChildren, VNode } from 'preact';
import { EMAIL_CHARS_MAX } from '../../accounts/email-address.js';
import type { SessionRecord, Visitor } from '../../accounts/sessions.js';
import { Layout, renderPage } from '../layout.js';
import { Time } from '../time.js';
import { accountPage } from './account-page.js';
import { browserName } from './browser-name.js';
import { Form, type FormFault, HiddenToken, TextField } from './forms.js';
import { NewPasswordField } from './stranger-pages.js';

/** The forms of the page. */
export type SettingsForm = 'email' | 'password' | 'delete';

/** What the page shows. */
export interface SettingsState {
  readonly visitor: Visitor;
  readonly sessions: readonly SessionRecord[];
  /** What has just been done: a name of `DONE`. */
  readonly done?: string | undefined;
  readonly failed?: { readonly form: SettingsForm; readonly fault: FormFault } | undefined;
}

const DONE: Readonly<Record<string, string>> = {
  password: 'Your password is changed. Other browsers are signed out.',
  mail: 'A link is on its way to the new address. Open it to confirm; until then the old one stays.',
  email: 'Your e-mail address is changed.',
  session: 'That browser is signed out.',
  sessions: 'All other browsers are signed out.',
};

/** The settings of whoever is signed in, as HTML text. */
export function settingsPage({ visitor, sessions, done = '', failed }: SettingsState): string {
  const notice = Object.hasOwn(DONE, done) ? DONE[done] : undefined;
  const faultOf = (form: SettingsForm) => (failed?.form === form ? failed.fault : undefined);
  const { csrfToken } = visitor;
  return accountPage({
    title: 'Settings',
    path: '/account/settings',
    visitor,
    children: (
      <div class="account-sections">
        {notice === undefined ? null : (
          <p class="notice good" role="status">
            {notice}
          </p>
        )}
        <EmailSection visitor={visitor} fault={faultOf('email')} />
        <PasswordSection csrfToken={csrfToken} email={visitor.email} fault={faultOf('password')} />
        <SessionsSection visitor={visitor} sessions={sessions} />
        <DeleteSection csrfToken={csrfToken} fault={faultOf('delete')} />
      </div>
    ),
  });
}

/** The page a link to a new address leads to, as HTML text. */
export function confirmEmailPage(visitor: Visitor, token: string): string {
  return renderPage(
    <Layout title="Confirm your e-mail" section="account" signedIn>
      <div class="account-narrow panel">
        <h1>Confirm your e-mail</h1>
        <p>Use the new address for your account from now on, in place of {visitor.email}?</p>
        <Form
          action="/account/confirm-email"
          csrfToken={visitor.csrfToken}
          hidden={{ token }}
          submit="Use the new address"
        >
          {null}
        </Form>
      </div>
    </Layout>,
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

function EmailSection({ visitor, fault }: FaultProps & { visitor: Visitor }): VNode {
  return (
    <Section id="e-mail" title="E-mail">
      <p>
        Your address is <strong class="long-text">{visitor.email}</strong>.
      </p>
      <Form
        action="/account/settings/email"
        csrfToken={visitor.csrfToken}
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
    </Section>
  );
}

type TokenProps = Pick<Visitor, 'csrfToken'>;

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
        {/* Tells password managers whose password this is. */}
        <input type="text" value={email} autoComplete="username" readOnly hidden />
        <OwnPassword id="old-password" label="Present password" fault={fault} />
        <NewPasswordField
          id="new-password"
          name="new_password"
          label="New password"
          fault={fault}
        />
      </Form>
      <p class="soft small">All other browsers are signed out then.</p>
    </Section>
  );
}

function SessionsSection({
  visitor,
  sessions,
}: Pick<SettingsState, 'visitor' | 'sessions'>): VNode {
  const { csrfToken, sessionId } = visitor;
  return (
    <Section id="sessions" title="Signed-in browsers">
      <div class="table-scroll">
        <table class="stacking">
          <thead>
            <tr>
              <th scope="col">Browser</th>
              <th scope="col">Signed in</th>
              <th scope="col">Last used</th>
              <th scope="col">
                <span class="visually-hidden">Sign out</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sessions.map(({ id, userAgent, createdAtMs, seenAtMs }) => (
              <tr key={id}>
                <th scope="row" title={userAgent}>
                  {browserName(userAgent)}
                </th>
                <td data-label="Signed in">
                  <Time atMs={createdAtMs} />
                </td>
                <td data-label="Last used">
                  <Time atMs={seenAtMs} />
                </td>
                <td data-label="">
                  {id === sessionId ? (
                    'this browser'
                  ) : (
                    <SessionButton csrfToken={csrfToken} session={id} label="Sign out" />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sessions.length < 2 ? null : (
        <SessionButton csrfToken={csrfToken} session="others" label="Sign out everywhere else" />
      )}
    </Section>
  );
}

function SessionButton(props: TokenProps & { session: string; label: string }): VNode {
  const { csrfToken, session, label } = props;
  return (
    <form method="post" action="/account/settings/sessions">
      <HiddenToken csrfToken={csrfToken} />
      <button type="submit" name="session" value={session}>
        {label}
      </button>
    </form>
  );
}

function DeleteSection({ csrfToken, fault }: FaultProps & TokenProps): VNode {
  return (
    <Section id="delete" title="Delete the account">
      <p>
        Your API keys stop working at once, credits left are lost, and your name, address and
        password are erased. Bookings stay in the ledger without a name. This cannot be undone.
      </p>
      <Form
        action="/account/settings/delete"
        csrfToken={csrfToken}
        fault={fault}
        submit="Delete my account"
        danger
      >
        <OwnPassword id="delete-password" label="Your password" fault={fault} />
      </Form>
    </Section>
  );
}

function OwnPassword({ id, label, fault }: FaultProps & { id: string; label: string }): VNode {
  return (
    <TextField
      name="password"
      id={id}
      label={label}
      type="password"
      autoComplete="current-password"
      fault={fault}
    />
  );
}
