import { extent, ticks } from 'd3-array';
import { line } from 'd3-shape';

/** Points of a line or of dots. */
export interface Points {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

/**
 * The lines of the model and the dots of the sources in one panel. A line and the dots with the same index
 * have one colour.
 */
export interface Panel {
  readonly title?: string;
  readonly lines: readonly Points[];
  readonly dots?: readonly Points[];
}

/** A chart of one or several panels with one scale. */
export interface Chart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly labels: readonly string[];
  readonly panels: readonly Panel[];
}

/** Colours that colour-blind readers can distinguish (Okabe and Ito 2008). */
const COLOURS = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#56B4E9', '#E69F00', '#000000'];
const [WIDTH, LEFT, TOP, GAP] = [860, 60, 62, 20];
const [COLUMNS_MOST, TICKS] = [4, 7];

const fixed = (value: number): string => String(Number(value.toFixed(1)));
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const textAt = (x: number, y: number, content: string, extra = ' text-anchor="middle"'): string =>
  `<text x="${fixed(x)}" y="${fixed(y)}"${extra}>${escapeXml(content)}</text>`;
const gridLine = (x1: number, y1: number, x2: number, y2: number): string =>
  `<path d="M${fixed(x1)} ${fixed(y1)}L${fixed(x2)} ${fixed(y2)}" stroke="#ddd"/>`;

/** A linear scale over some values with a margin of 4 %. */
function scaleOf(values: readonly number[]) {
  const [low = 0, high = 1] = extent(values);
  const margin = (high - low || 1) * 0.04;
  const [from, to] = [low - margin, high + margin];
  return {
    ticks: ticks(from, to, TICKS),
    at: (value: number, start: number, size: number) =>
      start + ((value - from) / (to - from)) * size,
  };
}

/** Draws a chart as SVG text. */
export function drawChart({ title, xLabel, yLabel, labels, panels }: Chart): string {
  const all = panels.flatMap(({ lines, dots = [] }) => [...lines, ...dots]);
  const xScale = scaleOf(all.flatMap(({ xs }) => xs));
  const yScale = scaleOf(all.flatMap(({ ys }) => ys));
  const columns = Math.min(COLUMNS_MOST, panels.length);
  const width = (WIDTH - LEFT) / columns - GAP;
  const height = panels.length === 1 ? 300 : 155;
  const rowHeight = height + 2 * GAP;
  const bottom = TOP + Math.ceil(panels.length / columns) * rowHeight;

  const body = labels.flatMap((label, i) => {
    const x = 10 + labels.slice(0, i).reduce((sum, { length }) => sum + 26 + length * 6.2, 0);
    const dot = `<circle cx="${fixed(x + 5)}" cy="36" r="4" fill="${COLOURS[i]}"/>`;
    return [dot, textAt(x + 13, 40, label, '')];
  });
  panels.forEach(({ title = '', lines, dots = [] }, panel) => {
    const [x0, y0] = [
      LEFT + (panel % columns) * (width + GAP),
      TOP + Math.floor(panel / columns) * rowHeight,
    ];
    const x = (value: number) => xScale.at(value, x0, width);
    const y = (value: number) => yScale.at(value, y0 + height, -height);
    body.push(textAt(x0 + width / 2, y0 - 4, title, ' text-anchor="middle" font-weight="bold"'));
    for (const tick of xScale.ticks) {
      body.push(gridLine(x(tick), y0, x(tick), y0 + height));
      body.push(textAt(x(tick), y0 + height + 13, String(tick)));
    }
    for (const tick of yScale.ticks) {
      body.push(gridLine(x0, y(tick), x0 + width, y(tick)));
      if (panel % columns === 0) {
        body.push(textAt(x0 - 6, y(tick) + 4, String(tick), ' text-anchor="end"'));
      }
    }
    dots.forEach(({ xs, ys }, i) => {
      const style = `r="1.8" fill="none" stroke="${COLOURS[i]}" stroke-width="0.7"`;
      for (const [k, at] of xs.entries()) {
        body.push(`<circle cx="${fixed(x(at))}" cy="${fixed(y(ys[k] ?? Number.NaN))}" ${style}/>`);
      }
    });
    lines.forEach(({ xs, ys }, i) => {
      const path = line<number>((_, k) => x(xs[k] ?? Number.NaN), y).digits(1)(ys);
      body.push(`<path d="${path}" fill="none" stroke="${COLOURS[i]}" stroke-width="1.4"/>`);
    });
  });
  const middle = (TOP + bottom) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 14}" width="${WIDTH}" height="${bottom + 14}" font-family="sans-serif" font-size="11">`,
    `<title>${escapeXml(title)}</title>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    textAt(10, 18, title, ' font-size="14"'),
    ...body,
    textAt(WIDTH / 2, bottom, xLabel),
    textAt(14, middle, yLabel, ` text-anchor="middle" transform="rotate(-90 14 ${fixed(middle)})"`),
    '</svg>\n',
  ].join('\n');
}
