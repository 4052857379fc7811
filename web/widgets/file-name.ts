import {
  type ChosenPopulation,
  populationLabel,
} from '../../src/pages/screens/shared/populations.js';

/** Names of files have at most 255 bytes; the version and the extension follow. */
const LENGTH_MAX = 200;

/** Name of an exported file without its extension: what it shows, of whom, and the data version. */
export function fileNameOf(
  what: readonly string[],
  populations: readonly ChosenPopulation[],
  artifactVersion: string,
): string {
  const who = populations.map((one) => populationLabel(one).replace('–', '-'));
  const words = ['vitruvia', ...what, ...who].join(' ').replace(/[^\w-]+/g, '-');
  return `${words.slice(0, LENGTH_MAX)}-${artifactVersion.replace(/[^\w.-]/g, '')}`;
}
