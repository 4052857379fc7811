import { SERVICE_NAME } from '../core/version.js';
import { CONTENT_TYPES } from '../operations/answer-formats.js';
import type { Operation } from '../operations/operation.js';
import type { PredictionModel } from '../operations/prediction-model.js';
import { productList } from '../operations/products.js';
import { PRODUCTS } from '../products/index.js';
import { exampleAnswers } from './example-answers.js';
import { documented, type JsonSchema, refTo, schemaNames, sharedSchemas } from './named-schemas.js';
import { PROBLEM_SCHEMA } from './operation-schema.js';
import { PUBLIC_SCHEMAS, type PublicTexts, publicAnswers } from './public-answers.js';

const { $id: PROBLEM_SCHEMA_ID, ...PROBLEM } = PROBLEM_SCHEMA;

/** Content of a request or of an answer. */
interface Content {
  schema?: object;
  examples?: Record<string, { readonly value: unknown; readonly summary?: string }>;
}

interface Route {
  readonly requestBody?: { readonly content: Record<string, Content> };
  readonly responses: Record<string, { readonly content: Record<string, Content> }>;
}

/** The parts of an OpenAPI document that this module completes. */
export interface OpenApiDocument {
  readonly info: object;
  readonly paths: Record<string, { readonly get?: Route; readonly post?: Route }>;
  readonly components: { schemas?: Record<string, object> };
}

/** The parts that complete the document. */
export interface DocumentParts {
  /** Public URL of the service. */
  readonly origin: string;
  readonly operations: readonly Operation[];
  readonly model: PredictionModel;
  readonly publicRoutes: PublicTexts;
}

/**
 * Completes the document that was collected from the routes. Every request and answer gets a name, shared lists become
 * schemas of their own, and every answer gets an example computed by the model. The schemas of MCP tools have no
 * references, because each must be complete in itself.
 */
export async function completeDocument(
  collected: OpenApiDocument,
  { origin, operations, model, publicRoutes }: DocumentParts,
): Promise<OpenApiDocument> {
  const document = structuredClone(collected);
  const answers = await exampleAnswers(operations, model);
  const schemas: Record<string, object> = {
    ...document.components.schemas,
    [PROBLEM_SCHEMA_ID]: documented(PROBLEM),
    ...sharedSchemas(),
    ...PUBLIC_SCHEMAS,
  };
  for (const operation of operations) {
    const route = document.paths[operation.path]?.post;
    const answer = route?.responses['200'];
    if (route?.requestBody === undefined || answer === undefined) continue;
    const names = schemaNames(operation);
    schemas[names.request] = named(operation.request, `Request: ${operation.description}`);
    contentOf(route.requestBody.content, CONTENT_TYPES.json).schema = refTo(names.request);
    if (operation.file?.alsoJson === false) continue;
    schemas[names.answer] = named(operation.response, `Answer: ${operation.description}`);
    const content = contentOf(answer.content, CONTENT_TYPES.json);
    content.schema = refTo(names.answer);
    const examples = answers.get(operation.name);
    if (examples === undefined) continue;
    content.examples = { example: { value: examples.json } };
    if (examples.csv === undefined) continue;
    contentOf(answer.content, CONTENT_TYPES.csv).examples = { example: { value: examples.csv } };
  }
  for (const [path, { schema, examples }] of Object.entries(publicAnswers(publicRoutes))) {
    for (const [status, value] of Object.entries(examples)) {
      const answer = document.paths[path]?.get?.responses[status];
      if (answer === undefined) throw new Error(`GET ${path} has no answer ${status}`);
      const content = contentOf(answer.content, CONTENT_TYPES.json);
      content.schema = refTo(schema);
      content.examples = { example: { value } };
    }
  }
  const list = document.paths[productList.path]?.get?.responses['200'];
  if (list !== undefined) {
    schemas.Products = named(productList.response, `Answer: ${productList.description}`);
    const content = contentOf(list.content, CONTENT_TYPES.json);
    content.schema = refTo('Products');
    content.examples = { example: { value: { products: PRODUCTS.slice(0, 1) } } };
  }
  const contact = { name: `Documentation of ${SERVICE_NAME}`, url: `${origin}/docs` };
  const info = { ...document.info, contact };
  return { ...document, info, components: { ...document.components, schemas } };
}

function named(schema: object, description: string): JsonSchema {
  return { description, ...documented(schema) };
}

function contentOf(content: Record<string, Content>, mediaType: string): Content {
  const found = content[mediaType.split(';')[0] ?? ''];
  if (found === undefined) throw new Error(`there is no content of type ${mediaType}`);
  return found;
}
