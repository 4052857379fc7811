/** A schema of a request or of an answer. There are no unions. */
export interface ApiSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
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

/** A field of a schema by its path, such as `population.groups[].countries`. */
export interface NamedField {
  readonly name: string;
  readonly field: ApiSchema;
  readonly required: boolean;
}

/** The fields of a schema. Each is followed by the fields inside it. */
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
