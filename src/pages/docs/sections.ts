import type { TextSection } from '../../search/text-search.js';
import { type Rendered, withoutEntities } from './markdown.js';
import type { DocsPage } from './page.js';

/**
 * The sections of a rendered page for the search: its start, and the part under each heading. If a page has a
 * heading several times, such as `Service` in the changelog, the title also names the heading above.
 */
export function sectionsOf({ path, title }: DocsPage, { html, headings }: Rendered): TextSection[] {
  const starts = headings
    .filter(({ level }) => level <= 3)
    .map(({ id, text, level }) => ({ text, level, id, at: html.indexOf(`id="${id}"`) }))
    .filter(({ at }) => at >= 0);
  const times = new Map<string, number>();
  for (const { text } of starts) times.set(text, (times.get(text) ?? 0) + 1);
  let above = '';
  const names = starts.map(({ text, level }) => {
    if (level === 2) above = text;
    return level === 3 && times.get(text) !== 1 ? `${above}, ${text}` : text;
  });
  const first = starts[0]?.at ?? html.length;
  const parts = starts.map(({ id, at }, index) => ({
    href: `${path}#${id}`,
    title: `${title}: ${names[index]}`,
    text: plain(html.slice(endOfHeading(html, at), starts[index + 1]?.at ?? html.length)),
  }));
  return [{ href: path, title, text: plain(html.slice(0, first)) }, ...parts];
}

/** Position after the heading, where its text begins. The heading itself is the title of the section. */
function endOfHeading(html: string, at: number): number {
  const end = /<\/h\d>/g;
  end.lastIndex = at;
  const found = end.exec(html);
  return found === null ? at : found.index + found[0].length;
}

/** Tags inside a line, which do not part words. */
const INLINE_TAGS = /<\/?(?:a|code|em|span|strong)\b[^>]*>/g;

function plain(html: string): string {
  const text = html.replaceAll(INLINE_TAGS, '').replaceAll(/<[^>]*(?:>|$)/g, ' ');
  return withoutEntities(text).replaceAll(/\s+/g, ' ').trim();
}
