import type { ComponentChildren, VNode } from 'preact';
import type { SignedInUser } from '../../accounts/sessions.js';
import { Layout, renderPage } from '../../site/layout.js';
import { Time } from '../format.js';
import { Form } from './forms.js';

/** The pages of an account, in the order of its navigation. */
const ACCOUNT_PAGES = [
  { href: '/account/keys', label: 'Keys' },
  { href: '/account/credits', label: 'Credits' },
  { href: '/account/usage', label: 'Usage' },
  { href: '/account/ledger', label: 'Ledger' },
  { href: '/account/settings', label: 'Settings' },
] as const;

/** Path of the form that sends the link to confirm an address again. */
export const CONFIRM_AGAIN_PATH = '/account/confirm-again';

/** Properties of an account page. */
export interface AccountPageProps {
  readonly title: string;
  /** Path of the page, to mark it in the navigation. */
  readonly path: string;
  readonly user: SignedInUser;
  /** Script of the page, as in `LayoutProps`. */
  readonly entry?: string | undefined;
  readonly children: ComponentChildren;
}

/** A page of the signed-in user's account, as HTML text. */
export function accountPage(props: AccountPageProps): string {
  const { title, path, user, entry, children } = props;
  return renderPage(
    <Layout title={title} section="account" entry={entry} signedIn>
      <div class="row account-head">
        <p class="account-name" title={`${user.name}, ${user.email}`}>
          {user.name}
        </p>
        <nav class="row account-nav" aria-label="Account">
          {ACCOUNT_PAGES.map(({ href, label }) => (
            <a key={href} href={href} aria-current={href === path ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <Form
          action="/account/sign-out"
          csrfToken={user.csrfToken}
          submit="Sign out"
          look="plain"
        />
      </div>
      {user.confirmByMs === null ? null : <Unconfirmed user={user} byMs={user.confirmByMs} />}
      <h1>{title}</h1>
      {children}
    </Layout>,
  );
}

function Unconfirmed(props: { readonly user: SignedInUser; readonly byMs: number }): VNode {
  const { user, byMs } = props;
  return (
    <div class="notice warning unconfirmed">
      <p>
        Confirm your e-mail address to create live keys and to buy credits: open the link that we
        sent to <strong class="long-text">{user.email}</strong>. Test keys work already. Without the
        confirmation, this account is deleted after <Time atMs={byMs} />, and you can use it in this
        browser only.
      </p>
      <Form
        action={CONFIRM_AGAIN_PATH}
        csrfToken={user.csrfToken}
        submit="Send the link again"
        look="plain"
      />
    </div>
  );
}
