import { type DxfLine, dxfText } from '../../core/dxf.js';
import type { Tidy } from '../shared/table.js';
import {
  csvOf,
  download,
  type Picture,
  type PictureTexts,
  pngOf,
  type ScreenPicture,
  svgOf,
} from './export.js';
import { placesOf } from './picture-places.js';

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
