import { type DxfLine, dxfText } from '../../core/dxf.js';
import { withoutFormulas } from '../../core/formulas.js';
import type { Tidy } from '../shared/table.js';
import { fetchAgain } from './ask-again.js';
import { inLightColours } from './light-colours.js';
import { placesOf } from './picture-places.js';

/** CSS properties that an exported picture must contain itself. */
const PICTURE_PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'stroke-linecap',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
  'opacity',
] as const;
/** Attribute of parts that only the pointer needs. Exported pictures lack these parts. */
const SCREEN_ONLY = 'data-screen-only';
/** PNG pixels per CSS pixel. With two, the picture is sharp in print. */
const PNG_SCALE = 2;
const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';

/** A number with at most twelve digits. Further digits are errors of binary fractions. */
function numberCell(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(12)));
}

/** A table as CSV (RFC 4180), without formulas. With the byte order mark, spreadsheets read it as UTF-8. */
export function csvOf({ head, rows }: Tidy): string {
  const cell = (value: string | number) => {
    const text = typeof value === 'number' ? numberCell(value) : withoutFormulas(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/** Height of a line of text in pixels. */
const LINE = 20;
const PADDING = 14;
/** Approximate width of a character of the small text and of the title, in pixels. */
const CHAR = { small: 6.3, title: 8.4 } as const;

/** A standalone picture and its size in pixels. */
export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Texts around a chart on the page. A saved picture must contain them itself. */
export interface PictureTexts {
  readonly title: string;
  readonly subtitle: string;
  /** The sources of the numbers. */
  readonly source: string;
  /** Names of the series in order; empty if there is a single series. */
  readonly series: readonly string[];
}

/** A picture of a screen that can be saved. */
export interface ScreenPicture {
  /** Label of the picture, if the screen has several pictures. */
  readonly label?: string;
  /** What the name of its file has besides that of the table. */
  readonly what?: readonly string[];
  /** The drawn picture; null or undefined while the screen does not show it. */
  svg(): SVGSVGElement | null | undefined;
  /** By default, the source is the version of the data and the address of the page. */
  texts(drawn: SVGSVGElement): Omit<PictureTexts, 'source'> & Partial<PictureTexts>;
  /** Whether people are in the picture, whose silhouettes CAD programs can read. */
  readonly hasPeople?: boolean;
}

/**
 * A chart as a standalone SVG document in light colours. The styles of the page become attributes. The
 * picture contains the title, the population, the legend, the version and the source.
 */
export async function svgOf(chart: SVGSVGElement, texts: PictureTexts): Promise<Picture> {
  const { copy, ...size } = inLightColours(() => drawn(chart, texts));
  await containPeople(copy);
  return { ...size, svg: new XMLSerializer().serializeToString(copy) };
}

/**
 * Puts the pictures of people into a document as PNG, which more programs read than WebP, and their silhouettes as
 * lines.
 */
async function containPeople(copy: SVGSVGElement): Promise<void> {
  for (const image of copy.querySelectorAll('image')) {
    const address = image.getAttribute('href') ?? '';
    const places = await placesOf(address.replace(/webp$/, 'json'));
    const reply = await fetchAgain(address.replace(/webp$/, 'png'), undefined);
    if (reply.ok) {
      // Inkscape 1.2 and older programs read this attribute alone.
      image.setAttributeNS(XLINK, 'xlink:href', await dataUrl(await reply.blob()));
      image.removeAttribute('href');
    }
    if (places === undefined) continue;
    const line = { d: places.silhouette, fill: 'none', stroke: '#6b7075', 'stroke-width': '2' };
    const transform = image.getAttribute('transform');
    image.after(element('path', transform === null ? line : { ...line, transform }));
  }
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

function drawn(
  chart: SVGSVGElement,
  { title, subtitle, source, series }: PictureTexts,
): { readonly copy: SVGSVGElement } & Omit<Picture, 'svg'> {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const originals = [chart, ...chart.querySelectorAll('*')];
  for (const [index, part] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const original = originals[index];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const name of PICTURE_PROPERTIES) {
      part.setAttribute(name, plainColour(style.getPropertyValue(name)));
    }
    if (style.getPropertyValue('vector-effect') === 'non-scaling-stroke') {
      const scale = scaleOf(original);
      part.setAttribute('stroke-width', divided(style.strokeWidth, scale));
      part.setAttribute('stroke-dasharray', divided(style.strokeDasharray, scale));
    }
    for (const name of ['class', 'tabindex', 'role', ...ariaOf(part)]) {
      part.removeAttribute(name);
    }
  }
  for (const part of copy.querySelectorAll(`[${SCREEN_ONLY}]`)) part.remove();
  // Drawings in mm have their own coordinates. The saved picture has pixels.
  const box = chart.viewBox.baseVal;
  const scale = scaleOf(chart);
  const [width, chartHeight] = [Math.round(box.width * scale), Math.round(box.height * scale)];
  const headLines = wrapped(title, width, CHAR.title);
  const chartTop = PADDING + headLines.length * LINE;
  const legendTop = chartTop + chartHeight;
  const footLines = [subtitle, source].flatMap((text) => wrapped(text, width, CHAR.small));
  const footTop = legendTop + series.length * LINE;
  const height = footTop + footLines.length * LINE + PADDING;
  const size = { width: String(width), height: String(height) };
  const body = element('g', {
    transform: `translate(0 ${chartTop}) scale(${scale}) translate(${-box.x} ${-box.y})`,
  });
  body.append(...copy.childNodes);
  copy.append(
    element('title', {}, title),
    element('rect', { ...size, fill: colour('--surface') }),
    ...headLines.map((text, index) =>
      textLine(text, PADDING, PADDING + (index + 0.6) * LINE, {
        'font-size': '16px',
        'font-weight': '600',
      }),
    ),
    body,
    ...series.flatMap((name, index) => legendLine(name, index, legendTop + index * LINE)),
    ...footLines.map((text, index) => textLine(text, PADDING, footTop + (index + 0.7) * LINE)),
  );
  for (const [name, value] of Object.entries(size)) copy.setAttribute(name, value);
  copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
  copy.setAttribute('xmlns', SVG);
  return { copy, width, height };
}

/** CSS pixels per unit of an element's coordinates. */
function scaleOf(part: Element): number {
  const matrix = part instanceof SVGGraphicsElement ? part.getScreenCTM() : null;
  return matrix === null ? 1 : Math.hypot(matrix.a, matrix.b);
}

/** Converts lengths in pixels, such as `6px, 4px`, to the coordinates of an element. `none` stays. */
function divided(lengths: string, scale: number): string {
  return lengths.replace(/[\d.]+/g, (length) => (Number(length) / scale).toFixed(3));
}

/**
 * Replaces `color(srgb …)`, which only browsers understand. Browsers use it for mixed colours. Other colours
 * stay.
 */
function plainColour(value: string): string {
  // CSS calls it transparent black, and some programs see black.
  if (value === 'rgba(0, 0, 0, 0)') return 'none';
  return value.replace(
    /color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)\)/g,
    (_, ...parts: string[]) =>
      `rgb(${parts
        .slice(0, 3)
        .map((part) => Math.round(Number(part) * 255))
        .join(', ')})`,
  );
}

/** Splits a text into lines that fit a width in pixels. An empty text has no lines. */
function wrapped(text: string, width: number, charWidth: number): string[] {
  const most = Math.max(1, Math.floor((width - 2 * PADDING) / charWidth));
  const lines: string[] = [];
  // Long words, such as addresses, are broken at the end of the line.
  const words = text
    .split(' ')
    .flatMap((word) => word.match(new RegExp(`.{1,${most}}`, 'g')) ?? []);
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function textLine(text: string, x: number, y: number, more: Record<string, string> = {}) {
  const { fontFamily } = getComputedStyle(document.body);
  const style = { 'font-family': fontFamily, 'font-size': '12px', fill: colour('--ink') };
  return element('text', { ...style, ...more, x: String(x), y: y.toFixed(1) }, text);
}

function legendLine(name: string, index: number, y: number): SVGElement[] {
  const box = { x: String(PADDING), y: String(y), width: '12', height: '12' };
  return [
    element('rect', { ...box, fill: colour(`--series-${index + 1}`) }),
    textLine(name, PADDING + 20, y + 11),
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
  // The browser reads the address only after this turn, so the address must stay valid for a while.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A picture of a screen, and the name of its file without the extension. */
interface SavedPicture extends Pick<ScreenPicture, 'svg'> {
  readonly name: string;
  texts(drawn: SVGSVGElement): PictureTexts;
}

/** Saves a table as CSV. */
export function saveTable(table: Tidy, fileName: string): void {
  download(new Blob([csvOf(table)], { type: 'text/csv' }), fileName);
}

/** Saves a picture that the screen shows. */
export async function savePicture(
  { svg, name, texts }: SavedPicture,
  format: 'SVG' | 'PNG' | 'DXF',
): Promise<void> {
  const drawn = svg();
  if (drawn == null) return;
  const content =
    format === 'DXF' ? await dxfOf(drawn) : await pictureFile(drawn, texts(drawn), format);
  if (content !== undefined) download(content, `${name}.${format.toLowerCase()}`);
}

async function pictureFile(
  drawn: SVGSVGElement,
  texts: PictureTexts,
  format: 'SVG' | 'PNG',
): Promise<Blob> {
  const picture: Picture = await svgOf(drawn, texts);
  return format === 'PNG' ? pngOf(picture) : new Blob([picture.svg], { type: 'image/svg+xml' });
}

/**
 * The silhouettes of the people in a picture, the lines of a product and the bands of reach, as a DXF file in millimetres.
 * People stand where the picture has them.
 *
 * @returns undefined if the picture has no people now
 */
export async function dxfOf(picture: SVGSVGElement): Promise<Blob | undefined> {
  const images = [...picture.querySelectorAll<SVGImageElement>('image[href$=".webp"]')];
  const [first] = images;
  const toPicture = picture.getScreenCTM()?.inverse();
  const outlines = [...picture.querySelectorAll<SVGPathElement>('path.person-part')];
  // Without images, the coordinates of the picture are mm.
  const own = (first ?? outlines[0] ?? null) && (first ?? picture).getScreenCTM();
  if (toPicture === undefined || own == null) return undefined;
  const mmPerUnit = 1 / Math.hypot(toPicture.multiply(own).a, toPicture.multiply(own).b);
  const lines: DxfLine[] = [];
  const add = (part: SVGGraphicsElement, d: string, layer: DxfLine['layer']) => {
    const matrix = part.getScreenCTM();
    if (matrix === null) return;
    const all = toPicture.multiply(matrix);
    for (const line of d.match(/M[^M]+/g) ?? []) {
      const points = [...line.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => {
        const point = new DOMPoint(Number(x), Number(y)).matrixTransform(all);
        return [point.x * mmPerUnit, -point.y * mmPerUnit] as const;
      });
      lines.push({ layer, isClosed: line.endsWith('Z'), points });
    }
  };
  for (const image of images) {
    const address = image.getAttribute('href')?.replace(/webp$/, 'json') ?? '';
    const places = await placesOf(address);
    if (places !== undefined) add(image, places.silhouette, 'PEOPLE');
  }
  const paths = [
    ...outlines.map((path) => [path, 'PEOPLE'] as const),
    ...[...picture.querySelectorAll<SVGPathElement>('path.product')].map(
      (path) => [path, 'PRODUCT'] as const,
    ),
    ...[...picture.querySelectorAll<SVGPathElement>('path.envelope')].map(
      (path) => [path, 'ENVELOPE'] as const,
    ),
  ];
  for (const [path, layer] of paths) add(path, path.getAttribute('d') ?? '', layer);
  return new Blob([dxfText(lines)], { type: 'image/vnd.dxf' });
}
