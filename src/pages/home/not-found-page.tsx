import { SearchForm } from '../docs/search-page.js';
import { Layout, renderPage } from '../layout.js';

/** The page for an address that does not exist, as HTML text. */
export function notFoundPage(signedIn: boolean): string {
  return renderPage(
    <Layout title="Page not found" signedIn={signedIn}>
      <div class="prose">
        <h1>Page not found</h1>
        <p>There is no page at this address. You can continue here:</p>
        <SearchForm />
        <ul>
          <li>
            <a href="/">Home page</a>
          </li>
          <li>
            <a href="/explore">Explore the measurements</a>
          </li>
          <li>
            <a href="/docs">Documentation</a>
          </li>
          <li>
            <a href="/docs/measurements">All measurements</a>
          </li>
          <li>
            <a href={signedIn ? '/account' : '/account/sign-in'}>
              {signedIn ? 'Your account' : 'Sign in'}
            </a>
          </li>
        </ul>
      </div>
    </Layout>,
  );
}
