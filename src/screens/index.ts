import type { FastifyInstance } from 'fastify';
import { MOVED_PATHS, SCREEN_PATHS, shareImagePath } from '../site/paths.js';
import { queryOf } from '../site/query.js';
import { BODY } from './body/screen.js';
import { DIMENSION } from './dimension/screen.js';
import { FIT_ADDRESS } from './fit/address.js';
import { PERSON } from './person/screen.js';
import { REACH_ADDRESS } from './reach/address.js';
import { readField } from './shared/address-fields.js';
import { DEFAULT_POPULATIONS, NAMES_PEOPLE, populationsQuery } from './shared/populations.js';
import type { Screen, ScreenNeeds } from './shared/screen.js';
import { screenRoutes } from './shared/screen-routes.js';
import { SIZES_ADDRESS } from './sizes/address.js';

/** All screens. Their addresses and names are in `paths.ts`, because the browser also uses them. */
export const SCREENS: readonly Screen<unknown, unknown>[] = [
  BODY,
  {
    ...{ id: 'fit', address: FIT_ADDRESS },
    page: async () => (await import('./fit/page.js')).PAGE,
  },
  {
    ...{ id: 'reach', address: REACH_ADDRESS },
    page: async () => (await import('./reach/page.js')).PAGE,
  },
  {
    ...{ id: 'sizes', address: SIZES_ADDRESS },
    page: async () => (await import('./sizes/page.js')).PAGE,
  },
  DIMENSION,
  PERSON,
];

/** Registers the screens. Each screen has its own scope. */
export async function screensRoutes(app: FastifyInstance, needs: ScreenNeeds): Promise<void> {
  for (const screen of SCREENS) {
    await app.register(async (scope) => {
      screen.routes?.(scope, needs);
      screenRoutes(scope, screen, needs);
    });
  }
  for (const moved of MOVED_PATHS) {
    for (const pathOf of [(path: string) => path, dataPath, shareImagePath]) {
      app.get(pathOf(moved), (request, reply) => {
        const [path, query] = MOVED[moved](queryOf(request));
        return reply.redirect(`${pathOf(path)}?${query}`, 308);
      });
    }
  }
}

const dataPath = (path: string) => `${path}/data`;

/** The screens and queries in place of those of screens that moved. */
const MOVED: Readonly<
  Record<(typeof MOVED_PATHS)[number], (query: string) => readonly [path: string, query: string]>
> = {
  '/explore/sheet': (query) => [SCREEN_PATHS.body, ['form=sheet', query].filter(Boolean).join('&')],
  '/explore/world'(query) {
    // An address without populations meant the default ones, whatever its gender and age.
    const people = readField(NAMES_PEOPLE, query) ? '' : populationsQuery(DEFAULT_POPULATIONS);
    const all = ['view=countries', query, query === '' ? '' : people];
    return [SCREEN_PATHS.dimension, all.filter(Boolean).join('&')];
  },
};
