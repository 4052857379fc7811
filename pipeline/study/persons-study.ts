import { basename, dirname, join, resolve } from 'node:path';
import { group, median } from 'd3-array';
import { openDuck } from '../import/duck.js';
import type { OutputTable, TableColumn } from '../import/importer.js';
import { driverRow, SOUND, studyOutputs } from '../import/national-study.js';
import { csvText, replaceSource, sourceText } from '../import/output.js';
import { compareText } from '../import/statistics.js';

import { type StudyFault, StudyFaults } from '../raw-tables/study-faults.js';
import { bandsText, bandText } from './age-bands.js';
import { CORRELATED, type PersonCell, type PersonCells, personCells } from './person-cells.js';
import { type PersonsOptions, type PersonsRead, readPersons } from './persons.js';
import { COMMAND, checkBeside, checkName, describedIn, FILES, withFault } from './study.js';
import { StudyRefusal } from './study-map.js';

/** How well the definitions of a study agree with those of the service. */
export type Match = 'exact' | 'close' | 'poor';

/** Options of an import of persons. */
export interface PersonsImportOptions extends PersonsOptions {
  /** Folder of the sources that the study is compared with. The study is put there, too. */
  readonly rawDir: string;
  /** Name of the source; by default the name of the file's folder. */
  readonly name?: string | undefined;
  /** Day for SOURCE.md, YYYY-MM-DD. */
  readonly date: string;
  /** Year of measurement. */
  readonly year?: number | undefined;
  /** Kind of people, such as military or students. */
  readonly population?: string | undefined;
  /** The match of measurements; those that are not named have that of the empty name, else `close`. */
  readonly match: ReadonlyMap<string, Match>;
  /** Whether nothing is written. */
  readonly isDry: boolean;
}

/** Result of an import of persons. A dry run writes nothing. */
export interface ImportedPersons extends Omit<PersonsRead, 'measurements'> {
  readonly cells: readonly PersonCell[];
  readonly warnings: readonly StudyFault[];
  /** Why the import would be refused; only of a dry import. */
  readonly refused: string | undefined;
  readonly folder: string;
  readonly tables: Readonly<Record<string, number>>;
}

/** Columns of `correlations.csv`. */
const CORRELATION_COLUMNS: readonly TableColumn[] = [
  ['study_id', 'sample'],
  ['gender', 'Male or Female'],
  ['measurement', 'dimension, BodyMass or BMI'],
  ['other', CORRELATED.join(' or ')],
  ['n', 'people with both, at least 10'],
  ['correlation', 'correlation (Pearson) of both; the build does not read it'],
];

/**
 * Imports a file of persons as a study. It aggregates them by country, gender and age band, checks the tables as a
 * build does, and replaces `<rawDir>/<name>`. Nothing else of the persons is kept.
 *
 * @throws StudyRefusal, StudyFaults; the old tables then stay. A dry import returns both as `refused`, unless the file
 * cannot be read
 */
export async function importPersons(
  file: string,
  options: PersonsImportOptions,
): Promise<ImportedPersons> {
  const { rawDir, isDry } = options;
  const { name, fault, read, found, tables, written } = await tabulatePersons(file, options);
  const { cells } = found;
  let [warnings, refused]: [readonly StudyFault[], string | undefined] = [[], undefined];
  try {
    warnings = await withFault(fault, async () => {
      if (cells.length === 0) throw new StudyRefusal(`${file}: no cell has ten people.`);
      return await checkBeside(rawDir, name, written, file);
    });
  } catch (error) {
    const isKnown = error instanceof StudyRefusal || error instanceof StudyFaults;
    if (!isDry || !isKnown) throw error;
    refused = error.message;
  }
  if (!isDry) await replaceSource(rawDir, name, written);
  return {
    ...{ cells, warnings, refused, folder: join(rawDir, name) },
    ...{ rows: read.rows, people: read.people, headings: read.headings },
    leftOut: [...read.leftOut, ...found.leftOut],
    tables: Object.fromEntries(tables.map((table) => [table.file, table.rows.length])),
  };
}

/**
 * Computes the files of a study of persons, and writes none.
 *
 * @returns among others, the texts of the files by name, and `fault`: what is wrong with SOURCE.md
 * @throws StudyRefusal
 */
export async function tabulatePersons(file: string, options: PersonsImportOptions) {
  const folder = dirname(resolve(file));
  const { date, name = basename(folder) } = options;
  checkName(name);
  const { described, fault } = await describedIn(folder);
  const { read, found } = await aggregated(file, options);
  const strange = [...options.match.keys()].find(
    (one) => one !== '' && !read.measurements.includes(one),
  );
  if (strange !== undefined) {
    throw new StudyRefusal(
      `--match names ${strange}, which no column of ${file} measures. Leave it out.`,
    );
  }
  const tables = personTables(found, { ...options, name, citation: described.citation });
  const written = new Map(tables.map((table) => [table.file, csvText(table)]));
  const notes = [...described.notes, noteOf(options)];
  const by = { date, command: COMMAND };
  written.set(FILES.source, sourceText({ ...described, notes }, by, [], tables));
  return { name, fault, read, found, tables, written };
}

/** Reads and aggregates a file in memory. */
async function aggregated(file: string, options: PersonsOptions) {
  const { connection, close } = await openDuck();
  try {
    // A database in memory would put persons into files if it lacked memory.
    await connection.run(`SET temp_directory = ''`);
    const read = await readPersons(file, connection, options);
    return { read, found: await personCells(connection, read.measurements) };
  } finally {
    close();
  }
}

function noteOf({ bands }: PersonsImportOptions): string {
  return `Aggregated from persons by gender and age band (${bandsText(bands)}). Nothing else of the persons is kept. The figures are rounded, and percentiles are means of neighbours, so that they show no person. Cells of fewer than ten people are left out, and P5 and P95 of fewer than 40.`;
}

type TableTerms = Pick<PersonsImportOptions, 'year' | 'population' | 'match'> & {
  readonly name: string;
  readonly citation: string;
};

/** The three tables of a study of persons, sorted. */
function personTables(
  { cells: given, ageMean }: Pick<PersonCells, 'cells' | 'ageMean'>,
  { name, citation, year, population, match }: TableTerms,
): OutputTable[] {
  const isOfOneCountry = new Set(given.map(({ country }) => country)).size === 1;
  const sampleOf = (cell: PersonCell) => {
    const { country, gender, band } = cell;
    const ages = band.maxYears === undefined ? `${band.minYears}-up` : bandText(band);
    const place = isOfOneCountry ? [] : [country.toLowerCase()];
    return {
      study_id: [name, ...place, gender.toLowerCase(), ages].join('-'),
      ...{ survey_family: name, country, gender, age_mean: ageMean(cell), citation },
    };
  };
  const key = (cell: PersonCell) => `${sampleOf(cell).study_id}|${cell.gender}|${cell.measurement}`;
  const cells = given.toSorted((a, b) => compareText(key(a), key(b)));
  const samples = group(cells, (cell) => sampleOf(cell).study_id);
  const studies = cells.filter(isDimension).map((cell) => {
    const { measurement, band, n, mean, sd, p5, p50, p95 } = cell;
    const sample = sampleOf(cell);
    // The mean of exact ages may lie in the last year of a band.
    const ageMax =
      band.maxYears === undefined ? null : Math.max(band.maxYears, Math.ceil(sample.age_mean ?? 0));
    return {
      ...sample,
      ...{ age_min: band.minYears, age_max: ageMax },
      ...{ year: year ?? null, n, population: population ?? null, measurement, ...SOUND },
      match: match.get(measurement) ?? match.get('') ?? 'close',
      ...{ mean_mm: mean, sd_mm: sd, p5_mm: p5, p50_mm: p50, p95_mm: p95 },
    };
  });
  const drivers = [...samples].map(([id, sample]) => {
    const of = (measurement: string) => sample.find((cell) => cell.measurement === measurement);
    const n = median(sample.filter(isDimension), (cell) => cell.n) ?? sample[0]?.n ?? null;
    const about = { ...sampleOf(sample[0] as PersonCell), study_id: id, n, part_of: null };
    return driverRow(about, of('Stature'), of('BodyMass'), of('BMI'));
  });
  const correlations = cells.flatMap((cell) =>
    CORRELATED.flatMap((other) => {
      const found = cell.correlations[other];
      if (found === undefined) return [];
      return [[sampleOf(cell).study_id, cell.gender, cell.measurement, other, found.n, found.r]];
    }),
  );
  return [
    ...studyOutputs(studies, drivers),
    { file: 'correlations.csv', columns: CORRELATION_COLUMNS, rows: correlations },
  ];
}

const isDimension = ({ measurement }: PersonCell) =>
  measurement !== 'BodyMass' && measurement !== 'BMI';
