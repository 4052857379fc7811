import type { VNode } from 'preact';
import { MEASUREMENTS, type MeasurementName } from '../../src/core/measurements.js';
import { drawMeasurement } from '../../src/figure/draw.js';

interface FigureProps {
  readonly measurement: MeasurementName;
}

/** A body with the line along which a measurement is taken. */
export function Figure({ measurement }: FigureProps): VNode {
  const { title, viewBox, marks } = drawMeasurement(measurement);
  const definition = MEASUREMENTS.find(({ name }) => name === measurement)?.definition;
  return (
    <svg class="figure" viewBox={viewBox} role="img" aria-label={`${measurement}: ${definition}`}>
      <title>{`${measurement}: ${definition}`}</title>
      <desc>{`Body ${title}, with a line where ${measurement} is measured.`}</desc>
      {marks.map(({ kind, d }) => (
        <path key={d} class={`figure-${kind}`} d={d} />
      ))}
    </svg>
  );
}
