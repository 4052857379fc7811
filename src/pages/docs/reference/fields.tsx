import type { VNode } from 'preact';
import {
  type ApiDocument,
  type ApiSchema,
  flattened,
  nameOf,
  resolved,
  typeId,
} from './document.js';
import { Inline } from './inline.js';

/**
 * Maximum number of values that are shown with a field. Longer lists have their own section among the types.
 */
const VALUES_SHOWN_MAX = 6;

interface FieldsProps {
  readonly document: ApiDocument;
  readonly schema: ApiSchema;
  /** Text for a field that is not required: `optional` or `not always`. */
  readonly optional: string;
}

/** The fields of a request or of an answer, with name, type, range, values and meaning. */
export function Fields({ document, schema, optional }: FieldsProps): VNode | null {
  const fields = flattened(resolved(document, schema));
  if (fields.length === 0) return null;
  return (
    <dl class="api-fields">
      {fields.map(({ name, field, required }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            <span class="api-type">
              <TypeOf document={document} schema={field} />
              {required ? null : `, ${optional}`}
            </span>
          </dt>
          <dd>
            <Inline text={meaningOf(document, field)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Type of a field in words, with its range and a link to a shared type. */
function TypeOf(props: Omit<FieldsProps, 'optional'> & { readonly many?: boolean }): VNode {
  const { document, schema, many = false } = props;
  const { items, additionalProperties: any } = schema;
  const name = nameOf(schema);
  if (name !== undefined) {
    return (
      <>
        <a href={`#${typeId(name)}`}>{name}</a>
        <Values list={resolved(document, schema).enum} />
      </>
    );
  }
  if (items?.properties !== undefined) return <>{`list of ${countOf(schema)}objects`}</>;
  if (items !== undefined) {
    return (
      <>
        {`list of ${countOf(schema)}`}
        <TypeOf document={document} schema={items} many />
      </>
    );
  }
  if (typeof any === 'object') {
    return (
      <>
        {'object of '}
        <TypeOf document={document} schema={any} />
      </>
    );
  }
  return (
    <>
      {`${[schema.type ?? 'any'].flat().join(' or ')}${many ? 's' : ''}${rangeOf(schema)}`}
      <Values list={schema.enum} />
    </>
  );
}

function Values({ list = [] }: { readonly list?: readonly string[] | undefined }): VNode | null {
  if (list.length === 0 || list.length > VALUES_SHOWN_MAX) return null;
  return <Inline text={`: ${list.map((value) => `\`${value}\``).join(', ')}`} />;
}

function countOf({ minItems, maxItems, uniqueItems }: ApiSchema): string {
  const different = uniqueItems === true ? 'different ' : '';
  if (maxItems === undefined) return different;
  return `${minItems ?? 0} to ${maxItems} ${different}`;
}

function rangeOf(schema: ApiSchema): string {
  const { minimum, maximum, exclusiveMinimum, maxLength, format } = schema;
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, ${minimum} or more`;
  if (exclusiveMinimum !== undefined) return `, above ${exclusiveMinimum}`;
  if (maximum !== undefined) return `, up to ${maximum}`;
  if (maxLength !== undefined) return `, up to ${maxLength} characters`;
  return format === undefined ? '' : `, ${format}`;
}

/** Meaning of a field, without its values. The section of the type explains the values. */
function meaningOf(document: ApiDocument, field: ApiSchema): string {
  const type = resolved(document, field);
  return withoutValues(field.description ?? type.description ?? '', type);
}

/** A description without the meanings of listed values. The page shows these meanings beside the values. */
export function withoutValues(description: string, { enum: values = [] }: ApiSchema): string {
  const [first = ''] = values;
  const start = new RegExp(`^(.*?) \`?${first}\`?: .*?( Default: \`\\S+\`\\.)?$`, 's');
  const [, before = description, byDefault = ''] =
    first === '' ? [] : (start.exec(description) ?? []);
  return before + byDefault;
}
