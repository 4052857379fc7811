import type { Pieces } from '../core/pieces.js';
import { batchOf } from './batch.js';
import { bodies } from './bodies.js';
import { body } from './body.js';
import { boundaryCases } from './boundary-cases.js';
import { completePerson } from './complete-person.js';
import { connectedDimension } from './connected-dimension.js';
import { designRanges } from './design-ranges.js';
import { evidence } from './evidence.js';
import type { Operation } from './operation.js';
import { percentileLookup } from './percentile-lookup.js';
import { populationPercentiles } from './population-percentiles.js';
import { populationShare } from './population-share.js';
import { predict, predictCompare, predictRange } from './predict.js';
import { productFit } from './product-fit.js';
import { reachEnvelope } from './reach-envelope.js';
import { reachShare } from './reach-share.js';
import { samplePeople } from './sample-people.js';
import { sizeChart } from './size-chart.js';
import { prepare } from './validate.js';

const SINGLE = [
  predict,
  predictRange,
  predictCompare,
  percentileLookup,
  connectedDimension,
  populationPercentiles,
  populationShare,
  designRanges,
  boundaryCases,
  samplePeople,
  sizeChart,
  productFit,
  reachShare,
  reachEnvelope,
  completePerson,
  evidence,
  body,
] as const;
const LIST = [...SINGLE, bodies, batchOf(SINGLE)] as const;

/** Name of an operation. */
export type OperationName = (typeof LIST)[number]['name'];

/** Every operation: the specification's five in their order, then the others. All transports use this list. */
export const OPERATIONS: readonly Operation<OperationName>[] = LIST;

/**
 * Makes the validators and serializers of all operations, one after the other. Otherwise the first requests would make
 * them.
 */
export function* prepareOperations(): Pieces<void> {
  for (const operation of OPERATIONS) {
    prepare(operation);
    yield;
  }
}
