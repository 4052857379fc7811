import type { ComponentChildren, VNode } from 'preact';
import { ERRORS } from '../../core/errors.js';
import { Layout } from '../../site/layout.js';
import { ERROR_CODES } from './error-text.js';
import { DOCS, DOCS_PATH, PAGES } from './index.js';
import type { Heading, Rendered } from './markdown.js';
import type { DocsPage } from './page.js';
import { SearchForm } from './search-page.js';

/** Pages with fewer sections have no table of contents. */
const CONTENTS_SECTIONS_MIN = 3;

interface DocsFrameProps {
  readonly path: string;
  readonly title: string;
  /** One sentence for search engines. */
  readonly summary: string;
  /** Whether the browser seems to be signed in. */
  readonly signedIn: boolean;
  readonly children: ComponentChildren;
}

/** The navigation of the documentation with a page beside it. */
export function DocsFrame({ path, title, summary, signedIn, children }: DocsFrameProps): VNode {
  return (
    <Layout
      title={title}
      section="docs"
      signedIn={signedIn}
      description={summary}
      canonical={path}
      entry="web/docs/main.ts"
    >
      <div class="docs">
        <details class="docs-menu">
          <summary>Documentation: all pages</summary>
          <Navigation path={path} label="Documentation, all pages" />
        </details>
        <div class="docs-side">
          <Navigation path={path} label="Documentation" />
        </div>
        <article class="docs-text">
          <h1>{title}</h1>
          {children}
        </article>
      </div>
    </Layout>
  );
}

interface DocsShellProps {
  readonly page: DocsPage;
  readonly rendered: Rendered;
  /** Whether the browser seems to be signed in. */
  readonly signedIn: boolean;
}

/** A page of the documentation with its navigation. */
export function DocsShell({ page, rendered, signedIn }: DocsShellProps): VNode {
  const { path, title, summary, contents = true } = page;
  const sections = rendered.headings.filter(({ level }) => level === 2);
  return (
    <DocsFrame path={path} title={title} summary={summary} signedIn={signedIn}>
      {contents && sections.length >= CONTENTS_SECTIONS_MIN ? (
        <Contents sections={sections} />
      ) : null}
      {/* From `renderMarkdown`, which escapes raw HTML. */}
      {page.isSideBySide === true ? (
        <div class="side-by-side">
          {rendered.html.split(/(?=<h2)/).map((html) => (
            <section key={html} dangerouslySetInnerHTML={{ __html: html }} />
          ))}
        </div>
      ) : (
        <div dangerouslySetInnerHTML={{ __html: rendered.html }} />
      )}
      {path === DOCS_PATH ? <ErrorIndex /> : null}
      <Neighbours path={path} />
    </DocsFrame>
  );
}

function Navigation({ path, label }: { readonly path: string; readonly label: string }): VNode {
  return (
    <nav class="docs-nav" aria-label={label}>
      <SearchForm />
      {DOCS.map((group) => (
        <div key={group.title}>
          <p>{group.title}</p>
          <ul>
            {[...(group.links ?? []), ...group.pages].map((page) => (
              <li key={page.path}>
                <a href={page.path} aria-current={page.path === path ? 'page' : undefined}>
                  {page.title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Contents({ sections }: { readonly sections: readonly Heading[] }): VNode {
  return (
    <nav class="docs-contents" aria-label="On this page">
      <p>On this page</p>
      <ul>
        {sections.map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The targets of the `type` of every problem: `/docs#error-<code>`. */
function ErrorIndex(): VNode {
  return (
    <section>
      <h2 id="errors">
        Errors at a glance{' '}
        <a class="heading-link" href="#errors" aria-label="Link to this section">
          #
        </a>
      </h2>
      <dl class="error-index">
        {ERROR_CODES.map((code) => (
          <div key={code} id={`error-${code}`}>
            <dt>
              <a href={`/docs/errors#error-${code}`}>
                <code>{code}</code>
              </a>
            </dt>
            <dd>
              {ERRORS[code].status}: {ERRORS[code].title}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Neighbours({ path }: { readonly path: string }): VNode {
  const at = PAGES.findIndex((page) => page.path === path);
  const [before, after] = [PAGES[at - 1], PAGES[at + 1]];
  return (
    <nav class="docs-neighbours" aria-label="Next and previous page">
      {before === undefined ? <span /> : <a href={before.path}>← {before.title}</a>}
      {after === undefined ? <span /> : <a href={after.path}>{after.title} →</a>}
    </nav>
  );
}
