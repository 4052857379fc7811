import { PAGES } from '../pages/docs/index.js';
import { PICTURES_PATH } from '../pages/docs/rendered-text.js';
import { SEARCH_PATH } from '../pages/docs/search-page.js';
import { MARK_PATH } from '../site/mark.js';
import {
  FIGURE_PATH,
  PEOPLE_PATH,
  SCREEN_PATHS,
  SURFACE_PATH,
  shareImagePath,
} from '../site/paths.js';

/**
 * How a route without an API key is answered:
 *
 * - `static`: on the event loop, from memory or from a file
 * - `kept`: in the page thread; the text is made once per version of the model and then cached
 * - `computed`: in the page thread; the answer depends on the query, and each address has a limit
 * - `account`: on the event loop; forms and pages of a session, with their own limits
 * - `message`: on the event loop; a signed message of the payment provider
 */
export type RouteClass = 'static' | 'kept' | 'computed' | 'account' | 'message';

const classed = (kind: RouteClass, paths: readonly string[]) =>
  Object.fromEntries(paths.map((path) => [path, kind]));

const SCREENS = Object.values(SCREEN_PATHS);

/**
 * All routes that need no API key. `*` stands for the rest of a path. A test refuses routes that are missing
 * here. The page app answers the routes that are `kept` or `computed`. It runs in its own thread.
 */
export const KEYLESS_ROUTES: Readonly<Record<string, RouteClass>> = {
  // A program gets the catalog from memory. A browser gets a page, which is of the kind `kept`.
  ...classed('static', ['/', '/health', '/ready', '/assets/*', MARK_PATH]),
  ...classed('kept', ['/openapi.json', '/llms.txt', '/llms-full.txt', SURFACE_PATH]),
  ...classed(
    'kept',
    PAGES.map(({ path }) => path),
  ),
  ...classed('kept', ['/docs/', '/docs/reference', '/docs/reference/', `${PICTURES_PATH}/*`]),
  ...classed('computed', [SEARCH_PATH, shareImagePath('/'), FIGURE_PATH, `${PEOPLE_PATH}*`]),
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

/** The routes of the page app. The page app also answers `/` for browsers. */
export const PAGE_ROUTES: readonly string[] = Object.entries(KEYLESS_ROUTES)
  .filter(([, kind]) => kind === 'kept' || kind === 'computed')
  .map(([path]) => path);
