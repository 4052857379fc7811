import { SERVICE_DESCRIPTION } from '../../operations/catalog.js';
import { DOCS, PAGES } from './index.js';
import type { DocsPage, PageContext } from './page.js';
import { blocks } from './write.js';

// The documentation for language models (https://llmstxt.org).

/**
 * Pages that `llms-full.txt` leaves out: reports on the model, and the history, which are ten times as long as the rest;
 * and the list of guides, which are in the file themselves.
 */
const LEFT_OUT: readonly string[] = [
  '/docs/model',
  '/docs/sources',
  '/docs/accuracy',
  '/docs/changelog',
  '/docs/guides',
];

const HEAD = ['# Vitruvia', `> ${SERVICE_DESCRIPTION}`];

/** The text of `llms.txt`: a list of the pages with links. */
export function llmsIndex({ origin }: PageContext): string {
  const line = ({ path, title, summary }: DocsPage) => `- [${title}](${origin}${path}): ${summary}`;
  const groups = DOCS.flatMap(({ title, pages }) => [`## ${title}`, pages.map(line).join('\n')]);
  const machine = [
    `- [OpenAPI](${origin}/openapi.json): the routes, as a machine reads them.`,
    `- [Catalog](${origin}/): operations, measurements and countries as JSON.`,
    `- [All texts](${origin}/llms-full.txt): the pages above in one file, without the reports on the model.`,
  ];
  return `${blocks(...HEAD, ...groups, '## Files', machine.join('\n'))}\n`;
}

/** The text of `llms-full.txt`: all its pages in one file. */
export async function llmsFull(context: PageContext): Promise<string> {
  const pages = PAGES.filter(({ path }) => !LEFT_OUT.includes(path));
  const texts: string[] = [];
  // One after the other, because few computations of a page may wait at once.
  for (const page of pages) {
    texts.push(blocks(`# ${page.title}`, await page.text({ ...context, isShort: true })));
  }
  return `${blocks(...HEAD, ...texts)}\n`;
}
