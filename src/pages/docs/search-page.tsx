import type { VNode } from 'preact';
import { findInCatalog, linesOf } from '../../search/catalog-search.js';
import type { FoundSection } from '../../search/text-search.js';
import { Layout, renderPage } from '../../site/layout.js';

/** Path of the search of the documentation. */
export const SEARCH_PATH = '/docs/search';

/** Content of the page of search results. */
export interface SearchState {
  readonly query: string;
  readonly found: readonly FoundSection[];
  readonly signedIn: boolean;
}

/** Maximum number of measurements that are shown if no section is found, for example for words of other languages. */
const MEASUREMENTS_MAX = 5;

/** The results of a search of the documentation, as HTML text. */
export function searchPage({ query, found: sections, signedIn }: SearchState): string {
  const catalog = findInCatalog(query);
  const measurements = catalog.measurements.slice(0, MEASUREMENTS_MAX);
  const found =
    sections.length > 0 || query === ''
      ? sections
      : measurements.map(({ name, definition }) => ({
          section: { href: `/explore/dimension?measurement=${name}`, title: name },
          excerpt: definition,
        }));
  return renderPage(
    <Layout title="Search the documentation" section="docs" signedIn={signedIn}>
      <div class="prose">
        <h1>Search the documentation</h1>
        <SearchForm query={query} />
        {query === '' ? null : (
          <p class="long-text" role="status">
            {found.length === 0
              ? `Nothing was found for “${query}”. Try fewer or other words.`
              : `${found.length} ${found.length === 1 ? 'result' : 'results'} for “${query}”`}
          </p>
        )}
        {linesOf(catalog).map((line) => (
          <p key={line} class="notice">
            {line}
          </p>
        ))}
        <ol class="docs-found">
          {found.map(({ section: { href, title }, excerpt }) => (
            <li key={href}>
              <a href={href}>{title}</a>
              <p class="soft">{excerpt}</p>
            </li>
          ))}
        </ol>
      </div>
    </Layout>,
  );
}

/** The search field of the documentation. It works without scripts. */
export function SearchForm({ query = '' }: { readonly query?: string }): VNode {
  return (
    <search>
      <form class="docs-search" method="get" action={SEARCH_PATH}>
        <label>
          <span class="visually-hidden">Search the documentation</span>
          <input type="search" name="q" value={query} maxLength={200} placeholder="Search" />
        </label>
        <button type="submit">Search</button>
      </form>
    </search>
  );
}
