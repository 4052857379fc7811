import type { FastifyInstance } from 'fastify';
import { ERRORS, type ErrorCode } from '../core/errors.js';
import { SERVICE_NAME, SERVICE_VERSION } from '../core/version.js';
import { ERROR_NOTES, SERVICE_DESCRIPTION } from '../operations/catalog.js';
import type { Operation } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import type { DocumentParts, OpenApiDocument } from './openapi-document.js';
import { PROBLEM_SCHEMA } from './operation-schema.js';

/** Collects all routes added later into an OpenAPI document; call it first. */
export async function collectOpenApi(app: FastifyInstance): Promise<void> {
  const { default: swagger } = await import('@fastify/swagger');
  app.addSchema(PROBLEM_SCHEMA);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: SERVICE_NAME,
        version: SERVICE_VERSION,
        description: introduction(),
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'predictions', description: 'The billed operations.' },
        { name: 'service', description: 'Free routes without authentication.' },
      ],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key from the dashboard: `vt_live_…` or `vt_test_…`.',
          },
        },
      },
    },
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  });
}

/** What the routes of the document need. */
export interface DocsRouteParts extends Pick<DocumentParts, 'publicRoutes'> {
  /** Public URL of the service. */
  readonly publicUrl: () => string;
  /** The operations that REST serves; all by default. */
  readonly operations?: readonly Operation[] | undefined;
  /** The model that answers the examples. */
  readonly model: () => PredictionModel;
}

/** Serves the document at `/openapi.json`, and a page to try the API at `/docs/reference`. */
export async function docsRoutes(app: FastifyInstance, parts: DocsRouteParts): Promise<void> {
  const current = cachedDocument(app, parts);
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    const { json } = await current();
    return reply.header('content-type', 'application/json; charset=utf-8').send(json);
  });
  // The page reads the document from an address of its own.
  let shown: OpenApiDocument | undefined;
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  await app.register(swaggerUi, {
    routePrefix: '/docs/reference',
    // The page needs no other origin. Swagger UI uses inline styles.
    staticCSP:
      "default-src 'self'; base-uri 'self'; frame-ancestors 'self'; img-src 'self' data:; object-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'",
    uiHooks: {
      preHandler: async (request) => {
        if (/\/(json|yaml)$/.test(request.routeOptions.url ?? '')) {
          shown = (await current()).document;
        }
      },
    },
    transformSpecification: () => ({ ...shown }),
    transformSpecificationClone: false,
    uiConfig: { validatorUrl: null, docExpansion: 'list', persistAuthorization: false },
    theme: {
      title: `${SERVICE_NAME} API`,
      // Hides the bar at the top, which shows another product's name and opens other documents.
      css: [{ filename: 'page.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
}

interface CachedDocument {
  readonly document: OpenApiDocument;
  readonly json: string;
}

/** The document with the answers of the model in use; it is made when it is first asked for. */
function cachedDocument(
  app: FastifyInstance,
  { operations, model, publicRoutes, publicUrl }: DocsRouteParts,
): () => Promise<CachedDocument> {
  let made: { readonly version: string; readonly cached: Promise<CachedDocument> } | undefined;
  const make = async (): Promise<CachedDocument> => {
    // Only few services are ever asked for the document, so it does not slow down the start.
    const [{ OPERATIONS }, { completeDocument }] = await Promise.all([
      import('../operations/index.js'),
      import('./openapi-document.js'),
    ]);
    const document = await completeDocument(app.swagger() as OpenApiDocument, {
      operations: operations ?? OPERATIONS,
      model: model(),
      publicRoutes,
      origin: publicUrl(),
    });
    return { document, json: JSON.stringify(document) };
  };
  return async () => {
    const version = `${model().artifactVersion} ${publicUrl()}`;
    if (made?.version !== version) {
      const cached = make();
      made = { version, cached };
      // A failure must not stay.
      cached.catch(() => {
        if (made?.cached === cached) made = undefined;
      });
    }
    return await made.cached;
  };
}

function introduction(): string {
  const rows = (Object.keys(ERRORS) as ErrorCode[]).map(
    (code) =>
      `| [\`${code}\`](/docs#error-${code}) | ${ERRORS[code].status} | ${ERROR_NOTES[code]} |`,
  );
  return [
    SERVICE_DESCRIPTION,
    '## Errors',
    'Refusals and failures are RFC 9457 problem details (`application/problem+json`). A refusal charges nothing. After a 500 or 503, or without an answer, it may not be known whether the request was charged; a retry with the same `Idempotency-Key` is then safe and free, because the request is charged at most once.',
    ['| Code | Status | Meaning |', '|---|---|---|', ...rows].join('\n'),
  ].join('\n\n');
}
