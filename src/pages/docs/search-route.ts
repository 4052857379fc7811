import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { TextSearch, TextSection } from '../../search/text-search.js';
import { seemsSignedIn } from '../../site/headers.js';
import { sendHtml } from '../../site/responses.js';
import { GUIDES_PATH } from './guides.js';
import { OPERATORS_PATH } from './index.js';
import { type DocsPage, type PageContext, tellingBusy } from './page.js';
import { renderedText } from './rendered-text.js';
import { SEARCH_PATH } from './search-page.js';

const QUERY_CHARS_MAX = 200;
/**
 * Sections that are on most pages of their kind: errors, calls of clients and choices of clothing of operations, and the
 * calls of guides. There are so many that they would hide all other results.
 */
const REPEATED =
  /^\/docs\/(?:operations\/.*#(?:errors.*|python|typescript|mcp|clothing-and-posture)|guides\/.*#the-call)$/;
/**
 * Weights of sections by the start of their addresses. Guides come first. Few readers look for pages for operators. The
 * changelog names everything once, so it comes last.
 */
const WEIGHTS: readonly (readonly [start: string, weight: number])[] = [
  [GUIDES_PATH, 3],
  [OPERATORS_PATH, 0.4],
  ['/docs/changelog', 0.001],
];
/** Maximum number of sections that a search shows. */
const RESULTS_MAX = 20;

/**
 * Registers the search of the documentation. For each version of the model, the first search builds the
 * index.
 */
export function searchRoute(
  app: FastifyInstance,
  pages: readonly DocsPage[],
  contextOf: () => PageContext,
): void {
  let index: { readonly version: string; readonly search: Promise<TextSearch> } | undefined;
  app.get(SEARCH_PATH, async (request, reply) => {
    const context = contextOf();
    const version = context.model.artifactVersion;
    if (index?.version !== version) {
      const told = tellingBusy(context, () => {
        index = undefined;
      });
      index = { version, search: buildSearch(pages, told) };
    }
    // The index may be forgotten while this search waits for it.
    const { search } = index;
    const { q } = request.query as { q?: unknown };
    const query = typeof q === 'string' ? q.slice(0, QUERY_CHARS_MAX).trim() : '';
    const { searchPage } = await import('./search-page.js');
    const found = query === '' ? [] : (await search).find(query, RESULTS_MAX);
    reply.header('cache-control', 'private, no-cache');
    return sendHtml(reply, searchPage({ query, found, signedIn: seemsSignedIn(request) }));
  });
}

async function buildSearch(pages: readonly DocsPage[], context: PageContext): Promise<TextSearch> {
  const [{ TextSearch }, { sectionsOf }] = await Promise.all([
    import('../../search/text-search.js'),
    import('./sections.js'),
  ]);
  const sections: TextSection[] = [];
  for (const page of pages) {
    // Other requests are answered between two pages, because some examples take long to compute.
    await setImmediate();
    const [, weight] = WEIGHTS.find(([start]) => page.path.startsWith(start)) ?? [];
    for (const section of sectionsOf(page, await renderedText(page, context))) {
      if (!REPEATED.test(section.href))
        sections.push(weight === undefined ? section : { ...section, weight });
    }
  }
  return new TextSearch(sections);
}
