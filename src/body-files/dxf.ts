import type { Body } from '../body/body.js';
import { type DxfLine, dxfText } from '../core/dxf.js';
import { CAMERAS, type Camera, cameraOf, project } from '../render/camera.js';
import { boxOf, depthMapOf } from '../render/depth-map.js';
import { closedLines, filledPixels, SILHOUETTE } from '../render/outline.js';

/** Seen from above, the body looks to the right. */
const ABOVE: Camera = cameraOf([0, 0, 1], [1, 0, 0]);
/** Room between two views, mm. */
const GAP_MM = 200;
/** A line of a remark: R12 has no longer texts. */
const REMARK = /.{1,255}/gu;

/**
 * The outlines of a body as an R12 drawing in mm, a layer for each view. The view from the side has the origin of the
 * body; that from the front is to its right, and that from above is below it.
 *
 * @param remarks lines of the head; long ones continue on the next line
 */
export function dxfOf({ positions, materials }: Body, remarks: readonly string[]): Uint8Array {
  const triangles = Uint16Array.from(materials.flatMap((one) => [...one.triangles]));
  const seen = (camera: Camera) => {
    const view = project(Float64Array.from(positions), camera);
    const box = boxOf(view, triangles);
    const map = depthMapOf(view, triangles, box, SILHOUETTE.pixelMm);
    return { box, lines: closedLines(map, filledPixels(map), SILHOUETTE) };
  };
  const [side, front, above] = [seen(CAMERAS.side), seen(CAMERAS.front), seen(ABOVE)];
  const [, sideRight, sideBottom] = side.box;
  const [frontLeft] = front.box;
  const [, , , aboveTop] = above.box;
  const placed = ({ lines }: typeof side, layer: string, dx: number, dy: number): DxfLine[] =>
    lines.map((points) => ({
      ...{ layer, isClosed: true },
      points: points.map(({ x, y }) => [x + dx, y + dy] as const),
    }));
  const lines = [
    ...placed(side, 'SIDE', 0, 0),
    ...placed(front, 'FRONT', sideRight + GAP_MM - frontLeft, 0),
    ...placed(above, 'ABOVE', 0, sideBottom - GAP_MM - aboveTop),
  ];
  return Buffer.from(
    dxfText(
      lines,
      remarks.flatMap((remark) => remark.match(REMARK) ?? []),
    ),
  );
}
