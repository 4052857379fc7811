import { connectedDimension } from './connected-dimension.js';
import type { Operation } from './operation.js';
import { percentileLookup } from './percentile-lookup.js';
import { predict } from './predict.js';
import { predictCompare } from './predict-compare.js';
import { predictRange } from './predict-range.js';

/** Every prediction operation, in the specification's order; all transports walk this list. */
export const OPERATIONS: readonly Operation[] = [
  predict,
  predictRange,
  predictCompare,
  percentileLookup,
  connectedDimension,
] as unknown as readonly Operation[];
