import type { VNode } from 'preact';
import { ERRORS } from '../../core/errors.js';
import { Layout } from '../../site/layout.js';
import { DOCS_PATH, GUIDES_INDEX_PATH } from '../../site/paths.js';
import { ERROR_CODES } from './error-text.js';
import { DOCS, PAGES } from './index.js';
import type { Heading, Rendered } from './markdown.js';
import type { DocsPage } from './page.js';
import { SearchForm } from './search-page.js';

/** Pages with fewer sections have no table of contents. */
const CONTENTS_SECTIONS_MIN = 3;

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
  const group = DOCS.find(({ pages }) => pages.includes(page));
  const first = group?.pages[0];
  return (
    <Layout
      title={title}
      section={path.startsWith(GUIDES_INDEX_PATH) ? 'guides' : 'docs'}
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
          <nav class="docs-where soft small" aria-label="Place of this page">
            <a href={DOCS_PATH}>Docs</a>
            {first === undefined || first === page ? null : (
              <>
                {' '}
                / <a href={first.path}>{group?.title}</a>
              </>
            )}
          </nav>
          <h1>{title}</h1>
          {contents && sections.length >= CONTENTS_SECTIONS_MIN ? (
            <Contents sections={sections} />
          ) : null}
          {/* From `renderMarkdown`, which escapes raw HTML. */}
          {page.isSideBySide === true ? (
            <div class="side-by-side">
              {rendered.html.split(/(?=<h2)/).map((html) => (
                <section key={html} dangerouslySetInnerHTML={{ __html: withFolds(html) }} />
              ))}
            </div>
          ) : (
            <div dangerouslySetInnerHTML={{ __html: rendered.html }} />
          )}
          {path === DOCS_PATH ? <ErrorIndex /> : null}
          <Neighbours path={path} />
        </article>
      </div>
    </Layout>
  );
}

/** A section whose parts under small headings are folded. A link to such a heading unfolds it. */
function withFolds(html: string): string {
  return html.replaceAll(
    /<h3 id="([^"]*)">(.*?) (<a class="heading-link".*?)<\/h3>(.*?)(?=<h3|$)/gs,
    '<details><summary><h3>$2</h3></summary><div id="$1">$3$4</div></details>',
  );
}

function Navigation({ path, label }: { readonly path: string; readonly label: string }): VNode {
  return (
    <nav class="docs-nav" aria-label={label}>
      <SearchForm />
      {DOCS.map((group) => (
        <details key={group.title} open={group.pages.some((page) => page.path === path)}>
          <summary>{group.title}</summary>
          <ul>
            {[...(group.links ?? []), ...group.pages].map((page) => (
              <li key={page.path}>
                <a href={page.path} aria-current={page.path === path ? 'page' : undefined}>
                  {page.title}
                </a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}

function Contents({ sections }: { readonly sections: readonly Heading[] }): VNode {
  return (
    <nav class="docs-contents" aria-label="On this page">
      <p class="soft small">On this page</p>
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
    <nav class="row docs-neighbours" aria-label="Next and previous page">
      {before === undefined ? <span /> : <a href={before.path}>← {before.title}</a>}
      {after === undefined ? <span /> : <a href={after.path}>Next: {after.title} →</a>}
    </nav>
  );
}
