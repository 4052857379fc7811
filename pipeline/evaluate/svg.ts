/** One series of a chart; undefined values are not drawn. */
export interface Series {
  readonly label: string;
  readonly values: readonly (number | undefined)[];
}

interface Frame {
  readonly title: string;
  readonly xLabel: string;
}

/** A dot chart: a line per category, a dot per series. */
export interface DotChart extends Frame {
  readonly categories: readonly string[];
  readonly series: readonly Series[];
  /** Values marked by a dashed line. */
  readonly marks: readonly number[];
}

/** A line chart over numbers. */
export interface LineChart extends Frame {
  readonly xs: readonly number[];
  readonly yLabel: string;
  readonly series: readonly Series[];
  readonly marks: readonly number[];
}

/** Colours that colour-blind readers can distinguish (Okabe and Ito 2008). */
const COLOURS = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#56B4E9', '#E69F00', '#000000'];
const WIDTH = 860;
const ROW = 16;

const colourOf = (index: number): string => COLOURS[index % COLOURS.length] as string;
const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const fixed = (value: number): string => String(Number(value.toFixed(1)));

function text(x: number, y: number, content: string, anchor = 'start', extra = ''): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}"${extra}>${escapeXml(content)}</text>`;
}

function line(x1: number, y1: number, x2: number, y2: number, style: string): string {
  return `<line x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}" ${style}/>`;
}

const GRID = 'stroke="#ddd"';
const MARK = 'stroke="#999" stroke-dasharray="4 3"';

/** Round steps that divide a range into about five to ten parts. */
export function ticks(low: number, high: number): number[] {
  const raw = (high - low) / 7;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((m) => m * power >= raw) as number) * power;
  const found: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9; i++) {
    found.push(Number((i * step).toPrecision(6)));
  }
  return found;
}

function extent(values: readonly (number | undefined)[]): [number, number] {
  const known = values.filter((value) => value !== undefined);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const margin = (high - low || 1) * 0.04;
  return [low - margin, high + margin];
}

function document(height: number, title: string, body: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="11">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    text(10, 18, title, 'start', ' font-size="14"'),
    ...body,
    '</svg>\n',
  ].join('\n');
}

function legend(series: readonly Series[], y: number): string[] {
  let x = 10;
  return series.flatMap(({ label }, i) => {
    const at = x;
    x += 26 + label.length * 6.2;
    const dot = `<circle cx="${fixed(at + 5)}" cy="${y - 4}" r="4" fill="${colourOf(i)}"/>`;
    return [dot, text(at + 13, y, label)];
  });
}

/** Draws a dot chart as SVG text; the axis begins at 0 unless a value is negative. */
export function dotChart(chart: DotChart): string {
  const [left, right, top] = [280, 20, 56];
  const bottom = top + chart.categories.length * ROW;
  const all = [...chart.series.flatMap(({ values }) => values), ...chart.marks];
  const [least, high] = extent(all);
  const low = all.every((value) => value === undefined || value >= 0) ? 0 : least;
  const x = (value: number): number =>
    left + ((value - low) / (high - low)) * (WIDTH - left - right);
  const body = [...legend(chart.series, 40)];
  for (const tick of ticks(low, high)) {
    body.push(line(x(tick), top, x(tick), bottom, GRID));
    body.push(text(x(tick), bottom + 14, String(tick), 'middle'));
  }
  for (const mark of chart.marks) body.push(line(x(mark), top, x(mark), bottom, MARK));
  chart.categories.forEach((category, row) => {
    const y = top + (row + 0.5) * ROW;
    body.push(text(left - 8, y + 4, category, 'end'));
    chart.series.forEach(({ values }, i) => {
      const value = values[row];
      if (value === undefined) return;
      body.push(`<circle cx="${fixed(x(value))}" cy="${fixed(y)}" r="4" fill="${colourOf(i)}"/>`);
    });
  });
  body.push(text((left + WIDTH - right) / 2, bottom + 32, chart.xLabel, 'middle'));
  return document(bottom + 42, chart.title, body);
}

/** One panel of a chart of panels: lines of the model, and dots of sources. */
export interface Panel {
  readonly title: string;
  readonly lines: readonly { readonly xs: readonly number[]; readonly ys: readonly number[] }[];
  readonly dots: readonly { readonly xs: readonly number[]; readonly ys: readonly number[] }[];
}

/** Several small charts with one scale; lines and dots of one index have one colour. */
export interface PanelChart extends Frame {
  readonly yLabel: string;
  readonly labels: readonly string[];
  readonly panels: readonly Panel[];
}

const PANEL_COLUMNS = 4;
const [PANEL_WIDTH, PANEL_HEIGHT] = [205, 190] as const;

/** Draws a chart of panels as SVG text. */
export function panelChart(chart: PanelChart): string {
  const all = chart.panels.flatMap(({ lines, dots }) => [...lines, ...dots]);
  const [lowX, highX] = extent(all.flatMap(({ xs }) => xs));
  const [lowY, highY] = extent(all.flatMap(({ ys }) => ys));
  const [left, top] = [46, 60];
  const [width, height] = [PANEL_WIDTH - 16, PANEL_HEIGHT - 34];
  const body = legend(
    chart.labels.map((label) => ({ label, values: [] })),
    40,
  );
  chart.panels.forEach(({ title, lines, dots }, panel) => {
    const x0 = left + (panel % PANEL_COLUMNS) * PANEL_WIDTH;
    const y0 = top + Math.floor(panel / PANEL_COLUMNS) * PANEL_HEIGHT;
    const x = (v: number): number => x0 + ((v - lowX) / (highX - lowX)) * width;
    const y = (v: number): number => y0 + height - ((v - lowY) / (highY - lowY)) * height;
    body.push(text(x0 + width / 2, y0 - 2, title, 'middle', ' font-weight="bold"'));
    for (const tick of ticks(lowX, highX)) {
      body.push(line(x(tick), y0, x(tick), y0 + height, GRID));
      body.push(text(x(tick), y0 + height + 13, String(tick), 'middle'));
    }
    for (const tick of ticks(lowY, highY)) {
      body.push(line(x0, y(tick), x0 + width, y(tick), GRID));
      if (panel % PANEL_COLUMNS === 0) body.push(text(x0 - 5, y(tick) + 4, String(tick), 'end'));
    }
    dots.forEach(({ xs, ys }, i) => {
      xs.forEach((at, k) => {
        const [cx, cy] = [fixed(x(at)), fixed(y(ys[k] as number))];
        body.push(
          `<circle cx="${cx}" cy="${cy}" r="1.8" fill="none" stroke="${colourOf(i)}" stroke-width="0.7"/>`,
        );
      });
    });
    lines.forEach(({ xs, ys }, i) => {
      const points = xs.map((at, k) => `${fixed(x(at))},${fixed(y(ys[k] as number))}`);
      const style = `fill="none" stroke="${colourOf(i)}" stroke-width="1.3"`;
      body.push(`<polyline points="${points.join(' ')}" ${style}/>`);
    });
  });
  const bottom = top + Math.ceil(chart.panels.length / PANEL_COLUMNS) * PANEL_HEIGHT;
  body.push(text(WIDTH / 2, bottom + 4, chart.xLabel, 'middle'));
  const middle = (top + bottom) / 2;
  body.push(text(10, middle, chart.yLabel, 'middle', ` transform="rotate(-90 10 ${middle})"`));
  return document(bottom + 14, chart.title, body);
}

/** Draws a line chart as SVG text. */
export function lineChart(chart: LineChart): string {
  const [left, right, top, bottom] = [60, 20, 56, 360];
  const [lowY, highY] = extent([...chart.series.flatMap(({ values }) => values), ...chart.marks]);
  const [lowX, highX] = extent(chart.xs);
  const x = (v: number): number => left + ((v - lowX) / (highX - lowX)) * (WIDTH - left - right);
  const y = (v: number): number => bottom - ((v - lowY) / (highY - lowY)) * (bottom - top);
  const body = [...legend(chart.series, 40)];
  for (const tick of ticks(lowX, highX)) {
    body.push(line(x(tick), top, x(tick), bottom, GRID));
    body.push(text(x(tick), bottom + 14, String(tick), 'middle'));
  }
  for (const tick of ticks(lowY, highY)) {
    body.push(line(left, y(tick), WIDTH - right, y(tick), GRID));
    body.push(text(left - 6, y(tick) + 4, String(tick), 'end'));
  }
  for (const mark of chart.marks) body.push(line(left, y(mark), WIDTH - right, y(mark), MARK));
  chart.series.forEach(({ values }, i) => {
    const points = values.flatMap((value, at) =>
      value === undefined ? [] : [`${fixed(x(chart.xs[at] as number))},${fixed(y(value))}`],
    );
    const style = `fill="none" stroke="${colourOf(i)}" stroke-width="1.5"`;
    body.push(`<polyline points="${points.join(' ')}" ${style}/>`);
  });
  body.push(text((left + WIDTH - right) / 2, bottom + 32, chart.xLabel, 'middle'));
  const turned = ` transform="rotate(-90 14 ${(top + bottom) / 2})"`;
  body.push(text(14, (top + bottom) / 2, chart.yLabel, 'middle', turned));
  return document(bottom + 42, chart.title, body);
}
