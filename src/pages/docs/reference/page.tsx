import type { VNode } from 'preact';
import { renderPage } from '../../../site/layout.js';
import { HeadingLink } from '../heading-link.js';
import { DocsFrame } from '../shell.js';
import { type ApiDocument, routesOf, sharedTypes, typeId } from './document.js';
import { Inline } from './inline.js';
import { OperationSection } from './operation.js';
import { TypeSection } from './types.js';

/** Address of the reference. */
export const REFERENCE_PATH = '/docs/reference';

/** Content of the reference. */
export interface ReferenceState {
  readonly document: ApiDocument;
  /** Public URL of the service, for the examples. */
  readonly origin: string;
  readonly signedIn: boolean;
}

/** The API reference on one page, as HTML text. It shows the content of `/openapi.json`. */
export function referencePage({ document, origin, signedIn }: ReferenceState): string {
  return renderPage(
    <DocsFrame
      path={REFERENCE_PATH}
      title="API reference"
      summary="Every route of the API: fields, ranges, examples and errors."
      signedIn={signedIn}
    >
      <p>
        <Inline
          text={`All routes of the API on one page. Programs read the same from [\`/openapi.json\`](/openapi.json) (OpenAPI 3.1, version ${document.info.version}).`}
        />
      </p>
      <p>
        <Inline
          text={`The base URL is \`${origin}\`. Routes under \`/v1\` need the header \`Authorization: Bearer <API_KEY>\` and a JSON body. A field is required unless it says “optional”. Read more about [authentication](/docs/authentication), [billing and limits](/docs/billing) and [errors](/docs/errors).`}
        />
      </p>
      <Contents document={document} />
      {document.tags.map(({ name, description }) => (
        <section key={name}>
          <h2 id={`tag-${name}`}>
            {capitalised(name)} <HeadingLink id={`tag-${name}`} />
          </h2>
          <p>
            <Inline text={description} />
          </p>
          {routesOf(document, name).map((route) => (
            <OperationSection
              key={route.operation.operationId}
              document={document}
              route={route}
              origin={origin}
            />
          ))}
        </section>
      ))}
      <section>
        <h2 id="types">
          Types <HeadingLink id="types" />
        </h2>
        <p>Fields of several operations have these types.</p>
        {sharedTypes(document).map(([name, schema]) => (
          <TypeSection key={name} document={document} name={name} schema={schema} />
        ))}
      </section>
    </DocsFrame>,
  );
}

function Contents({ document }: Pick<ReferenceState, 'document'>): VNode {
  return (
    <nav class="docs-contents api-contents" aria-label="On this page">
      {document.tags.map(({ name }) => (
        <div key={name}>
          <p>{capitalised(name)}</p>
          <ul>
            {routesOf(document, name).map(({ path, operation: { operationId, summary } }) => (
              <li key={operationId}>
                <a href={`#${operationId}`}>{summary}</a> <code>{path}</code>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div>
        <p>Types</p>
        <ul class="api-types">
          {sharedTypes(document).map(([name]) => (
            <li key={name}>
              <a href={`#${typeId(name)}`}>{name}</a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
