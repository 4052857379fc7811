import { fault, field } from '../core/errors.js';
import { TOOL_ANSWER_BYTES_MAX } from '../core/limits.js';
import type { FoundFault } from './faults.js';
import type { PopulationInput } from './population-request.js';

// Maximum sizes of the parts of answers, in bytes of JSON. They are upper bounds, so that the answer to every accepted
// request of a tool fits.

/** The parts of an answer outside its lists: head counts, shares, units, versions. */
const FRAME_BYTES = 300;
/** A number: four digits before the point, up to five after it, and the separator. */
export const NUMBER_BYTES = 11;
/** The fields that an answer adds to a group of the request: `people`, `share` and `accommodated`. */
const GROUP_BYTES = 75;
/** Maximum size of all groups of an answer, in bytes. */
const GROUPS_BYTES_MAX = 10_000;

/** Size in bytes of the groups of a population in an answer. */
export function groupsBytes({ groups }: PopulationInput): number {
  return groups.reduce((sum, group) => sum + JSON.stringify(group).length + GROUP_BYTES, 0);
}

/** The fault of a population whose groups would fill a tool's answer. */
export function groupsFault(population: PopulationInput): FoundFault[] {
  const { length } = population.groups;
  const bytes = groupsBytes(population);
  return tooMany('/population/groups', length, bytes, GROUPS_BYTES_MAX);
}

/**
 * The fault of a list that would fill a tool's answer.
 *
 * @param list JSON pointer of the field that determines the length of the list
 * @param bytes size of the list in the answer
 * @param besides size of other lists, in bytes
 */
export function listFault(list: string, count: number, bytes: number, besides = 0): FoundFault[] {
  return tooMany(list, count, bytes, TOOL_ANSWER_BYTES_MAX - FRAME_BYTES - besides);
}

function tooMany(pointer: string, count: number, bytes: number, bytesMax: number): FoundFault[] {
  if (bytes <= bytesMax) return [];
  const most = Math.max(0, Math.floor((count * bytesMax) / bytes));
  const at = fault(pointer);
  return [
    at`The answer of a tool has at most ${TOOL_ANSWER_BYTES_MAX} bytes: ${field(pointer)} may ask for about ${most} here, not ${count}. Ask for fewer, or send the request to the REST route, which has no such limit.`,
  ];
}
