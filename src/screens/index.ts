import type { FastifyInstance } from 'fastify';
import { BODY } from './body/screen.js';
import { DIMENSION } from './dimension/screen.js';
import { FIT } from './fit/screen.js';
import { PERSON } from './person/screen.js';
import { REACH } from './reach/screen.js';
import type { Screen, ScreenNeeds } from './shared/screen.js';
import { screenRoutes } from './shared/screen-routes.js';
import { SHEET } from './sheet/screen.js';
import { SIZES } from './sizes/screen.js';
import { WORLD } from './world/screen.js';

/** All screens. Their addresses and names are in `paths.ts`, because the browser also uses them. */
export const SCREENS: readonly Screen<unknown, unknown>[] = [
  BODY,
  FIT,
  REACH,
  SIZES,
  SHEET,
  DIMENSION,
  PERSON,
  WORLD,
];

/** Registers the screens. Each screen has its own scope. */
export async function screensRoutes(app: FastifyInstance, needs: ScreenNeeds): Promise<void> {
  for (const screen of SCREENS) {
    await app.register(async (scope) => {
      screen.routes?.(scope, needs);
      screenRoutes(scope, screen, needs);
    });
  }
}
