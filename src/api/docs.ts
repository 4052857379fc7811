import Fastify from 'fastify';
import { ERRORS, type ErrorCode } from '../core/errors.js';
import { SERVICE_NAME, SERVICE_VERSION } from '../core/version.js';
import { ERROR_NOTES, SERVICE_DESCRIPTION } from '../operations/catalog.js';
import type { Operation } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { productList } from '../operations/products.js';
import type { OpenApiDocument } from './openapi-document.js';
import { operationSchema, PROBLEM_SCHEMA } from './operation-schema.js';
import type { PublicTexts } from './public-answers.js';
import { PUBLIC_ROUTE_SCHEMAS } from './public-routes.js';

/**
 * The OpenAPI document that Fastify derives from the schemas of the routes. These routes have no handlers that answer.
 */
async function collectedRoutes(operations: readonly Operation[]): Promise<OpenApiDocument> {
  const { default: swagger } = await import('@fastify/swagger');
  const app = Fastify();
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
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
  const none = async () => undefined;
  for (const operation of operations) {
    app.post(operation.path, { schema: operationSchema(operation) }, none);
  }
  const { body: _, headers: __, ...list } = operationSchema(productList);
  app.get(productList.path, { schema: { ...list, tags: ['service'] } }, none);
  for (const [path, schema] of Object.entries(PUBLIC_ROUTE_SCHEMAS))
    app.get(path, { schema }, none);
  await app.ready();
  return app.swagger() as OpenApiDocument;
}

/** The parts from which the document is made. */
export interface OpenApiParts {
  readonly publicTexts: PublicTexts;
  /** Public URL of the service. */
  readonly publicUrl: () => string;
  /** The operations that REST serves; all by default. */
  readonly operations?: readonly Operation[] | undefined;
  /** The model that answers the examples. */
  readonly model: () => PredictionModel;
}

/**
 * Returns the OpenAPI document as JSON text, with example answers of the model in use. The document is made at the
 * first request, and again after a switch of the model.
 */
export function openApiText({
  operations,
  model,
  publicTexts,
  publicUrl,
}: OpenApiParts): () => Promise<string> {
  let made: { readonly version: string; readonly cached: Promise<string> } | undefined;
  const make = async (): Promise<string> => {
    // These modules load at the first request, so they do not slow down the start.
    const [{ OPERATIONS }, { completeDocument }] = await Promise.all([
      import('../operations/index.js'),
      import('./openapi-document.js'),
    ]);
    const described = operations ?? OPERATIONS;
    const document = await completeDocument(await collectedRoutes(described), {
      operations: described,
      model: model(),
      publicRoutes: publicTexts,
      origin: publicUrl(),
    });
    return JSON.stringify(document);
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
