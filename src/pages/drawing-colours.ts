/**
 * Light colours of `web/styles/tokens.css`, and the colours of bodies that `web/dimension/figure.css` mixes
 * from them. Images are opaque, because few programs say whether their pages are dark.
 */
export const COLOUR = {
  ground: '#f6f4ee',
  surface: '#fdfcf9',
  surfaceSunken: '#ecebe3',
  gridFine: '#e9e6dc',
  ink: '#1c1f23',
  inkSoft: '#565c64',
  rule: '#d8d9d4',
  ruleStrong: '#85898f',
  accent: '#0b5f66',
  skin: '#ededea',
  outline: '#919292',
  detail: '#b5b5b5',
  prop: '#c2c3c1',
} as const;

/** Colours of series, from the first. */
export const SERIES = [
  '#0b5f66',
  '#c2410c',
  '#4059ad',
  '#8a6d00',
  '#a12d73',
  '#2f7d32',
  '#6b5b95',
  '#0072b2',
  '#8c4b2f',
  '#5a6168',
] as const;

/** The colour of a series, counted from 0. */
export function seriesColour(index: number): string {
  return SERIES[index % SERIES.length] ?? COLOUR.ink;
}

/**
 * Styles of people to scale, as in `web/styles/people.css`. The library that draws images supports neither
 * CSS variables nor lines of constant width.
 *
 * @param scale pixels per mm of the figures; line widths are given in pixels
 */
export function peopleStyles(scale: number): string {
  const { rule, ink, inkSoft, surfaceSunken, accent } = COLOUR;
  const line = (px: number) => (px / scale).toFixed(2);
  const series = SERIES.map(
    (
      colour,
      index,
    ) => `.series-${index + 1} .people-p5,.series-${index + 1} .people-p95,.series-${index + 1} .people-p50,.series-${index + 1} .people-detail,.series-${index + 1} .people-median{stroke:${colour}}
.series-${index + 1} .people-p50,.series-${index + 1} .people-shade,.series-${index + 1} .people-band{fill:${colour}}`,
  ).join('\n');
  return `.people-grid{fill:none;stroke:${rule};stroke-width:.5}
.people-grid-strong{fill:none;stroke:${rule};stroke-width:1}
.people-floor{fill:none;stroke:${ink};stroke-width:1.5}
.people-text{fill:${inkSoft};font-size:12px}
.people-height{fill:${ink}}
.people-label{fill:${ink};font-size:13px;font-weight:600}
.people-p5,.people-p95{fill:none;stroke-width:${line(1.2)}}
.people-p5{stroke-dasharray:${line(4)} ${line(3)}}
.people-p50{fill-opacity:.2;stroke-width:${line(1.2)}}
.people-p50.overlaid{fill-opacity:.18}
.people-shade{fill-opacity:.15}
.people-detail{fill:none;stroke-width:${line(0.8)}}
.people-prop{fill:${surfaceSunken};stroke:${inkSoft};stroke-width:${line(1)}}
.people-band{fill-opacity:.45}
.people-median{stroke-width:2.5}
.people-leader{fill:none;stroke:${inkSoft};stroke-width:.6;stroke-dasharray:2 3}
.people-region{fill:${accent};fill-opacity:.3;stroke:${ink};stroke-width:${line(1.5)}}
${series}`;
}

/**
 * Styles of drawings of the body and of products, as in `web/dimension/figure.css` and `web/fit/fit.css`.
 *
 * @param unit width of an image pixel in the coordinates of the drawing
 */
export function figureStyles(unit: number): string {
  const { skin, outline, detail, prop, rule, ink, accent, surface } = COLOUR;
  const line = (px: number) => (px * unit).toFixed(2);
  const run = SERIES[1];
  return `.figure-body{fill:${skin};stroke:${outline};stroke-width:${line(1.5)};stroke-linejoin:round}
.figure-detail{fill:none;stroke:${detail};stroke-width:${line(1)}}
.figure-prop{fill:none;stroke:${prop};stroke-width:${line(1.2)}}
.figure-run{fill:none;stroke:${run};stroke-width:${line(2.4)}}
.figure-hidden,.figure-edge{fill:none;stroke:${run};stroke-width:${line(1.2)};stroke-dasharray:${line(4)}}
.figure-arrow,.figure-point{fill:${run}}
.sheet-number circle{fill:${surface};stroke:${run};stroke-width:${line(1.2)}}
.sheet-number text{fill:${ink}}
.grid-lines{fill:none;stroke:${rule};stroke-width:${line(0.8)}}
.product{fill:none;stroke:${ink};stroke-width:${line(3)};stroke-linejoin:round}
.product.dashed{stroke-width:${line(2)};stroke-dasharray:${line(8)} ${line(6)}}
.dimension-line{fill:none;stroke:${accent};stroke-width:${line(2)}}
.need{fill:none;stroke-width:${line(4.5)}}
${SERIES.map((colour, index) => `.need.series-${index + 1}{stroke:${colour}}`).join('\n')}`;
}
