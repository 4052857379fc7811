import { MEASUREMENT_NAMES } from '../core/measurements.js';

/** Maximum number of values of one completion (the protocol's limit). */
const MAX_COMPLETIONS = 100;

/** Values of an argument of a resource that begin with the text, in upper or lower case. */
export function complete(argument: string, text: string) {
  const wanted = text.trim().toLowerCase();
  // The template of the measurement sheets has this argument.
  const choices = argument === 'measurement' || argument === 'name' ? MEASUREMENT_NAMES : [];
  const all = choices.filter((choice) => choice.toLowerCase().startsWith(wanted));
  const values = all.slice(0, MAX_COMPLETIONS);
  return { completion: { values, total: all.length, hasMore: all.length > values.length } };
}
