import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { projectDir } from '../../core/project-dir.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import type { FreeAnswers } from '../../screens/shared/free-computations.js';
import { seemsSignedIn } from '../../site/headers.js';
import type { KeptPages, PassingText } from '../kept-pages.js';
import { type DocsPage, type PageContext, tellingBusy } from './page.js';
import { PICTURES_PATH, renderedText } from './rendered-text.js';
import { searchRoute } from './search-route.js';

/** Parts of the documentation. */
export interface DocsParts {
  readonly kept: KeptPages;
  readonly free: FreeAnswers;
  /** The model that answers the examples. */
  readonly model: () => PredictionModel;
  readonly rateLimitMax: number;
  /** Public URL of the service, such as `https://vitruvia.example`. */
  readonly publicUrl: () => string;
  /** The OpenAPI document as JSON text. */
  readonly openApiJson: () => Promise<string>;
}

/** The folder of the pictures. */
const PICTURES = join(projectDir(), 'docs/model');

/** Registers the documentation. Each page is rendered at its first request and then cached. */
export async function docsPages(app: FastifyInstance, parts: DocsParts): Promise<void> {
  const { PAGES } = await import('./index.js');
  const { kept } = parts;
  for (const page of PAGES) {
    app.get(page.path, (request, reply) => {
      const signedIn = seemsSignedIn(request);
      return kept.send(request, reply, { key: `${page.path} ${signedIn}` }, () =>
        passingIfBusy(contextOf(parts), (context) => pageHtml(page, context, signedIn)),
      );
    });
  }
  referenceRoutes(app, parts);
  searchRoute(app, PAGES, () => contextOf(parts));
  for (const [path, write] of [
    ['/llms.txt', 'llmsIndex'],
    ['/llms-full.txt', 'llmsFull'],
  ] as const) {
    app.get(path, (request, reply) => {
      reply.header('vary', 'accept-encoding');
      return kept.send(request, reply, { key: path, type: 'text/plain; charset=utf-8' }, () =>
        passingIfBusy(contextOf(parts), async (context) =>
          (await import('./llms.js'))[write](context),
        ),
      );
    });
  }
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 301));
  pictureRoutes(app);
}

function contextOf({ model, rateLimitMax, publicUrl, free }: DocsParts): PageContext {
  return {
    ...{ model: model(), rateLimitMax, origin: publicUrl() },
    answer(operation, request) {
      const { signal } = new AbortController();
      free.keepOnDisk(signal);
      return free.answer(operation, request, signal);
    },
  };
}

/** A text with answers. One that a busy service could not answer is not kept. */
async function passingIfBusy(
  context: PageContext,
  write: (context: PageContext) => Promise<string>,
): Promise<string | PassingText> {
  let isPassing = false;
  const text = await write(
    tellingBusy(context, () => {
      isPassing = true;
    }),
  );
  return isPassing ? { passing: text } : text;
}

/** A page as HTML. */
async function pageHtml(page: DocsPage, context: PageContext, signedIn: boolean): Promise<string> {
  const [{ DocsShell }, { renderPage }] = await Promise.all([
    import('./shell.js'),
    import('../../site/layout.js'),
  ]);
  return renderPage(DocsShell({ page, rendered: await renderedText(page, context), signedIn }));
}

/** The figures of the model. */
function pictureRoutes(app: FastifyInstance): void {
  for (const name of readdirSync(PICTURES).filter((file) => file.endsWith('.svg'))) {
    app.get(`${PICTURES_PATH}/${name}`, async (_request, reply) => {
      const picture = await readFile(join(PICTURES, name));
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

/** Registers the OpenAPI document, and an address of the reference that people type. */
function referenceRoutes(
  app: FastifyInstance,
  { kept, openApiJson }: Pick<DocsParts, 'kept' | 'openApiJson'>,
): void {
  app.get('/openapi.json', (request, reply) => {
    reply.header('vary', 'accept-encoding');
    const type = 'application/json; charset=utf-8';
    return kept.send(request, reply, { key: '/openapi.json', type }, openApiJson);
  });
  app.get('/docs/reference/', (_request, reply) => reply.redirect('/docs/reference', 301));
}
