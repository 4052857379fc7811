/** A line of a DXF drawing: its points in mm, y upwards. */
export interface DxfLine {
  readonly layer: string;
  readonly isClosed: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/**
 * An ASCII DXF file of version R12 in millimetres (DXF Reference, Autodesk, release 12). Unit 4 is the millimetre.
 *
 * @param remarks comments, without line breaks
 */
export function dxfText(lines: readonly DxfLine[], remarks: readonly string[] = []): string {
  const pairs: (readonly [code: number, value: string | number])[] = [
    ...remarks.map((remark) => [999, remark] as const),
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
