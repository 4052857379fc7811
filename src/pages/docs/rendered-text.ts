import type { PagePlace, Rendered } from './markdown.js';
import type { DocsPage, PageContext } from './page.js';

/** Address of the pictures of the documentation. */
export const PICTURES_PATH = '/docs/pictures';

/** Sections of documents that have no page, and the place of their content on the site. */
const SECTIONS: Readonly<Record<string, PagePlace>> = {
  'api.md#idempotency': {
    href: '/docs/billing#a-repeat-costs-nothing',
    title: 'Billing and limits',
  },
};
const PICTURE = /^model\/([\w-]+\.svg)$/;

/** The text of a page as HTML, with links to other pages and to pictures. */
export async function renderedText(page: DocsPage, context: PageContext): Promise<Rendered> {
  const [{ renderMarkdown }, { FILE_PAGES, LINKS, PAGES }] = await Promise.all([
    import('./markdown.js'),
    import('./index.js'),
  ]);
  return renderMarkdown(page.text(context), {
    pageOf(link) {
      if (Object.hasOwn(SECTIONS, link)) return SECTIONS[link];
      const [file = '', anchor] = link.split('#');
      // Documents name each other relative to the project root or to docs/.
      const path = FILE_PAGES.get(file) ?? FILE_PAGES.get(`docs/${file}`);
      const found = [...PAGES, ...LINKS].find((one) => one.path === (path ?? file));
      if (found === undefined) return undefined;
      const href = anchor === undefined ? found.path : `${found.path}#${anchor}`;
      return { href, title: found.title };
    },
    pictureOf: (file) => {
      const [, name] = PICTURE.exec(file) ?? [];
      return name === undefined ? undefined : `${PICTURES_PATH}/${name}`;
    },
  });
}
