import { MEASUREMENT_NAMES } from '../../core/measurements.js';
import { type Field, type Say, unless } from './address-fields.js';

// Screens without a choice of dimensions do not load their definitions.

/** Names that an address may contain: dimensions, and names that some screens refuse with their own texts. */
const KNOWN: ReadonlySet<string> = new Set([...MEASUREMENT_NAMES, 'BodyMass', 'BMI']);

/** Whether there is a dimension of this name. If not, says that it is left out. */
export function isDimension(name: string, say: Say): boolean {
  const isKnown = KNOWN.has(name);
  if (!isKnown) {
    say(
      name === ''
        ? 'The address lacks the name of a measurement. It is left out.'
        : `The address asks for the measurement “${name}”, which is not known. It is left out; choose a measurement on the page.`,
    );
  }
  return isKnown;
}

/**
 * A list of different dimensions, separated by commas. Unknown dimensions are left out, and so are more than
 * `most`.
 */
export function dimensions(
  param: string,
  what: string,
  otherwise: readonly string[],
  most = Number.POSITIVE_INFINITY,
): Field<readonly string[]> {
  return {
    read(params, say) {
      const given = params.getAll(param).flatMap((list) => list.split(','));
      const asked = new Set(given.filter((name) => name !== ''));
      const chosen = [...asked].filter((name) => isDimension(name, say));
      if (chosen.length > most)
        say(`A page shows at most ${most} ${what}. The others are left out.`);
      return chosen.length === 0 ? otherwise : chosen.slice(0, most);
    },
    write: (value) => unless(param, value.join(), otherwise.join()),
  };
}
