import type { TextSection } from '../../search/text-search.js';
import type { Rendered } from './markdown.js';
import type { DocsPage } from './page.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
};

/** The sections of a rendered page, for the search: its start and each part under a heading. */
export function sectionsOf({ path, title }: DocsPage, { html, headings }: Rendered): TextSection[] {
  const starts = headings
    .filter(({ level }) => level <= 3)
    .map(({ id, text }) => ({ text, id, at: html.indexOf(`id="${id}"`) }))
    .filter(({ at }) => at >= 0);
  const first = starts[0]?.at ?? html.length;
  const parts = starts.map(({ id, text, at }, index) => ({
    href: `${path}#${id}`,
    title: `${title}: ${text}`,
    text: plain(html.slice(html.indexOf('>', at) + 1, starts[index + 1]?.at ?? html.length)),
  }));
  return [{ href: path, title, text: plain(html.slice(0, first)) }, ...parts];
}

function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*(?:>|$)/g, ' ')
    .replaceAll(/&(?:lt|gt|amp|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
