import { group } from 'd3-array';
import {
  MEASUREMENT_NAMES,
  MEASUREMENTS,
  type MeasurementName,
} from '../../src/core/measurements.js';
import { type CellValue, cellNumber, type FileRows } from './raw-tables.js';
import type { Study } from './study.js';
import type { StudyFault } from './study-faults.js';
import {
  driverRowFaults,
  type FieldFault,
  nameMeant,
  READ_COLUMNS,
  studyRowFaults,
} from './study-fields.js';
import {
  type Expectation,
  meanFinding,
  type RatioFinding,
  soundMeanMm,
  spreadFinding,
} from './study-ratios.js';

/** Figures that the model expects of a sample; undefined where it has no model. */
export interface StudyExpectations {
  /** Expected value of a dimension, given the sample's own stature, BMI and age, where printed. */
  dimension(sample: Study, measurement: MeasurementName): Expectation | undefined;
  /** Whether a mean is compared with its standard error, too. A build leaves that to the checks of a study. */
  readonly comparesCounts?: boolean;
  /** Stature of the sample's country, gender and birth year. */
  stature(sample: Study): Expectation;
}

type Row = Readonly<Record<string, CellValue>>;

/** The two files of a source. */
type SourceFiles = Readonly<Record<FileName, FileRows>>;

export type FileName = keyof typeof READ_COLUMNS;

/** Faults, which stop a build, and warnings, which do not. */
export interface StudyFindings {
  readonly faults: StudyFault[];
  readonly warnings: StudyFault[];
}

/** Two files print one stature if they differ by less than this share, which rounding explains. */
const SAME_FIGURE = 0.005;
/** Number of the first line after the header, as files count lines. */
const FIRST_LINE = 2;

const keyOf = (row: Row): string => `${row.study_id}|${row.gender}`;

/** A driver row with its line. `sound`: its own fields have no faults. */
interface Driver {
  readonly row: Row;
  readonly line: number;
  readonly sound: boolean;
}

/** The part of the body that a name begins with, and the kind of the dimension: `Thigh circumference`. */
function partOf(name: MeasurementName): string {
  return `${/^(?:Female)?[A-Z][a-z]+/.exec(name)?.[0].replace('Female', '')} ${kindOf(name)}`;
}

const kindOf = (name: MeasurementName) => MEASUREMENTS.find((one) => one.name === name)?.kind;

/** A mean this near to the expectation of a dimension, in SD of the dimension, may be that dimension. */
const SAME_LEVEL_SD = 1;

/** Checks the two files of one source, row by row and against each other. */
export class StudyCheck {
  readonly findings: StudyFindings = { faults: [], warnings: [] };
  readonly #drivers = new Map<string, Driver>();

  /**
   * @param sampleOf returns the sample that a driver row describes
   * @param known keys (`study_id|gender`) of the samples of all sources
   * @param expectations the model; without it, the ratios are not checked
   */
  constructor(
    private readonly source: string,
    private readonly files: SourceFiles,
    private readonly sampleOf: (driver: Row, year: number | undefined) => Study,
    private readonly known: ReadonlySet<string>,
    private readonly expectations?: StudyExpectations,
  ) {}

  /** Runs all checks. */
  run(): StudyFindings {
    if (!this.#checkColumns()) return this.findings;
    this.#checkDrivers();
    this.#checkStudies();
    return this.findings;
  }

  #add(file: FileName, line: number, row: Row, found: FieldFault, stops = true): void {
    const study = `${row.study_id ?? 'no study_id'} ${row.gender ?? ''}`.trim();
    const { what, fault, remedy } = found;
    const list = stops ? this.findings.faults : this.findings.warnings;
    list.push({ file: this.files[file].path, line, study, what, fault, remedy });
  }

  #addRatio(file: FileName, line: number, row: Row, found: RatioFinding | undefined): boolean {
    if (found !== undefined) this.#add(file, line, row, found, found.stops);
    return found?.stops === true;
  }

  #checkColumns(): boolean {
    for (const file of Object.keys(READ_COLUMNS) as FileName[]) {
      for (const column of READ_COLUMNS[file]) {
        if (this.files[file].columns.includes(column)) continue;
        const meant = nameMeant(column, this.files[file].columns);
        const hint = meant === undefined ? '' : ` instead of ${meant}, if that is the column`;
        this.#add(
          file,
          1,
          { study_id: this.source },
          {
            what: column,
            fault: 'the column is missing',
            remedy: `Write ${column} in the header${hint}; pipeline/import/national-study.ts describes it`,
          },
        );
      }
    }
    return this.findings.faults.length === 0;
  }

  #checkDrivers(): void {
    const file = 'drivers.csv';
    const studied = group(this.files['studies.csv'].rows, keyOf);
    this.files[file].rows.forEach((row, i) => {
      const line = i + FIRST_LINE;
      const faults = driverRowFaults(row);
      for (const fault of faults) this.#add(file, line, row, fault);
      const before = this.#drivers.get(keyOf(row));
      if (before !== undefined) {
        const fault = `the sample is also in line ${before.line}`;
        this.#add(file, line, row, { what: 'study_id', fault, remedy: 'Keep one row' });
      }
      // A sample that has only BMI or body mass has no dimension in mm. It is kept as documentation and
      // needs no row in studies.csv.
      if (row.stature_mm !== null && !studied.has(keyOf(row))) {
        const remedy = 'Add its dimensions there, or leave the row out';
        const fault = 'the sample has a stature, but no row in studies.csv';
        this.#add(file, line, row, { what: 'study_id', fault, remedy });
      }
      this.#checkReferences(row, line);
      const year = cellNumber(studied.get(keyOf(row))?.[0]?.year);
      const far = this.#checkStature(row, line, year, faults);
      const sound = faults.length === 0 && !far;
      this.#drivers.set(keyOf(row), { row, line, sound });
    });
  }

  #checkReferences(row: Row, line: number): void {
    for (const column of ['stature_from', 'mass_from', 'part_of']) {
      const name = row[column];
      if (name === null || this.known.has(`${name}|${row.gender}`)) continue;
      const fault = `no source has the sample "${name}" of this gender`;
      const names = [...this.known].map((key) => key.split('|')[0] as string);
      const meant = nameMeant(String(name), names);
      const remedy = meant === undefined ? 'Correct the name' : `Perhaps ${meant} is meant`;
      this.#add('drivers.csv', line, row, { what: column, fault, remedy });
    }
  }

  /** Judges the stature of a sample; returns whether it is a fault. */
  #checkStature(
    row: Row,
    line: number,
    year: number | undefined,
    faults: readonly FieldFault[],
  ): boolean {
    const needed = ['country', 'gender', 'stature_mm', 'age_mean'];
    const unusable = faults.some(({ what }) => needed.includes(what));
    if (this.expectations === undefined || row.stature_mm === null || unusable) return false;
    const expected = this.expectations.stature(this.sampleOf(row, year));
    const [meanMm, sdMm] = [Number(row.stature_mm), cellNumber(row.stature_sd_mm)];
    const file = 'drivers.csv';
    const mean = meanFinding('stature_mm', meanMm, expected, '');
    const far = this.#addRatio(file, line, row, mean);
    if (sdMm === undefined) return far;
    const soundMm = soundMeanMm(meanMm, mean, expected);
    const spread = spreadFinding('stature_sd_mm', sdMm, soundMm, expected);
    return this.#addRatio(file, line, row, spread) || far;
  }

  #checkStudies(): void {
    const file = 'studies.csv';
    const best = new Map<string, number>();
    this.files[file].rows.forEach((row, i) => {
      const line = i + FIRST_LINE;
      const faults = studyRowFaults(row);
      for (const fault of faults) this.#add(file, line, row, fault);
      const key = `${keyOf(row)}|${row.measurement}`;
      const before = best.get(key);
      if (row.is_best === 1 && before !== undefined) {
        const fault = `line ${before} has this dimension of the same sample too`;
        const remedy = 'Give the rows names of different samples, or leave one out';
        this.#add(file, line, row, { what: String(row.measurement), fault, remedy });
      }
      if (row.is_best === 1) best.set(key, line);
      const driver = this.#drivers.get(keyOf(row));
      const wrong = new Set(faults.map(({ what }) => what));
      if (driver !== undefined) this.#checkAgreement(row, line, driver, wrong);
      else if (!wrong.has('gender')) this.#addWithoutDriver(row, line);
      if (faults.length === 0 && driver !== undefined) this.#checkRatio(row, line, driver);
    });
  }

  #addWithoutDriver(row: Row, line: number): void {
    const names = [...this.#drivers.keys()].map((key) => key.replace('|', ' '));
    const own = keyOf(row).replace('|', ' ');
    const meant = nameMeant(own, names);
    const hint = meant === undefined ? '' : `, or correct the name (drivers.csv has ${meant})`;
    const fault = 'the sample has no row in drivers.csv';
    const remedy = `Add its stature, mass or BMI there${hint}`;
    this.#add('studies.csv', line, row, { what: String(row.measurement), fault, remedy });
  }

  #checkAgreement(row: Row, line: number, driver: Driver, wrong: ReadonlySet<string>): void {
    for (const column of ['country', 'survey_family']) {
      if (row[column] === driver.row[column] || wrong.has(column)) continue;
      const fault = `"${row[column]}" is "${driver.row[column]}" in line ${driver.line} of drivers.csv`;
      const remedy = 'Write the same in both files';
      this.#add('studies.csv', line, row, { what: column, fault, remedy });
    }
    const { stature_mm: stature, stature_from: from } = driver.row;
    if (row.measurement !== 'Stature' || row.is_best !== 1 || stature === null) return;
    if (from !== row.study_id) return;
    if (Math.abs(Number(row.mean_mm) / Number(stature) - 1) <= SAME_FIGURE) return;
    const fault = `${row.mean_mm} mm is ${stature} mm in line ${driver.line} of drivers.csv`;
    const remedy = 'Write the same stature in both files';
    this.#add('studies.csv', line, row, { what: 'Stature', fault, remedy });
  }

  /** The remedy for a mean that fits a dimension of the same part of the body, taken at another level. */
  #otherLevel(sample: Study, measurement: MeasurementName, meanMm: number): string | undefined {
    const part = partOf(measurement);
    const [nearest] = MEASUREMENT_NAMES.flatMap((name) => {
      const expected =
        partOf(name) === part ? this.expectations?.dimension(sample, name) : undefined;
      if (expected === undefined || name === measurement) return [];
      const offSd = Math.abs(Math.log(meanMm / expected.meanMm) / expected.lnSd);
      return offSd > SAME_LEVEL_SD ? [] : { name, offSd, meanMm: Math.round(expected.meanMm) };
    }).sort((a, b) => a.offSd - b.offSd);
    if (nearest === undefined) return undefined;
    return `It fits ${nearest.name} (${nearest.meanMm} mm): the level may be another. Name it so, or write match poor`;
  }

  #checkRatio(row: Row, line: number, driver: Driver): void {
    if (this.expectations === undefined) return;
    const sample = this.sampleOf(driver.row, cellNumber(row.year));
    // Without a sound stature and BMI, the expectation is the base survey's own mean.
    const judged = driver.sound ? sample : { ...sample, statureMm: undefined, bmi: undefined };
    const measurement = row.measurement as MeasurementName;
    const expected = this.expectations.dimension(judged, measurement);
    if (expected === undefined) return;
    const file = 'studies.csv';
    const [meanMm, sdMm] = [Number(row.mean_mm), cellNumber(row.sd_mm)];
    const people = this.expectations.comparesCounts === true ? Number(row.n) : undefined;
    const mean = meanFinding(measurement, meanMm, expected, String(row.match), people);
    const level =
      mean?.factor === undefined && mean && this.#otherLevel(judged, measurement, meanMm);
    this.#addRatio(file, line, row, mean && { ...mean, remedy: level || mean.remedy });
    // With this flag, the source itself doubts a figure.
    if (sdMm === undefined || row.check_figure === 1) return;
    const soundMm = soundMeanMm(meanMm, mean, expected);
    const spread = spreadFinding(measurement, sdMm, soundMm, expected);
    this.#addRatio(file, line, row, spread);
  }
}
