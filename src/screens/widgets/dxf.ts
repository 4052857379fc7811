import { type DxfLine, dxfText } from '../../core/dxf.js';
import { placesOf } from './picture-places.js';

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
