import { placesOf } from './picture-places.js';

/** A line of a DXF drawing: its points in mm, y upwards. */
interface DxfLine {
  readonly layer: 'PEOPLE' | 'PRODUCT';
  readonly isClosed: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/**
 * The silhouettes of the people in a picture, and the lines of a product, as an ASCII DXF file of version R12 in
 * millimetres (DXF Reference, Autodesk, release 12). People stand where the picture has them.
 *
 * @returns undefined if the picture has no people now
 */
export async function dxfOf(picture: SVGSVGElement): Promise<Blob | undefined> {
  const images = [...picture.querySelectorAll<SVGImageElement>('image[href$=".webp"]')];
  const [first] = images;
  const toPicture = picture.getScreenCTM()?.inverse();
  const own = first?.getScreenCTM();
  if (first === undefined || toPicture === undefined || own == null) return undefined;
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
  for (const path of picture.querySelectorAll<SVGPathElement>('path.product')) {
    add(path, path.getAttribute('d') ?? '', 'PRODUCT');
  }
  return new Blob([dxfText(lines)], { type: 'image/vnd.dxf' });
}

/** The pairs of code and value of a DXF file. Unit 4 is the millimetre. */
function dxfText(lines: readonly DxfLine[]): string {
  const pairs: (readonly [code: number, value: string | number])[] = [
    ...([
      [0, 'SECTION'],
      [2, 'HEADER'],
      [9, '$ACADVER'],
      [1, 'AC1009'],
    ] as const),
    ...([
      [9, '$INSUNITS'],
      [70, 4],
      [0, 'ENDSEC'],
      [0, 'SECTION'],
      [2, 'ENTITIES'],
    ] as const),
  ];
  for (const { layer, isClosed, points } of lines) {
    pairs.push([0, 'POLYLINE'], [8, layer], [66, 1], [70, isClosed ? 1 : 0]);
    for (const [x, y] of points) {
      pairs.push([0, 'VERTEX'], [8, layer], [10, x.toFixed(2)], [20, y.toFixed(2)]);
    }
    pairs.push([0, 'SEQEND']);
  }
  pairs.push([0, 'ENDSEC'], [0, 'EOF']);
  return `${pairs.flat().join('\r\n')}\r\n`;
}
