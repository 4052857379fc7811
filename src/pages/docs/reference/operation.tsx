import type { ComponentChildren, VNode } from 'preact';
import { curlText, pythonText, typeScriptText } from '../../../site/call-text.js';
import { HeadingLink } from '../heading-link.js';
import { PAGES } from '../index.js';
import { operationPage } from '../texts.js';
import { prettyJson } from '../write.js';
import type { ApiAnswer, ApiContent, ApiDocument, ApiOperation, ApiRoute } from './document.js';
import { Fields } from './fields.js';
import { Code, Inline } from './inline.js';

/** Maximum length of a shown answer. Longer answers are only on the page of the operation. */
const ANSWER_CHARS_MAX = 12_000;

interface OperationProps {
  readonly document: ApiDocument;
  readonly route: ApiRoute;
  /** Public URL of the service, for the examples. */
  readonly origin: string;
}

/** An operation with its purpose, price, fields, errors, and an example in three languages. */
export function OperationSection({ document, route, origin }: OperationProps): VNode {
  const { method, path, operation } = route;
  const { operationId, summary, description, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const answer = responses[200]?.content?.['application/json'];
  const page = PAGES.find((one) => one.path === operationPage(path));
  return (
    <section class="api-operation" id={operationId}>
      <h3>
        {`${summary} `}
        <HeadingLink id={operationId} />
      </h3>
      <p class="api-route">
        <strong>{method}</strong> <code>{path}</code>
      </p>
      <p>
        <Inline text={description} />
      </p>
      {page === undefined ? null : (
        <p>
          <a href={page.path}>{`More about “${page.title}”`}</a>
        </p>
      )}
      {body === undefined ? null : (
        <>
          <h4>Request</h4>
          <Fields document={document} schema={body.schema} optional="optional" />
        </>
      )}
      <h4>Example</h4>
      <Examples route={route} content={body} origin={origin} file={fileOf(operation)} />
      <Answer content={answer} page={page?.path} />
      <h4>Answer</h4>
      {answer === undefined ? null : (
        <Part title="Fields of the answer">
          <Fields document={document} schema={answer.schema} optional="not always" />
        </Part>
      )}
      <OtherFormats answer={responses[200]} />
      <Headers operation={operation} />
      <h4>Errors</h4>
      <Errors responses={responses} />
    </section>
  );
}

interface PartProps {
  readonly title: string;
  readonly open?: boolean;
  readonly children: ComponentChildren;
}

/** A part that the reader can open. It works without scripts. */
function Part({ title, open = false, children }: PartProps): VNode {
  return (
    <details class="api-part" open={open}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

interface ExamplesProps {
  readonly route: ApiRoute;
  readonly content: ApiContent | undefined;
  readonly origin: string;
  /** File name of the answer, if the answer is a file. */
  readonly file: string | undefined;
}

/** Endings of files by their type. */
const ENDINGS: Readonly<Record<string, string>> = {
  'model/gltf-binary': 'glb',
  'application/zip': 'zip',
};

function fileOf({ operationId, responses }: ApiOperation): string | undefined {
  const types = Object.keys(responses[200]?.content ?? {});
  const ending = types.map((type) => ENDINGS[type]).find((one) => one !== undefined);
  return ending === undefined ? undefined : `${operationId}.${ending}`;
}

function Examples({ route, content, origin, file }: ExamplesProps): VNode {
  const { path, operation } = route;
  const body = firstExample(content);
  if (typeof body !== 'object' || body === null) {
    return <Code language="sh" text={`curl -s ${origin}${path}`} />;
  }
  const call = { operation: operation.operationId, path, body, file };
  return (
    <>
      <Part title="curl" open>
        <Code language="sh" text={curlText(call, origin)} />
      </Part>
      <Part title="TypeScript">
        <Code language="ts" text={typeScriptText(call, origin)} />
      </Part>
      <Part title="Python">
        <Code language="python" text={pythonText(call, origin)} />
      </Part>
    </>
  );
}

interface AnswerProps {
  readonly content: ApiContent | undefined;
  /** Page of the operation. */
  readonly page: string | undefined;
}

function Answer({ content, page }: AnswerProps): VNode | null {
  const value = firstExample(content);
  if (value === undefined) return null;
  const text = prettyJson(value);
  if (page !== undefined && text.length > ANSWER_CHARS_MAX) {
    return (
      <p>
        The answer is long. <a href={`${page}#example`}>The page of the operation</a> shows it.
      </p>
    );
  }
  return (
    <Part title="Answer to the example">
      <Code language="json" text={text} />
    </Part>
  );
}

function OtherFormats({ answer }: { readonly answer: ApiAnswer | undefined }): VNode | null {
  const types = Object.keys(answer?.content ?? {}).filter((type) => type !== 'application/json');
  if (types.length === 0) return null;
  const list = types.map((type) => `\`${type}\``).join(', ');
  return (
    <p>
      <Inline text={`Other formats of the answer: ${list}.`} />
    </p>
  );
}

function Headers({ operation }: { readonly operation: ApiOperation }): VNode | null {
  const { parameters = [], responses } = operation;
  const headers = Object.entries(responses[200]?.headers ?? {});
  if (parameters.length + headers.length === 0) return null;
  return (
    <Part title="Headers">
      <dl class="api-fields">
        {parameters.map(({ name, description = '' }) => (
          <Header key={name} name={name} of="request, optional" description={description} />
        ))}
        {headers.map(([name, { description = '' }]) => (
          <Header key={name} name={name} of="answer" description={description} />
        ))}
      </dl>
    </Part>
  );
}

function Header(props: {
  readonly name: string;
  readonly of: string;
  readonly description: string;
}): VNode {
  return (
    <div>
      <dt>
        <code>{props.name}</code>
        <span class="api-type">{props.of}</span>
      </dt>
      <dd>
        <Inline text={props.description} />
      </dd>
    </div>
  );
}

function Errors({ responses }: Pick<ApiOperation, 'responses'>): VNode {
  const faults = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  return (
    <ul class="api-errors">
      {faults.map(([status, { description, content }]) => {
        const codes = Object.keys(content?.['application/problem+json']?.examples ?? {});
        return (
          <li key={status}>
            <strong>{status}</strong>
            {codes.length === 0 ? (
              <Inline text={description} />
            ) : (
              <span class="api-codes">
                {codes.map((code) => (
                  <a key={code} href={`/docs/errors#error-${code}`}>
                    <code>{code}</code>
                  </a>
                ))}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function firstExample(content: ApiContent | undefined): unknown {
  return Object.values(content?.examples ?? {})[0]?.value;
}
