import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { projectDir } from '../../core/project-dir.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import type { DocsPage, PageContext } from './page.js';

/** Parts of the documentation. */
export interface DocsParts {
  /** The model the examples are answered from. */
  readonly model: () => PredictionModel;
  readonly rateLimitMax: number;
  /** Where people reach the service, as `https://vitruvia.example`. */
  readonly publicUrl: () => string;
}

/** A page as it is sent, and what it was written with. */
interface Written {
  readonly from: string;
  readonly plain: Buffer;
  readonly packed: Buffer;
}

/** Folders whose pictures are served; a name stands in one of them only. */
const PICTURE_FOLDERS = ['accuracy', 'model'].map((name) => join(projectDir(), 'docs', name));
const PICTURES_PATH = '/docs/pictures';

/** Registers the documentation; each page is written when it is first asked for, and kept. */
export async function docsPages(app: FastifyInstance, parts: DocsParts): Promise<void> {
  const { PAGES } = await import('./index.js');
  const kept = new Map<string, Written>();

  async function written(page: DocsPage): Promise<Written> {
    const context = contextOf(parts);
    const from = `${context.model.artifactVersion} ${context.origin}`;
    const known = kept.get(page.path);
    if (known?.from === from) return known;
    const plain = Buffer.from(await pageHtml(page, context));
    const fresh = { from, plain, packed: gzipSync(plain) };
    kept.set(page.path, fresh);
    return fresh;
  }

  for (const page of PAGES) {
    app.get(page.path, async (request, reply) => {
      const { plain, packed } = await written(page);
      const zipped = takesGzip(request);
      if (zipped) reply.header('content-encoding', 'gzip');
      return reply
        .headers({ 'cache-control': 'no-cache', vary: 'accept-encoding' })
        .type('text/html; charset=utf-8')
        .send(zipped ? packed : plain);
    });
  }
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 301));
  pictureRoutes(app);
}

function contextOf({ model, rateLimitMax, publicUrl }: DocsParts): PageContext {
  return { model: model(), rateLimitMax, origin: publicUrl() };
}

async function pageHtml(page: DocsPage, context: PageContext): Promise<string> {
  const [{ renderMarkdown }, { DocsShell }, { renderPage }, { FILE_PAGES }] = await Promise.all([
    import('./markdown.js'),
    import('./shell.js'),
    import('../layout.js'),
    import('./index.js'),
  ]);
  const rendered = renderMarkdown(page.text(context), {
    pageOf(link) {
      const [file = '', anchor] = link.split('#');
      // Documents name each other from the root of the project or from docs/.
      const path = FILE_PAGES[file] ?? FILE_PAGES[`docs/${file}`];
      return path === undefined || anchor === undefined ? path : `${path}#${anchor}`;
    },
    pictureOf: (file) => {
      const [, name] = /^(?:accuracy|model)\/([\w-]+\.svg)$/.exec(file) ?? [];
      return name === undefined ? undefined : `${PICTURES_PATH}/${name}`;
    },
  });
  return renderPage(DocsShell({ page, rendered }));
}

/** The charts of the accuracy report and the figures of the model. */
function pictureRoutes(app: FastifyInstance): void {
  for (const folder of PICTURE_FOLDERS) {
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.svg'))) {
      app.get(`${PICTURES_PATH}/${name}`, async (_request, reply) => {
        const picture = await readFile(join(folder, name));
        return reply
          .headers({
            'cache-control': 'no-cache',
            'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
          })
          .type('image/svg+xml')
          .send(picture);
      });
    }
  }
}

function takesGzip(request: FastifyRequest): boolean {
  return /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
}
