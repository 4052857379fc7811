import { BATCH_BODY_BYTES_MAX, BATCH_LIMITS, PERCENTILES_LIMITS } from '../../src/core/limits.js';
import { openArtifact } from '../../src/lookup/open-artifact.js';
import { OPERATIONS } from '../../src/operations/index.js';
import type { Operation } from '../../src/operations/operation.js';
import { PredictionModel } from '../../src/operations/prediction-model.js';
import { writeBodyArtifact } from '../../test/support/body.js';
import { startService } from '../../test/support/service.js';

/** The parts of a JSON schema that the generators read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

/** The OpenAPI document without its examples, which depend on the data. */
export interface ApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Facts about an operation that the clients need besides its types. */
export interface ClientOperation {
  /** Its name in batches and over MCP. */
  readonly name: string;
  readonly path: string;
  readonly description: string;
  /** Whether an answer can cost credits. A retry then needs an idempotency key. */
  readonly charges: boolean;
  /** Whether the operation is heavy. A batch may have only a few heavy requests. */
  readonly heavy: boolean;
  readonly inBatches: boolean;
  /** The operation's answers as CSV and Arrow; undefined if it answers in JSON only. */
  readonly table: ClientTable | undefined;
  /** Its answers as files. */
  readonly file: ClientFile | undefined;
}

/** Facts about answers as files. */
export interface ClientFile {
  /** Formats that a request may name. The first is the default. */
  readonly formats: readonly string[];
  /** Whether a request can ask for JSON in place of a file. */
  readonly alsoJson: boolean;
}

/** Facts about answers as CSV or Arrow. */
export interface ClientTable {
  /** Columns with texts; the others have numbers. */
  readonly textColumns: readonly string[];
  /** Facts about the whole answer, with their types. The answer has them in its headers. */
  readonly details: Readonly<Record<string, 'string' | 'number'>>;
}

/** Everything that the generated files are made from. */
export interface ClientSource {
  readonly document: ApiDocument;
  readonly operations: readonly ClientOperation[];
  readonly limits: {
    /** Entries of a batch. */
    readonly batchEntries: number;
    /** Heavy entries of a batch. */
    readonly batchHeavy: number;
    /** Body of a batch. */
    readonly batchBytes: number;
    /** Percentiles of one request. */
    readonly percentiles: number;
  };
}

/** Starts a service with invented data for a moment, and reads from it what the clients need. */
export async function readSource(): Promise<ClientSource> {
  const service = await startService({ computing: {} });
  try {
    const document = (await service.http.inject('/openapi.json')).json();
    return {
      document: withoutExamples(document) as ApiDocument,
      operations: await listOperations(),
      limits: {
        batchEntries: BATCH_LIMITS.maxItems,
        batchHeavy: BATCH_LIMITS.computed,
        batchBytes: BATCH_BODY_BYTES_MAX,
        percentiles: PERCENTILES_LIMITS.maxItems,
      },
    };
  } finally {
    await service.close();
  }
}

async function listOperations(): Promise<readonly ClientOperation[]> {
  const model = new PredictionModel(openArtifact(await writeBodyArtifact('clients')));
  const batch = OPERATIONS.find(({ name }) => name === 'batch');
  return OPERATIONS.map((operation) => ({
    name: operation.name,
    path: operation.path,
    description: `${operation.description} Cost: ${operation.price}.`,
    charges: operation.cost(operation.example) > 0,
    heavy: operation.computed === true,
    inBatches: batch !== undefined && isInBatches(batch, operation, model),
    table: tableOf(operation, model),
    file: clientFile(operation),
  }));
}

/** Whether a batch answers the example of an operation. */
function isInBatches(batch: Operation, operation: Operation, model: PredictionModel) {
  const { name, example, batchRequest } = operation;
  const input = batchRequest === undefined ? example : { ...example, format: 'json' };
  const requests = [{ operation: name, input }];
  const { answers } = batch.run({ requests }, model) as unknown as {
    readonly answers: readonly { readonly status: number }[];
  };
  return answers[0]?.status === 200;
}

function clientFile({ file, request }: Operation): ClientFile | undefined {
  if (file === undefined) return undefined;
  const { format } = request.properties as { readonly format?: { readonly enum: string[] } };
  const { alsoJson } = file;
  const formats = (format?.enum ?? []).filter((one) => !alsoJson || one !== 'json');
  return { formats, alsoJson };
}

function tableOf({ rows, example }: Operation, model: PredictionModel): ClientTable | undefined {
  if (rows === undefined) return undefined;
  // If the year of the bodies differs from that of the head counts, the answer has one more detail.
  const { population } = example as { readonly population: object };
  const later = { ...example, population: { ...population, year: 2030 } };
  const tables = [example, later].map((request) => rows.open(request, model));
  const [table] = tables;
  const details = Object.assign({}, ...tables.map((one) => one.details)) as object;
  return {
    textColumns: (table?.columns ?? []).filter(({ type }) => type === 'text').map(nameOf),
    details: Object.fromEntries(
      Object.entries(details).map(([name, value]) => [
        name,
        typeof value === 'number' ? 'number' : 'string',
      ]),
    ),
  };
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function withoutExamples(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutExamples);
  const kept = Object.entries(value).filter(([name]) => name !== 'examples');
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutExamples(inner)]));
}
