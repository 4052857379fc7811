import type { VNode } from 'preact';
import { type ApiDocument, type ApiSchema, typeId, typesOfRequests } from './document.js';
import { Fields, withoutValues } from './fields.js';
import { Inline } from './inline.js';

/** Maximum number of values that are shown at once. A longer list is closed until the reader opens it. */
const OPEN_VALUES_MAX = 8;

interface TypeProps {
  readonly document: ApiDocument;
  readonly name: string;
  readonly schema: ApiSchema;
}

/** A type that fields refer to: its description, and its values or fields. */
export function TypeSection({ document, name, schema }: TypeProps): VNode {
  const { description = '', enum: values } = schema;
  const optional = typesOfRequests(document).has(name) ? 'optional' : 'not always';
  return (
    <section class="api-operation" id={typeId(name)}>
      <h3>
        <code>{name}</code>
      </h3>
      <p>
        <Inline text={withoutValues(description, schema)} />
      </p>
      {values === undefined ? (
        <Fields document={document} schema={schema} optional={optional} />
      ) : (
        <Values values={values} meanings={schema['x-enum-descriptions']} />
      )}
    </section>
  );
}

interface ValuesProps {
  readonly values: readonly string[];
  readonly meanings: readonly string[] | undefined;
}

/** The values of a list. A long list is closed until the reader opens it. */
function Values({ values, meanings }: ValuesProps): VNode {
  const list =
    meanings === undefined ? (
      <ul class="api-values">
        {values.map((value) => (
          <li key={value}>
            <code>{value}</code>
          </li>
        ))}
      </ul>
    ) : (
      <dl class="api-fields">
        {values.map((value, index) => (
          <div key={value}>
            <dt>
              <code>{value}</code>
            </dt>
            <dd>
              <Inline text={meanings[index] ?? ''} />
            </dd>
          </div>
        ))}
      </dl>
    );
  if (values.length <= OPEN_VALUES_MAX) return list;
  return (
    <details class="api-part">
      <summary>{`${values.length} values`}</summary>
      {list}
    </details>
  );
}
