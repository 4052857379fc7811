import type { ComponentChildren, VNode } from 'preact';
import type { Visitor } from '../../accounts/sessions.js';
import { Layout, renderPage } from '../layout.js';
import { HiddenToken } from './forms.js';

/** Pages of an account, as its header lists them. */
const ACCOUNT_PAGES = [
  { href: '/account/keys', label: 'Keys' },
  { href: '/account/credits', label: 'Credits' },
  { href: '/account/usage', label: 'Usage' },
  { href: '/account/ledger', label: 'Ledger' },
  { href: '/account/settings', label: 'Settings' },
] as const;

/** What a page of an account says of itself. */
export interface AccountPageProps {
  readonly title: string;
  /** Path of the page, to mark it in the list. */
  readonly path: string;
  readonly visitor: Visitor;
  /** Script of the page, as `Layout` takes it. */
  readonly entry?: string | undefined;
  readonly children: ComponentChildren;
}

/** A page of the account of whoever is signed in, as HTML text. */
export function accountPage(props: AccountPageProps): string {
  const { title, path, visitor, entry, children } = props;
  return renderPage(
    <Layout title={title} section="account" entry={entry} signedIn>
      <div class="account-head">
        <p class="account-name" title={visitor.email}>
          {visitor.name}
        </p>
        <nav class="account-nav" aria-label="Account">
          {ACCOUNT_PAGES.map(({ href, label }) => (
            <a key={href} href={href} aria-current={href === path ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <SignOut csrfToken={visitor.csrfToken} />
      </div>
      <h1>{title}</h1>
      {children}
    </Layout>,
  );
}

function SignOut({ csrfToken }: Pick<Visitor, 'csrfToken'>): VNode {
  return (
    <form method="post" action="/account/sign-out">
      <HiddenToken csrfToken={csrfToken} />
      <button type="submit">Sign out</button>
    </form>
  );
}
