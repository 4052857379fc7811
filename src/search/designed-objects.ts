import type { MeasurementName } from '../core/measurements.js';
import table from './designed-objects.json' with { type: 'json' };

type Row = readonly [things: string, ...measurements: MeasurementName[]];

/**
 * Things that people design, with the measurements that size them, the most useful first. Rules of
 * thumb of ergonomics and of size charts; they only order the results of a search. A head or a trunk
 * may not pass a gap, so the smallest breadth counts; an arm may pass it as a whole.
 */
export const DESIGNED_OBJECTS = Object.values(table).flat() as unknown as readonly Row[];
