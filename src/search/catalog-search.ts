import { COUNTRIES, type Country } from '../core/countries.js';
import { GENDERS } from '../core/genders.js';
import { AGE_LIMITS } from '../core/limits.js';
import { MEASUREMENTS, type Measurement } from '../core/measurements.js';
import { CLOTHING, POSTURES } from '../core/profiles.js';
import { MASS_UNITS, UNITS } from '../core/units.js';
import { findProducts } from '../products/index.js';
import { type BodyQuantity, bodyQuantityNamed, findBodyQuantities } from './body-quantities.js';
import { type Field, fieldNamed } from './body-words.js';
import { countryNamed, countrySetNamed, findCountries, findCountrySets } from './countries.js';
import { findMeasurements, measurementsOfPhrase } from './measurements.js';
import { findNotCovered, type NotCovered, notCoveredText, orNearest } from './not-covered.js';
import { anyValueNamed } from './values.js';

/** A field of requests that a text names, or of which it names a value. */
export interface NamedField {
  readonly field: string;
  /** The values that the text means, with their meaning where it is not plain. */
  readonly values: readonly string[];
}

/** A product that a text names, and the operations that answer it. */
export interface FoundProduct {
  readonly id: string;
  readonly title: string;
  readonly tools: readonly string[];
}

/** Most products that a text finds. */
const PRODUCTS_MAX = 3;

/** The entries of the catalog that a text means, the most probable first. The optional lists are never empty. */
export interface Found {
  readonly notCovered?: readonly NotCovered[];
  readonly fields?: readonly NamedField[];
  readonly bodyQuantities?: readonly BodyQuantity[];
  readonly products?: readonly FoundProduct[];
  readonly measurements: readonly Measurement[];
  /** Countries and sets that the whole text names; also similar ones if the text means nothing else. */
  readonly countries: readonly Country[];
  readonly countrySets: readonly string[];
}

const meant = (profiles: readonly { readonly id: string; readonly definition: string }[]) =>
  profiles.map(({ id, definition }) => `${id}: ${definition}`);

/** The values of the fields of a person. */
const VALUES: Readonly<Record<Field | 'unit' | 'massUnit', readonly string[]>> = {
  country: [`one of ${COUNTRIES.length} codes, such as ${COUNTRIES[0]?.code}`],
  gender: GENDERS,
  age: [`${AGE_LIMITS.minimum} to ${AGE_LIMITS.maximum}, exact years such as 8.5`],
  clothing: meant(CLOTHING),
  posture: meant(POSTURES),
  unit: UNITS,
  massUnit: MASS_UNITS,
};

/** Finds what everyday words mean, in all languages of the search. */
export function findInCatalog(text: string): Found {
  const fields = fieldsNamed(text);
  const bodyQuantities = findBodyQuantities(text);
  // The name of something else is not taken for a misspelt measurement.
  const isOther = fieldNamed(text) !== undefined || bodyQuantityNamed(text) !== undefined;
  const phrase = measurementsOfPhrase(text);
  const all = isOther && phrase.length === 0 ? [] : findMeasurements(text);
  const measurements = orNearest(text, all, MEASUREMENTS);
  const notCovered = findNotCovered(text);
  const products = productsNamed(text, phrase.length === 1);
  const isFound = [notCovered, fields, bodyQuantities, measurements].some(
    ({ length }) => length > 0,
  );
  return {
    ...(notCovered.length === 0 ? {} : { notCovered }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(bodyQuantities.length === 0 ? {} : { bodyQuantities }),
    ...(products.length === 0 ? {} : { products }),
    measurements,
    countries: !isFound || countryNamed(text) !== undefined ? findCountries(text) : [],
    countrySets: !isFound || countrySetNamed(text) !== undefined ? findCountrySets(text) : [],
  };
}

/** Further findings besides measurements and countries, as lines of text. */
export function linesOf(
  found: Omit<Found, 'measurements' | 'countries' | 'countrySets'>,
): string[] {
  const { notCovered = [], fields = [], bodyQuantities = [], products = [] } = found;
  return [
    ...notCovered.map(notCoveredText),
    ...fields.map(({ field, values }) => `The field ${field}: ${values.join(' | ')}`),
    ...products.map(({ id, title, tools }) => `The product ${id} (${title}): ${tools.join(', ')}`),
    ...bodyQuantities.map(({ name, definition }) => `${name}: ${definition}`),
  ];
}

function productsNamed(text: string, isDimension: boolean): readonly FoundProduct[] {
  return findProducts(text, isDimension)
    .slice(0, PRODUCTS_MAX)
    .map(({ id, title, sizes, chart, scene }) => ({
      ...{ id, title },
      tools: [
        ...(sizes === undefined ? [] : ['product_fit']),
        ...(chart === undefined ? [] : ['size_chart']),
        ...(scene === undefined ? [] : ['reach_share']),
      ],
    }));
}

function fieldsNamed(text: string): readonly NamedField[] {
  const named = fieldNamed(text);
  if (named !== undefined) return [{ field: named, values: VALUES[named] }];
  const value = anyValueNamed(text);
  if (value === undefined) return [];
  return Object.entries(VALUES).flatMap(([field, values]) => {
    const meanings = values.filter((one) => one === value || one.startsWith(`${value}: `));
    return meanings.length === 0 ? [] : [{ field, values: meanings }];
  });
}
