import { clothingText } from '../../site/labels.js';
import type { ShareContent } from '../../site/share-card.js';
import { countryName } from '../shared/names.js';
import type { WorldView } from './address.js';
import type { CountryValue, WorldData } from './data-types.js';
import { dressOf, valueText, worldTitle } from './texts.js';

/** Number of countries at each end of the ranking in the image. */
const ENDS = 5;

/** The share image of the World screen: both ends of the ranking. */
export function sharedWorld(view: WorldView, data: WorldData): ShareContent {
  const { countries, artifactVersion } = data;
  const fact = ({ country, value }: CountryValue) =>
    `${countries.findIndex((one) => one.country === country) + 1}. ${countryName(country)}: ${valueText(value, view)}`;
  const shown = countries.filter((_, index) => index < ENDS || index >= countries.length - ENDS);
  return {
    title: worldTitle(view),
    note: `Clothing: ${clothingText(dressOf(view))}`,
    artifactVersion,
    people: [],
    facts: shown.map(fact),
  };
}
