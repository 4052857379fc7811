import { connectedDimension } from './connected-dimension.js';
import type { Operation } from './operation.js';
import { percentileLookup } from './percentile-lookup.js';
import { predict } from './predict.js';
import { predictCompare } from './predict-compare.js';
import { predictRange } from './predict-range.js';

const LIST = [predict, predictRange, predictCompare, percentileLookup, connectedDimension] as const;

/** Name of an operation. */
export type OperationName = (typeof LIST)[number]['name'];

/** Every prediction operation, in the specification's order; all transports use this list. */
export const OPERATIONS: readonly Operation<OperationName>[] = LIST;
