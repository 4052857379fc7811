import type { Rendered } from './markdown.js';
import type { DocsPage, PageContext } from './page.js';

/** Address of the pictures of the documentation. */
export const PICTURES_PATH = '/docs/pictures';

/** The text of a page as HTML, with links to other pages and to pictures. */
export async function renderedText(page: DocsPage, context: PageContext): Promise<Rendered> {
  const [{ renderMarkdown }, { FILE_PAGES }] = await Promise.all([
    import('./markdown.js'),
    import('./index.js'),
  ]);
  return renderMarkdown(page.text(context), {
    pageOf(link) {
      const [file = '', anchor] = link.split('#');
      // Documents refer to each other relative to the project root or to docs/.
      const path = FILE_PAGES[file] ?? FILE_PAGES[`docs/${file}`];
      return path === undefined || anchor === undefined ? path : `${path}#${anchor}`;
    },
    pictureOf: (file) => {
      const [, name] = /^(?:accuracy|model)\/([\w-]+\.svg)$/.exec(file) ?? [];
      return name === undefined ? undefined : `${PICTURES_PATH}/${name}`;
    },
  });
}
