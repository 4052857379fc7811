import type { View } from '../../src/core/explorer-view.js';
import type { Table } from './table.js';

/** Properties of the page's styles that an exported picture must carry itself. */
const PICTURE_PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'font-family',
  'font-size',
  'font-weight',
  'opacity',
] as const;
/** PNG pixels per page pixel, so that the picture is sharp in print. */
const PNG_SCALE = 2;
const SVG = 'http://www.w3.org/2000/svg';

/** A table as CSV (RFC 4180), with a byte order mark so that spreadsheets read it as UTF-8. */
export function csvOf({ head, rows }: Table): string {
  const cell = (value: string | number) => {
    const text = String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/** Height of a line of the legend in pixels. */
const LEGEND_LINE = 22;

/** A standalone picture and its size in pixels. */
export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/**
 * A chart as a standalone SVG document. The page's styles become attributes, and the names of the
 * series, which the page shows elsewhere, become a legend below the chart.
 *
 * @param names of the series in order; empty for a single series
 */
export function svgOf(chart: SVGSVGElement, title: string, names: readonly string[]): Picture {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const originals = [chart, ...chart.querySelectorAll('*')];
  for (const [index, part] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const original = originals[index];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const name of PICTURE_PROPERTIES) part.setAttribute(name, style.getPropertyValue(name));
    for (const name of ['class', 'tabindex', 'role', ...ariaOf(part)]) {
      part.removeAttribute(name);
    }
  }
  const { width, height: chartHeight } = chart.viewBox.baseVal;
  const height = chartHeight + names.length * LEGEND_LINE;
  const size = { width: String(width), height: String(height) };
  const ground = element('rect', { ...size, fill: colour('--surface') });
  copy.prepend(element('title', {}, title), ground);
  copy.append(...names.flatMap((name, index) => legendLine(name, index, chartHeight)));
  for (const [name, value] of Object.entries(size)) copy.setAttribute(name, value);
  copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
  copy.setAttribute('xmlns', SVG);
  return { svg: new XMLSerializer().serializeToString(copy), width, height };
}

function legendLine(name: string, index: number, top: number): SVGElement[] {
  const y = top + index * LEGEND_LINE;
  const box = { x: '12', y: String(y), width: '12', height: '12' };
  const { fontFamily } = getComputedStyle(document.body);
  const style = { 'font-family': fontFamily, 'font-size': '13px', fill: colour('--ink') };
  return [
    element('rect', { ...box, fill: colour(`--series-${index + 1}`) }),
    element('text', { ...style, x: '32', y: String(y + 11) }, name),
  ];
}

function colour(property: string): string {
  return getComputedStyle(document.body).getPropertyValue(property);
}

function element(tag: string, attributes: Record<string, string>, text = ''): SVGElement {
  const made = document.createElementNS(SVG, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

function ariaOf(part: Element): string[] {
  return part.getAttributeNames().filter((name) => name.startsWith('aria-'));
}

/** Converts a picture to PNG. */
export async function pngOf({ svg, width, height }: Picture): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width * PNG_SCALE;
    canvas.height = height * PNG_SCALE;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob === null) reject(new Error('The browser could not create the picture.'));
        else resolve(blob);
      }, 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Lets the browser save a file. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the address only after this turn, so it must stay valid for a while.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Name of an exported file, without its extension. */
export function fileName({ kind, measurement, linked, gender, age, countries }: View): string {
  const what = kind === 'connected' ? `${measurement}-${linked}` : measurement;
  const who = kind === 'ages' ? gender : `${gender}-${age}`;
  return `vitruvia-${what}-${who}-${countries.join('-')}-${kind}`.replace(/[^\w.-]/g, '');
}
