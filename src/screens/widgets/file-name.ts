import { type ChosenPopulation, populationLabel } from '../shared/populations.js';

/** Maximum length of a name. File names have at most 255 bytes, and the version and the extension follow. */
const LENGTH_MAX = 200;

/** Name of an exported file without its extension: the content, the populations and the data version. */
export function fileNameOf(
  what: readonly string[],
  populations: readonly ChosenPopulation[],
  artifactVersion: string,
): string {
  const who = populations.map((one) => populationLabel(one).replace('–', '-'));
  const words = ['vitruvia', ...what, ...who].join(' ').replace(/[^\w.-]+/g, '-');
  return `${words.slice(0, LENGTH_MAX)}-${artifactVersion.replace(/[^\w.-]/g, '')}`;
}
