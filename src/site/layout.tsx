import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { SERVICE_NAME } from '../core/version.js';
import { pageAssets } from './assets.js';
import { MARK_PATH } from './mark.js';
import {
  DOCS_PATH,
  GUIDES_INDEX_PATH,
  SCREEN_LABELS,
  SCREEN_PATHS,
  SCREEN_QUESTIONS,
  type ScreenId,
  shareImagePath,
  type ViewPicture,
} from './paths.js';

/** Properties of every page. */
export interface LayoutProps {
  readonly title: string;
  /** The header entry that is marked as current. */
  readonly section?: 'guides' | 'docs' | 'sign-up' | 'account' | undefined;
  /** Script of the page, such as `web/docs/main.ts`. */
  readonly entry?: string | undefined;
  /** One sentence for search engines. */
  readonly description?: string | undefined;
  /** Canonical path of the page, if several addresses show the same page. */
  readonly canonical?: string | undefined;
  /** Whether a user is signed in; the header then links to the account. */
  readonly signedIn?: boolean | undefined;
  /** On a screen: which one it is, and the addresses of all screens with its people. */
  readonly screen?: { readonly id: ScreenId; hrefOf(id: ScreenId): string } | undefined;
  /** Whether the script and the fonts come after what the first paint needs, as on a screen. */
  readonly paintsFirst?: boolean | undefined;
  /** Tags for other sites that show a link to the page. */
  readonly share?: ShareTags | undefined;
  readonly children: ComponentChildren;
}

/** Content of the tags for other sites. */
export interface ShareTags {
  /** Public URL of the service, such as `https://vitruvia.example`. */
  readonly origin: string;
  /** Content of the page, in one line. */
  readonly title: string;
  /** Path and query of the image, 1,200 by 630 pixels; undefined if there is no view to show. */
  readonly image?: string | undefined;
}

/** A complete page: head, header, main part and footer. */
export function Layout(props: LayoutProps): VNode {
  const {
    title,
    entry,
    description,
    canonical,
    section,
    signedIn = false,
    share,
    screen,
    paintsFirst: isLater = screen !== undefined,
    children,
  } = props;
  const { scripts, styles, preloads, fonts } = pageAssets(entry);
  const priority = isLater ? { fetchPriority: 'low' as const } : {};
  return (
    <html lang="en" data-signed-in={signedIn ? '' : undefined}>
      <head>
        <meta charSet="utf-8" />
        <title>{`${title} – ${SERVICE_NAME}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {description === undefined ? null : <meta name="description" content={description} />}
        {canonical === undefined ? null : <link rel="canonical" href={canonical} />}
        {share === undefined ? null : <ShareMeta {...props} share={share} />}
        <link rel="icon" href={MARK_PATH} type="image/svg+xml" />
        <meta name="theme-color" content="#f6f4ee" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#14171a" media="(prefers-color-scheme: dark)" />
        {(isLater ? [] : fonts).map((href) => (
          <link
            key={href}
            rel="preload"
            href={href}
            as="font"
            type="font/woff2"
            crossOrigin="anonymous"
          />
        ))}
        {styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {preloads.map((href) => (
          <link key={href} rel="modulepreload" href={href} {...priority} />
        ))}
        {scripts.map((src) => (
          <script key={src} type="module" src={src} {...priority} />
        ))}
      </head>
      <body>
        <a class="skip-link" href="#main">
          Skip to main content
        </a>
        <Header {...{ section, signedIn, canonical, screen }} />
        <main
          id="main"
          class={screen === undefined ? 'site-main' : 'site-main screen-main'}
          tabIndex={-1}
        >
          {children}
        </main>
        <Footer />
      </body>
    </html>
  );
}

/** The Open Graph protocol (https://ogp.me), and the one tag that it lacks for large images. */
function ShareMeta({
  share: { origin, title, image },
  description,
  canonical = '/',
}: LayoutProps & { readonly share: ShareTags }): VNode {
  const texts = [
    ['og:site_name', SERVICE_NAME],
    ['og:type', 'website'],
    ['og:title', title],
    ['og:description', description],
    ['og:url', origin + canonical],
    ...(image === undefined
      ? []
      : [
          ['og:image', origin + image],
          ['og:image:type', 'image/png'],
          ['og:image:width', '1200'],
          ['og:image:height', '630'],
          ['og:image:alt', title],
        ]),
  ] as const;
  return (
    <>
      {texts.map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
      <meta name="twitter:card" content={image === undefined ? 'summary' : 'summary_large_image'} />
    </>
  );
}

type HeaderProps = Required<Pick<LayoutProps, 'signedIn'>> &
  Pick<LayoutProps, 'section' | 'canonical' | 'screen'>;

function Header({ section, signedIn, canonical, screen }: HeaderProps): VNode {
  // Someone who signs in on a screen comes back to its view.
  const back =
    screen !== undefined && canonical !== undefined ? `?next=${encodeURIComponent(canonical)}` : '';
  const current = (name: LayoutProps['section']) =>
    name !== undefined && section === name ? 'page' : undefined;
  return (
    <header class="site-header">
      <div>
        <a class="site-name" href="/">
          <img class="site-mark" src={MARK_PATH} alt="" width="24" height="24" />
          <span>{SERVICE_NAME}</span>
        </a>
        <button type="button" class="menu-button" popovertarget="site-menu">
          Menu
        </button>
        <div id="site-menu" class="site-menu" popover="auto">
          <nav class="row screens-nav" aria-label="Screens">
            {SCREENS.map((id) => (
              <a
                key={id}
                href={screen?.hrefOf(id) ?? SCREEN_PATHS[id]}
                aria-current={id === screen?.id ? 'page' : undefined}
                data-screen={id}
              >
                {SCREEN_LABELS[id]} <small>{SCREEN_QUESTIONS[id]}</small>
              </a>
            ))}
          </nav>
          <nav class="row site-nav" aria-label="Main">
            {MAIN.map(([href, label, name]) => (
              <a key={href} href={href} aria-current={current(name)}>
                {label}
              </a>
            ))}
            {signedIn ? (
              <a class="at-end" href="/account" aria-current={current('account')}>
                Account
              </a>
            ) : (
              <>
                <a
                  class="get-key at-end"
                  href={`/account/sign-up${back}`}
                  aria-current={current('sign-up')}
                >
                  Get a key
                </a>
                <a href={`/account/sign-in${back}`} aria-current={current('account')}>
                  Sign in
                </a>
              </>
            )}
          </nav>
        </div>
      </div>
    </header>
  );
}

const SCREENS = Object.keys(SCREEN_PATHS) as readonly ScreenId[];

/** Links of the header and the footer, with the section that each marks. */
const MAIN = [
  [GUIDES_INDEX_PATH, 'Guides', 'guides'],
  [DOCS_PATH, 'Docs', 'docs'],
  ['/#prices', 'Prices', undefined],
] as const;

function Footer(): VNode {
  return (
    <footer class="site-footer">
      <div>
        <span>{SERVICE_NAME}: body measurement predictions</span>
        {MAIN.map(([href, label]) => (
          <a key={href} href={href}>
            {label}
          </a>
        ))}
        <a href="/openapi.json">OpenAPI</a>
        <a href="/account/sign-up">Get a key</a>
      </div>
    </footer>
  );
}

/** A page as HTML text. */
export function renderPage(page: VNode): string {
  return `<!DOCTYPE html>${renderToString(page)}`;
}

/**
 * Path and query of the share image of a view. It contains the version of the data, so that new data
 * has a new address. A page without data has no image.
 */
export function imageOf(
  path: string,
  query: string,
  first: { readonly data: { readonly artifactVersion: string } } | { readonly problem: unknown },
): string | undefined {
  return 'data' in first ? shareImageOf(path, query, first.data.artifactVersion) : undefined;
}

/** Path and query of a picture of a view of a screen. New data have a new address, because browsers keep it. */
export function shareImageOf(
  path: string,
  query: string,
  artifactVersion: string,
  form: ViewPicture = 'png',
): string {
  const version = `v=${encodeURIComponent(artifactVersion)}`;
  return `${shareImagePath(path, form)}?${query === '' ? version : `${query}&${version}`}`;
}
