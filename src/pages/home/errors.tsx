import type { VNode } from 'preact';
import type { MeasuredErrors } from './proof.js';

/** Largest error that fits the chart, mm. */
export const SPAN_MM = 90;
/** Half the height of a strip, and the radius of a dot, in units of the chart (mm). */
const [HALF, DOT] = [5, 1.5];
const BOX = `${-SPAN_MM} ${-HALF} ${2 * SPAN_MM} ${2 * HALF}`;

/** The axis of the errors. */
export function ErrorAxis(): VNode {
  return (
    <svg class="errors" viewBox={BOX} aria-hidden="true">
      {[-50, 0, 50].map((mm) => (
        <text key={mm} x={mm} y={HALF / 2} text-anchor="middle">
          {mm < 0 ? `−${-mm}` : mm}
        </text>
      ))}
    </svg>
  );
}

/** Errors of surveys on a line in mm, with the mean stated interval. */
export function ErrorStrip({ errorsMm, halfWidthMm }: MeasuredErrors): VNode {
  const [least, most] = [Math.min(...errorsMm), Math.max(...errorsMm)].map((mm) =>
    mm.toFixed(0).replace('-', '−'),
  );
  return (
    <svg
      class="errors"
      viewBox={BOX}
      role="img"
      aria-label={`${errorsMm.length} errors, from ${least} to ${most} mm; stated: ±${halfWidthMm.toFixed(0)} mm`}
    >
      <rect x={-halfWidthMm} y={-HALF + 1} width={2 * halfWidthMm} height={2 * HALF - 2} />
      <line y1={-HALF} y2={HALF} />
      {errorsMm.map((mm, index) => (
        <circle key={index} cx={mm} r={DOT} />
      ))}
    </svg>
  );
}
