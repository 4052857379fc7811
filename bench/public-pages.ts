import { COUNTRY_CODES } from '../src/core/countries.js';
import { SCREEN_PATHS, shareImagePath } from '../src/site/paths.js';

// Pages that need no key, in three kinds. `static` is the same for everybody. `kept` is made for some parameters and
// then cached. `computed` is made for each request.

/** Routes of one kind. If a route has parameters, each number gives other parameters. */
export interface PublicPages {
  readonly kind: 'static' | 'kept' | 'computed';
  readonly name: string;
  path(number: number): string;
}

const fixed = (...paths: readonly [string, ...string[]]): PublicPages => ({
  kind: 'static',
  name: paths.length === 1 ? paths[0] : `${paths[0]} and ${paths.length - 1} more`,
  path: (number) => paths[number % paths.length] as string,
});

/** A population that differs for each number: 176 countries × 23 × 23 ages. */
const people = (number: number): string => {
  const country = COUNTRY_CODES[number % COUNTRY_CODES.length];
  const ages = Math.floor(number / COUNTRY_CODES.length);
  return `p=Both~${country}~${18 + (ages % 23)}-${42 + (Math.floor(ages / 23) % 23)}`;
};
const QUERIES: Readonly<Record<keyof typeof SCREEN_PATHS, (number: number) => string>> = {
  body: (number) => `${people(number)}&m=Stature`,
  fit: (number) => `product=bed&${people(number)}&length=${1600 + (number % 900)}`,
  reach: (number) =>
    `${people(number)}&target=Lever~${400 + (number % 300)}~-300~560~grip~right~none`,
  sizes: (number) => `${people(number)}&sizes=3`,
  dimension: (number) => `${people(number)}&measurement=Stature&value=${1400 + (number % 600)}`,
  person: (number) =>
    `gender=Female&age=${20 + (number % 60)}&country=DE&known=Stature~${1450 + (number % 433)}`,
};
const SCREENS = Object.keys(QUERIES) as (keyof typeof SCREEN_PATHS)[];

/** The digits of a number as letters, so that each number gives another word. */
const word = (number: number): string =>
  [...String(number)].map((digit) => String.fromCharCode(98 + Number(digit))).join('a');

/** Routes of each class. */
export const PUBLIC_PAGES: readonly PublicPages[] = [
  fixed('/'),
  fixed('/openapi.json'),
  fixed('/docs/errors'),
  fixed('/docs/reference'),
  fixed(
    ...([
      ...['predict', 'predict-range', 'predict-compare', 'population-percentiles'],
      ...['population-share', 'population-sizes', 'population-ranges', 'population-people'],
      ...['person', 'body', 'bodies', 'evidence', 'batch'],
    ].map((name) => `/docs/operations/${name}`) as [string, ...string[]]),
  ),
  {
    kind: 'computed',
    name: '/docs/search, single letters',
    path: (number) =>
      `/docs/search?q=${[...'abcdefghijklmnopqrstuvwxyz'].join('+')}+${number % 10}`,
  },
  {
    kind: 'computed',
    name: '/docs/search, ever new words',
    path: (number) =>
      `/docs/search?q=${Array.from({ length: 12 }, (_, i) => word(12 * number + i)).join('+')}`,
  },
  ...SCREENS.map(
    (screen): PublicPages => ({
      kind: 'computed',
      name: SCREEN_PATHS[screen],
      path: (number) => `${SCREEN_PATHS[screen]}?${QUERIES[screen](number)}`,
    }),
  ),
  {
    kind: 'kept',
    name: 'share images',
    path(number) {
      const screen = SCREENS[number % SCREENS.length] as keyof typeof SCREEN_PATHS;
      return `${shareImagePath(SCREEN_PATHS[screen])}?${QUERIES[screen](number)}`;
    },
  },
  { kind: 'computed', name: 'no such page', path: (number) => `/${word(number)}` },
  // This page comes last. If the service computes it for each request, the service stands still for long afterwards.
  fixed('/llms-full.txt'),
];
