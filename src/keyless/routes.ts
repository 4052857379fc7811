import { PAGES } from '../pages/docs/index.js';
import { PICTURES_PATH } from '../pages/docs/rendered-text.js';
import { SEARCH_PATH } from '../pages/docs/search-page.js';
import { MARK_PATH } from '../pages/mark.js';
import { FIGURE_PATH, SCREEN_PATHS, SURFACE_PATH, shareImagePath } from '../pages/screens/paths.js';

/**
 * How a route without an API key is answered:
 *
 * - `static`: from memory or from a file, on the event loop
 * - `kept`: a text that is made once per version of the model, beside the event loop, and kept
 * - `computed`: an answer that depends on the query, made beside the event loop, within a limit for each address
 * - `account`: forms and pages of a session, on the event loop, with limits of their own
 * - `message`: a signed message of the payment provider, on the event loop
 */
export type RouteClass = 'static' | 'kept' | 'computed' | 'account' | 'message';

const classed = (kind: RouteClass, paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, kind]));

const SCREENS = Object.values(SCREEN_PATHS);

/**
 * All routes that need no API key. `*` stands for the rest of a path. A test refuses a route that is not here.
 * Routes that are `kept` or `computed` are answered by the page app, which runs in a thread of its own.
 */
export const KEYLESS_ROUTES: Readonly<Record<string, RouteClass>> = {
  // A program gets the catalog from memory. Browsers get a page, which is kept.
  ...classed('static', ['/', '/health', '/ready', '/assets/*', MARK_PATH]),
  ...classed('kept', ['/openapi.json', '/llms.txt', '/llms-full.txt', SURFACE_PATH]),
  ...classed(
    'kept',
    PAGES.map(({ path }) => path),
  ),
  ...classed('kept', ['/docs/', '/docs/reference', '/docs/reference/', `${PICTURES_PATH}/*`]),
  ...classed('computed', [SEARCH_PATH, shareImagePath('/'), FIGURE_PATH]),
  ...classed('computed', SCREENS),
  ...classed(
    'computed',
    SCREENS.map((path) => `${path}/data`),
  ),
  ...classed('computed', SCREENS.map(shareImagePath)),
  ...classed(
    'computed',
    ['csv', 'svg'].map((kind) => `${SCREEN_PATHS.sheet}.${kind}`),
  ),
  ...classed('account', ['/account', '/account/*']),
  ...classed('message', ['/webhooks/stripe']),
};

/** The routes of the page app, besides its page at `/`. */
export const PAGE_ROUTES: readonly string[] = Object.entries(KEYLESS_ROUTES)
  .filter(([, kind]) => kind === 'kept' || kind === 'computed')
  .map(([path]) => path);
