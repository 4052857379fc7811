import type { VNode } from 'preact';
import { findNotCovered } from '../../search/not-covered.js';
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

/** The results of a search of the documentation, as HTML text. */
export function searchPage({ query, found, signedIn }: SearchState): string {
  return renderPage(
    <Layout title="Search the documentation" section="docs" signedIn={signedIn}>
      <div class="prose">
        <h1>Search the documentation</h1>
        <SearchForm query={query} />
        {query === '' ? null : (
          <p class="long-text" role="status">
            {found.length === 0
              ? `Nothing was found for “${query}”. Try fewer or other words.`
              : `${found.length} ${found.length === 1 ? 'section' : 'sections'} for “${query}”`}
          </p>
        )}
        {findNotCovered(query).map(({ need, nearest }) => (
          <p key={need} class="notice">
            {`Not covered: ${need}. ${nearest}`}
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
