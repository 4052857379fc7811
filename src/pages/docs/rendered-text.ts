import { posix } from 'node:path';
import { SCENE_SIZE, SCREEN_PATHS, shareImagePath } from '../../site/paths.js';
import { projectFile } from './files.js';
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
/** Paths of the pictures of views. */
const SCENES: ReadonlySet<string> = new Set(
  Object.values(SCREEN_PATHS).map((path) => shareImagePath(path, 'scene')),
);
const PICTURE = /^model\/([\w-]+\.svg)$/;

/** The text of a page as HTML, with links to other pages and to pictures. */
export async function renderedText(page: DocsPage, context: PageContext): Promise<Rendered> {
  const [{ renderMarkdown }, { FILE_PAGES, LINKS, PAGES }] = await Promise.all([
    import('./markdown.js'),
    import('./index.js'),
  ]);
  return renderMarkdown(await page.text(context), {
    pageOf(link) {
      if (Object.hasOwn(SECTIONS, link)) return SECTIONS[link];
      const [file = '', anchor] = link.split('#');
      // Documents name each other relative to the project root, to docs/ or to docs/guides/.
      const path = ['', 'docs', 'docs/guides']
        .map((folder) => FILE_PAGES.get(posix.join(folder, file)))
        .find((one) => one !== undefined);
      const found = [...PAGES, ...LINKS].find((one) => one.path === (path ?? file));
      if (found === undefined) return undefined;
      const href = anchor === undefined ? found.path : `${found.path}#${anchor}`;
      return { href, title: found.title };
    },
    pictureOf: (file) => {
      if (SCENES.has(file.split('?', 1)[0] ?? '')) return { href: file, ...SCENE_SIZE };
      const [, name] = PICTURE.exec(file) ?? [];
      if (name === undefined) return undefined;
      const [, width = 0, height = 0] =
        /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(projectFile(`docs/${file}`)) ?? [];
      return { href: `${PICTURES_PATH}/${name}`, width: Number(width), height: Number(height) };
    },
  });
}
