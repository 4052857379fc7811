import { COUNTRIES, COUNTRY_CODES } from '../../src/core/countries.js';
import { GENDERS } from '../../src/core/genders.js';
import { MEASUREMENT_NAMES } from '../../src/core/measurements.js';
import type { CellValue } from './raw-tables.js';

/** A fault in one field of a row, before its place in a file is known. */
export interface FieldFault {
  readonly what: string;
  readonly fault: string;
  readonly remedy: string;
}

type Row = Readonly<Record<string, CellValue>>;

/** Columns that the pipeline reads from each file. It refuses a file without one of them. */
export const READ_COLUMNS = {
  'studies.csv': [
    ...['study_id', 'survey_family', 'country', 'gender', 'age_min', 'age_max', 'age_mean'],
    ...['year', 'n', 'population', 'measurement', 'match', 'is_best', 'mean_mm', 'sd_mm'],
    ...['p5_mm', 'p50_mm', 'p95_mm', 'check_definition', 'check_figure'],
  ],
  'drivers.csv': [
    ...['study_id', 'survey_family', 'country', 'gender', 'age_mean', 'n', 'stature_mm'],
    ...['stature_sd_mm', 'stature_from', 'mass_kg', 'mass_sd_kg', 'mass_from', 'bmi', 'bmi_sd'],
    ...['citation', 'part_of'],
  ],
} as const;

/** Smallest group that may be published; `MINIMUM_CELL` of the importers. */
const FEWEST_PEOPLE = 10;
/** Ages of the people of adult studies; the present ones are 18 to 79 years. */
const AGES_YEARS = { least: 15, most: 110 } as const;
/** Years of measurement; the present ones are 1947 to 2022. */
const YEARS = { least: 1900, most: 2100 } as const;
/** Mean BMI of adults, kg/m²; the present samples have 19.1 to 27.8. */
const BMI = { least: 15, most: 40 } as const;
/** SD over mean of BMI and of body mass; the present samples have 0.06 to 0.22. */
const SPREAD = { least: 0.03, most: 0.45 } as const;
const KG_PER_POUND = 0.45359237;

/** Codes that people write for a country that has another code in the service. */
const OTHER_CODES: Readonly<Record<string, string>> = { GB: 'UK', EL: 'GR' };

/** The service's code that a wrong country code or name probably means. */
export function countryMeant(written: string): string | undefined {
  const text = written.trim().toUpperCase();
  const other = OTHER_CODES[text];
  if (other !== undefined) return other;
  const found = COUNTRIES.find(
    ({ code, iso3, name }) => code === text || iso3 === text || name.toUpperCase() === text,
  );
  return found?.code;
}

/** Pairs of letters that stand side by side in a name. Names with many common pairs are similar. */
function pairsOf(name: string): Set<string> {
  const letters = name.toLowerCase();
  return new Set(Array.from({ length: letters.length - 1 }, (_, i) => letters.slice(i, i + 2)));
}

/**
 * The name in the list that is most similar to a wrong one (Dice 1945), if the similarity is at least a
 * half.
 */
export function nameMeant(written: string, names: readonly string[]): string | undefined {
  const own = pairsOf(written);
  const likeness = (name: string): number => {
    const pairs = pairsOf(name);
    const common = [...pairs].filter((pair) => own.has(pair)).length;
    return (2 * common) / (pairs.size + own.size);
  };
  const [best] = names
    .map((name) => ({ name, share: likeness(name) }))
    .sort((a, b) => b.share - a.share);
  return best !== undefined && best.share >= 0.5 ? best.name : undefined;
}

const shown = (cell: CellValue | undefined): string =>
  cell === null || cell === undefined ? 'an empty field' : `"${cell}"`;

const isEmpty = (cell: CellValue | undefined): boolean => cell === null || cell === undefined;

/** A fault unless the field is a number from `least` to `most`. An empty field is allowed. */
function range(
  row: Row,
  column: string,
  { least, most }: { least: number; most: number },
  remedy: string,
): FieldFault[] {
  const cell = row[column];
  if (isEmpty(cell)) return [];
  const value = Number(cell);
  if (value >= least && value <= most) return [];
  return [{ what: column, fault: `${shown(cell)} is not between ${least} and ${most}`, remedy }];
}

/** Faults of the fields that both files have. */
function sampleFaults(row: Row): FieldFault[] {
  const faults: FieldFault[] = [];
  if (!(COUNTRY_CODES as readonly unknown[]).includes(row.country)) {
    const meant = countryMeant(String(row.country ?? ''));
    faults.push({
      what: 'country',
      fault: `${shown(row.country)} is not a country code of the service`,
      remedy: meant === undefined ? 'src/core/countries.ts lists the codes' : `Write ${meant}`,
    });
  }
  if (!(GENDERS as readonly unknown[]).includes(row.gender)) {
    const initial = String(row.gender ?? '')
      .slice(0, 1)
      .toUpperCase();
    const meant = GENDERS.find((gender) => gender.startsWith(initial) && initial !== '');
    const fault = `${shown(row.gender)} is not a gender`;
    faults.push({ what: 'gender', fault, remedy: `Write ${meant ?? GENDERS.join(' or ')}` });
  }
  if (isEmpty(row.study_id) || isEmpty(row.survey_family)) {
    const remedy = 'Give every row a study_id and a survey_family';
    faults.push({ what: 'study_id', fault: 'the name of the sample or family is empty', remedy });
  }
  // A sample's count is the median of the counts of its dimensions, so it can end in a half.
  if (!(Number(row.n) >= FEWEST_PEOPLE)) {
    const fault = `${shown(row.n)} people are fewer than ${FEWEST_PEOPLE}`;
    faults.push({ what: 'n', fault, remedy: 'Correct the number or leave the row out' });
  }
  faults.push(...range(row, 'age_mean', AGES_YEARS, 'Give ages in years; only adults are fitted'));
  return faults;
}

/** Faults of a row of `studies.csv` that can be found without any other row. */
export function studyRowFaults(row: Row): FieldFault[] {
  const faults = sampleFaults(row);
  const name = String(row.measurement ?? '');
  if (!(MEASUREMENT_NAMES as readonly string[]).includes(name)) {
    const meant = nameMeant(name, MEASUREMENT_NAMES);
    const remedy = meant === undefined ? '/docs/measurements lists the names' : `Write ${meant}`;
    faults.push({ what: 'measurement', fault: `"${name}" is not a dimension`, remedy });
  }
  if (!['exact', 'close', 'poor'].includes(String(row.match))) {
    const fault = `${shown(row.match)} is not a match`;
    faults.push({ what: 'match', fault, remedy: 'Write exact, close or poor' });
  }
  for (const flag of ['is_best', 'check_definition', 'check_figure']) {
    if (row[flag] === 0 || row[flag] === 1) continue;
    faults.push({ what: flag, fault: `${shown(row[flag])} is not a flag`, remedy: 'Write 0 or 1' });
  }
  const years = 'Give the year of measurement with four digits, or leave it empty';
  faults.push(...range(row, 'year', YEARS, years));
  for (const column of ['age_min', 'age_max']) {
    faults.push(...range(row, column, AGES_YEARS, 'Give ages in years; only adults are fitted'));
  }
  const of = (column: string) => (isEmpty(row[column]) ? undefined : Number(row[column]));
  const ages = [of('age_min'), of('age_mean'), of('age_max')];
  if (!rises(ages)) {
    const fault = `the ages ${ages.map((age) => age ?? '-').join(', ')} do not rise`;
    faults.push({ what: 'age_min', fault, remedy: 'Order them as age_min, age_mean, age_max' });
  }
  if (!(Number(row.mean_mm) > 0)) {
    const fault = `${shown(row.mean_mm)} is not a mean in mm`;
    faults.push({ what: name, fault, remedy: 'Give mean_mm, or leave the row out' });
  }
  if (of('sd_mm') !== undefined && !(Number(row.sd_mm) > 0)) {
    const fault = `${shown(row.sd_mm)} is not an SD in mm`;
    faults.push({ what: name, fault, remedy: 'Give sd_mm, or leave the field empty' });
  }
  const percentiles = [of('p5_mm'), of('p50_mm'), of('p95_mm')];
  if (!rises(percentiles) || !rises([of('p5_mm'), of('mean_mm'), of('p95_mm')])) {
    const fault = `P5, P50, P95 ${percentiles.map((mm) => mm ?? '-').join(', ')} and the mean ${of('mean_mm')} do not rise`;
    faults.push({ what: name, fault, remedy: 'Compare the columns with the source' });
  }
  return faults;
}

/** Faults of a row of `drivers.csv` that can be found without any other row. */
export function driverRowFaults(row: Row): FieldFault[] {
  const faults = sampleFaults(row);
  const of = (column: string) => (isEmpty(row[column]) ? undefined : Number(row[column]));
  const [massKg, statureMm, printed] = [of('mass_kg'), of('stature_mm'), of('bmi')];
  if (statureMm !== undefined && !(statureMm > 0)) {
    const fault = `${shown(row.stature_mm)} is not a stature in mm`;
    faults.push({ what: 'stature_mm', fault, remedy: 'Give mm, or leave the field empty' });
  }
  faults.push(...range(row, 'bmi', BMI, 'Give the mean BMI in kg/m2'));
  // A stature in a wrong unit is reported as its own fault. The mass is then judged at a usual stature.
  const usable = statureMm !== undefined && statureMm > 1300 && statureMm < 2100;
  const squaredM = ((usable ? statureMm : 1700) / 1000) ** 2;
  const bmi = massKg === undefined || printed !== undefined ? undefined : massKg / squaredM;
  if (massKg !== undefined && bmi !== undefined && !(bmi >= BMI.least && bmi <= BMI.most)) {
    const pounds = (massKg * KG_PER_POUND) / squaredM;
    const looksLikePounds = pounds >= BMI.least && pounds <= BMI.most;
    const fault = `${massKg} kg give a BMI of ${bmi.toFixed(1)} kg/m2`;
    const unit = looksLikePounds ? `It looks like pounds: multiply by ${KG_PER_POUND}` : 'Give kg';
    faults.push({ what: 'mass_kg', fault, remedy: unit });
  }
  for (const [sd, mean] of [
    ['mass_sd_kg', 'mass_kg'],
    ['bmi_sd', 'bmi'],
  ] as const) {
    const [sdValue, meanValue] = [of(sd), of(mean)];
    if (sdValue === undefined || meanValue === undefined) continue;
    const share = sdValue / meanValue;
    if (share >= SPREAD.least && share <= SPREAD.most) continue;
    const fault = `${sdValue} is ${(100 * share).toFixed(1)} % of the mean ${meanValue}; between ${100 * SPREAD.least} and ${100 * SPREAD.most} % is usual`;
    faults.push({ what: sd, fault, remedy: 'Give the SD of the people in the unit of the mean' });
  }
  return faults;
}

/** Whether the numbers that are given do not fall. */
function rises(values: readonly (number | undefined)[]): boolean {
  const given = values.filter((value) => value !== undefined);
  return given.every((value, i) => i === 0 || value >= (given[i - 1] as number));
}
