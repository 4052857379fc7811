import type { MeasurementName } from '../../core/measurements.js';
import { runEnds } from '../../figure/draw.js';
import { RUNS } from '../../figure/runs.js';

/** Length in mm of a measurement in the drawing of an average body; girths as of an ellipse. */
export function drawnLengthMm(measurement: string): number {
  const run = RUNS[measurement as MeasurementName];
  if (run === undefined) return 500;
  const [a, b] = runEnds(run).drawn;
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  return run.along === 'around' ? length * GIRTH_PER_BREADTH : length;
}

/** Circumference of an ellipse whose axes are as 1 to 0.75, per long axis. */
const GIRTH_PER_BREADTH = 2.76;
