import type { FastifyInstance } from 'fastify';

/** Address of the logo, which is also the icon of the pages. */
export const MARK_PATH = '/favicon.svg';

/** Lines of the logo in a box of 32 by 32, with their widths. */
export const MARK_LINES = [
  { d: 'M5 4v24M27 4v24', width: 1.5 },
  { d: 'M8 6l8 20 8-20', width: 4 },
  { d: 'M9 28.5h14', width: 1.5 },
] as const;

/** The filled arrowheads of the logo. */
export const MARK_ARROWS = 'M5.5 28.5l4.5-2.2v4.4zM26.5 28.5l-4.5-2.2v4.4z';

/**
 * The logo: a V between the arrows of a dimension line, as on a technical drawing. It defines its own colours
 * for dark backgrounds, because an icon inherits none.
 */
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<style>path{fill:none;stroke:#0b5f66;stroke-linecap:round;stroke-linejoin:round}.fill{fill:#0b5f66;stroke:none}
@media (prefers-color-scheme:dark){path{stroke:#6cc5cc}.fill{fill:#6cc5cc}}</style>
${MARK_LINES.map(({ d, width }) => `<path d="${d}" stroke-width="${width}"/>`).join('\n')}
<path class="fill" d="${MARK_ARROWS}"/>
</svg>
`;
const DAY_SECONDS = 24 * 3600;

/** Serves the mark. */
export function markRoute(app: FastifyInstance): void {
  app.get(MARK_PATH, (_request, reply) =>
    reply
      .header('cache-control', `public, max-age=${DAY_SECONDS}`)
      .type('image/svg+xml; charset=utf-8')
      .send(MARK),
  );
}
