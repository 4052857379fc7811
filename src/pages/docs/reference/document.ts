// The parts of the OpenAPI document of this service that its reference shows.

/** A schema. The document has no unions. Every reference names a schema of `components`. */
export interface ApiSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  /** The meanings of the values of `enum`, in the same order. */
  readonly 'x-enum-descriptions'?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly default?: unknown;
  readonly items?: ApiSchema;
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly additionalProperties?: boolean | ApiSchema;
  readonly required?: readonly string[];
}

/** The content of a request or of an answer in one media type. */
export interface ApiContent {
  readonly schema: ApiSchema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** A header of an answer. */
export interface ApiHeader {
  readonly description?: string;
  readonly schema: ApiSchema;
}

/** An answer with one status. */
export interface ApiAnswer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, ApiHeader>>;
  readonly content?: Readonly<Record<string, ApiContent>>;
}

/** A parameter of a request. In this service, all parameters are headers. */
export interface ApiParameter {
  readonly name: string;
  readonly description?: string;
  readonly schema: ApiSchema;
}

/** An operation in the form of the OpenAPI document. */
export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, ApiContent>> };
  readonly responses: Readonly<Record<string, ApiAnswer>>;
}

/** The document that `/openapi.json` serves. */
export interface ApiDocument {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<'get' | 'post', ApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, ApiSchema>> };
}

/** An operation with its address. */
export interface ApiRoute {
  readonly method: string;
  readonly path: string;
  readonly operation: ApiOperation;
}

/** The operations with a tag, in the order of the document. */
export function routesOf({ paths }: ApiDocument, tag: string): readonly ApiRoute[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

const REFERENCE = /^#\/components\/schemas\/(\w+)$/;

/** Name of the schema that a reference refers to; undefined if `schema` is not a reference. */
export function nameOf({ $ref }: ApiSchema): string | undefined {
  return $ref === undefined ? undefined : REFERENCE.exec($ref)?.[1];
}

/**
 * The schema that `schema` refers to. A schema without a reference is returned as it is.
 *
 * @throws Error if the document has no such schema
 */
export function resolved({ components }: ApiDocument, schema: ApiSchema): ApiSchema {
  if (schema.$ref === undefined) return schema;
  const found = components.schemas[nameOf(schema) ?? ''];
  if (found === undefined) throw new Error(`the OpenAPI document has no schema ${schema.$ref}`);
  return found;
}

/** A field of a schema by its path, such as `population.groups[].countries`. */
interface NamedField {
  readonly name: string;
  readonly field: ApiSchema;
  readonly required: boolean;
}

/** The fields of a schema. Each is followed by the fields inside it, except for named types. */
export function flattened(
  { properties = {}, required = [] }: ApiSchema,
  prefix = '',
): readonly NamedField[] {
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = prefix + key;
    const { items = {}, additionalProperties: any } = field;
    return [
      { name, field, required: required.includes(key) },
      ...flattened(field, `${name}.`),
      ...flattened(items, `${name}[].`),
      ...(typeof any === 'object' ? flattened(any, `${name}.*.`) : []),
    ];
  });
}

/** Names of requests and answers. The page shows them with their operations. */
const OF_OPERATION = /(?:Request|Answer)$/;

/** The schemas that several operations share. Fields refer to these schemas by name. */
export function sharedTypes({
  components,
}: ApiDocument): readonly (readonly [string, ApiSchema])[] {
  return Object.entries(components.schemas).filter(([name]) => !OF_OPERATION.test(name));
}

/** Names of the types in requests, at any depth. All other types occur only in answers. */
export function typesOfRequests({ components: { schemas } }: ApiDocument): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (schema: ApiSchema): void => {
    const name = nameOf(schema);
    if (name !== undefined && !names.has(name)) {
      names.add(name);
      add(schemas[name] ?? {});
    }
    for (const field of Object.values(schema.properties ?? {})) add(field);
    if (schema.items !== undefined) add(schema.items);
  };
  for (const [name, schema] of Object.entries(schemas)) if (/Request$/.test(name)) add(schema);
  return names;
}

/** Anchor of a shared schema on the page. */
export function typeId(name: string): string {
  return `type-${name}`;
}
