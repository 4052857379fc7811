import type { ComponentChildren, VNode } from 'preact';
import type { SignedInUser } from '../../accounts/sessions.js';
import { Layout, renderPage } from '../layout.js';
import { HiddenToken } from './forms.js';

/** The pages of an account, in the order of its navigation. */
const ACCOUNT_PAGES = [
  { href: '/account/keys', label: 'Keys' },
  { href: '/account/credits', label: 'Credits' },
  { href: '/account/usage', label: 'Usage' },
  { href: '/account/ledger', label: 'Ledger' },
  { href: '/account/settings', label: 'Settings' },
] as const;

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
      <div class="account-head">
        <p class="account-name" title={user.email}>
          {user.name}
        </p>
        <nav class="account-nav" aria-label="Account">
          {ACCOUNT_PAGES.map(({ href, label }) => (
            <a key={href} href={href} aria-current={href === path ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <SignOut csrfToken={user.csrfToken} />
      </div>
      <h1>{title}</h1>
      {children}
    </Layout>,
  );
}

function SignOut({ csrfToken }: Pick<SignedInUser, 'csrfToken'>): VNode {
  return (
    <form method="post" action="/account/sign-out">
      <HiddenToken csrfToken={csrfToken} />
      <button type="submit">Sign out</button>
    </form>
  );
}
