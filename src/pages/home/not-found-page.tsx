import { Layout, renderPage } from '../../site/layout.js';
import { SearchForm } from '../docs/search-page.js';

/** The page for an address that does not exist, as HTML text. */
export function notFoundPage(signedIn: boolean): string {
  const links = [
    ['/', 'Home page'],
    ['/explore', 'Explore the measurements'],
    ['/docs', 'Documentation'],
    ['/docs/measurements', 'All measurements'],
    signedIn ? ['/account', 'Your account'] : ['/account/sign-in', 'Sign in'],
  ] as const;
  return renderPage(
    <Layout title="Page not found" signedIn={signedIn}>
      <div class="prose">
        <h1>Page not found</h1>
        <p>There is no page at this address. You can continue here:</p>
        <SearchForm />
        <ul>
          {links.map(([href, label]) => (
            <li key={href}>
              <a href={href}>{label}</a>
            </li>
          ))}
        </ul>
      </div>
    </Layout>,
  );
}
