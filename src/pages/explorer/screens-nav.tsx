import type { FastifyInstance } from 'fastify';
import type { VNode } from 'preact';
import { EXPLORER_PATHS, type Screen } from '../../core/explorer-paths.js';

const LABELS: Readonly<Record<Screen, string>> = {
  body: 'Body',
  fit: 'Fit',
  sheet: 'Sheet',
  dimension: 'Dimension',
};

/** The screens of the explorer that this service has a route for, in the order of the bar. */
export function screensOf(app: FastifyInstance): Screen[] {
  const screens = Object.keys(EXPLORER_PATHS) as Screen[];
  return screens.filter((screen) => app.hasRoute({ method: 'GET', url: EXPLORER_PATHS[screen] }));
}

interface ScreensNavProps {
  /** The screen that the page shows. */
  readonly current: Screen;
  /** The screens to link to, from `screensOf(request.server)`. */
  readonly screens: readonly Screen[];
}

/** The bar that leads from each screen of the explorer to the others. */
export function ScreensNav({ current, screens }: ScreensNavProps): VNode {
  return (
    <nav class="screens-nav" aria-label="Screens">
      {screens.map((screen) => (
        <a
          key={screen}
          href={EXPLORER_PATHS[screen]}
          aria-current={screen === current ? 'page' : undefined}
        >
          {LABELS[screen]}
        </a>
      ))}
    </nav>
  );
}
