import type { FastifyInstance } from 'fastify';
import { ERRORS, type ErrorCode } from '../core/errors.js';
import { SERVICE_NAME, SERVICE_VERSION } from '../core/version.js';
import { ERROR_NOTES, SERVICE_DESCRIPTION } from '../operations/catalog.js';
import { PROBLEM_SCHEMA } from './operation-schema.js';

/** Collects all routes added later into an OpenAPI document; call it first. */
export async function collectOpenApi(app: FastifyInstance): Promise<void> {
  const { default: swagger } = await import('@fastify/swagger');
  app.addSchema(PROBLEM_SCHEMA);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: SERVICE_NAME, version: SERVICE_VERSION, description: introduction() },
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

/** Serves the document at `/openapi.json`, and a page to try the API at `/docs/reference`. */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  let documentJson: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    documentJson ??= JSON.stringify(app.swagger());
    reply.header('content-type', 'application/json; charset=utf-8').send(documentJson);
  });
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  await app.register(swaggerUi, {
    routePrefix: '/docs/reference',
    // The page needs no other origin. Swagger UI uses inline styles.
    staticCSP:
      "default-src 'self'; base-uri 'self'; frame-ancestors 'self'; img-src 'self' data:; object-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'",
    uiConfig: { validatorUrl: null, docExpansion: 'list', persistAuthorization: false },
    theme: {
      title: `${SERVICE_NAME} API`,
      // Hides the bar at the top, which shows another product's name and opens other documents.
      css: [{ filename: 'page.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
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
