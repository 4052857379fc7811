import type { View } from '../../src/dashboard/explorer/view.js';
import type { Table } from './table.js';

/** Properties of the page's styles that a picture needs when it is alone. */
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
/** Pixels of a PNG for each of the page's: sharp in print too. */
const PNG_SCALE = 2;

/** A table as CSV (RFC 4180), with a byte order mark so that spreadsheets read UTF-8. */
export function csvOf({ head, rows }: Table): string {
  const cell = (value: string | number) => {
    const text = String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/** A chart as an SVG document of its own: the page's styles become attributes. */
export function svgOf(chart: SVGSVGElement, title: string): string {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const originals = [chart, ...chart.querySelectorAll('*')];
  for (const [index, element] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const original = originals[index];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const name of PICTURE_PROPERTIES) element.setAttribute(name, style.getPropertyValue(name));
    for (const name of ['class', 'tabindex', 'role', ...ariaOf(element)]) {
      element.removeAttribute(name);
    }
  }
  const text = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  text.textContent = title;
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', getComputedStyle(document.body).getPropertyValue('--surface'));
  copy.prepend(text, ground);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(copy);
}

function ariaOf(element: Element): string[] {
  return element.getAttributeNames().filter((name) => name.startsWith('aria-'));
}

/** An SVG document drawn to a PNG. */
export async function pngOf(svg: string, width: number, height: number): Promise<Blob> {
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
        if (blob === null) reject(new Error('The browser drew no picture.'));
        else resolve(blob);
      }, 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Hands a file to the visitor. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by the next turn; until then the address must hold.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Name of an exported file, without its ending. */
export function fileName({ kind, measurement, linked, gender, age, countries }: View): string {
  const what = kind === 'connected' ? `${measurement}-${linked}` : measurement;
  const who = kind === 'ages' ? gender : `${gender}-${age}`;
  return `vitruvia-${what}-${who}-${countries.join('-')}-${kind}`.replace(/[^\w.-]/g, '');
}
