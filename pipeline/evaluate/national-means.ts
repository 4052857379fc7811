import type { CountryCode } from '../../src/core/countries.js';
import type { Gender } from '../../src/core/genders.js';
import { mean } from '../numerics/numbers.js';
import type { SourceTables } from '../raw-tables/source-tables.js';
import type { Asked } from './asked.js';

/** A figure of a national survey, and the model's figure for the same people. */
export interface NationalMean {
  readonly people: string;
  readonly quantity: string;
  readonly unit: string;
  readonly source: string;
  readonly published: number;
  readonly predicted: number;
  /** Largest distance allowed. `most`: the model must not be above the figure. */
  readonly tolerance: number | 'most';
}

/** BMI limits of thin and of obese adults, kg/m² (World Health Organization). */
const [THIN, OBESE] = [18.5, 30] as const;
/** Ages at which a range of ages is read: the middle of each five-year group. */
const TWENTIES = [22.5, 27.5] as const;
/** Age at which growth has ended in every table. */
const GROWN_YEARS = 25;
/** Largest growth after the last step of the table (18 to 19 years), mm. */
const LARGEST_GROWTH_MM = 5;

const SCHOOL = 'school health statistics of Japan';
const HEIGHTS = 'NCD-RisC 2020, height in 2019';

/**
 * Compares known figures of single countries with the answers. The model was fitted to none of them directly. The figures
 * of NCD-RisC are also in the tables that the model is fitted to; they show what the model makes of them.
 */
export function scoreNationalMeans(
  asked: Asked,
  { childStature = [] }: SourceTables,
): NationalMean[] {
  const tableMm = (country: string, age: number): number => {
    const of = childStature.find(
      (row) => row.country === country && row.gender === 'Male' && Number(row.age_years) === age,
    );
    if (of === undefined) throw new Error(`ncdrisc-2020-children has no men of ${country}, ${age}`);
    return Number(of.mean_mm);
  };
  /** Mean of a quantity, in mm or kg. */
  const meanOf = (name: string, gender: Gender, country: CountryCode, ageYears: number): number =>
    asked.known(name, { gender, country, ageYears }).mean;
  /** Percentage of people below a limit of BMI. All ages count equally. */
  const below = (limit: number, gender: Gender, country: CountryCode, ages: readonly number[]) =>
    100 *
    mean(ages.map((ageYears) => asked.known('BMI', { gender, country, ageYears }).below(limit)));
  const mass = { unit: 'kg', tolerance: 1.5 } as const;
  const percent = { unit: '%', tolerance: 5 } as const;
  const growth = (country: CountryCode, name: string): NationalMean => {
    const ages = Array.from({ length: GROWN_YEARS - 18 }, (_, i) => 19.5 + i);
    const now = meanOf('Stature', 'Male', country, 18.5);
    const tallest = Math.max(...ages.map((age) => meanOf('Stature', 'Male', country, age)));
    return {
      people: `men of ${name}`,
      quantity: `growth after 18 beyond the table’s step to 19`,
      unit: 'mm',
      tolerance: 'most',
      source: 'nobody grows more',
      published: LARGEST_GROWTH_MM,
      predicted: tallest - now - (tableMm(country, 19) - tableMm(country, 18)),
    };
  };
  const at17 = 17.5;
  return [
    {
      ...{ people: 'girls of 17, Japan', quantity: 'mean body mass', ...mass, source: SCHOOL },
      ...{ published: 53.0, predicted: meanOf('BodyMass', 'Female', 'JP', at17) },
    },
    {
      ...{ people: 'boys of 17, Japan', quantity: 'mean body mass', ...mass, source: SCHOOL },
      ...{ published: 62.5, predicted: meanOf('BodyMass', 'Male', 'JP', at17) },
    },
    {
      ...{ people: 'women of 20–29, Japan', quantity: 'BMI under 18.5', ...percent },
      source: 'national health and nutrition survey of 2019',
      ...{ published: 20.7, predicted: below(THIN, 'Female', 'JP', TWENTIES) },
    },
    {
      ...{ people: 'men of 70–74, Germany', quantity: 'BMI of 30 and more', ...percent },
      source: 'NCD-RisC’s classes',
      ...{ published: 36, predicted: 100 - below(OBESE, 'Male', 'DE', [72.5]) },
    },
    {
      ...{ people: 'boys of 17, Turkey', quantity: 'mean stature', unit: 'mm', source: HEIGHTS },
      ...{ tolerance: 10, published: tableMm('TR', 17) },
      predicted: meanOf('Stature', 'Male', 'TR', at17),
    },
    growth('TR', 'Turkey'),
    growth('TN', 'Tunisia'),
  ];
}

/** Whether the model is within the tolerance of the figure. */
export const isMet = ({ published, predicted, tolerance }: NationalMean): boolean =>
  tolerance === 'most' ? predicted <= published : Math.abs(predicted - published) <= tolerance;
