/** One fault or doubt in `studies.csv` or `drivers.csv`. */
export interface StudyFault {
  /** Path of the file. */
  readonly file: string;
  /** Line in the file; the header is line 1. */
  readonly line: number;
  readonly study: string;
  /** Dimension or column that the fault is about. */
  readonly what: string;
  readonly fault: string;
  readonly remedy: string;
}

const MOST_SHOWN = 50;

/** The fault in one line: file, line, study, dimension, what is wrong, what to do. */
export function faultText({ file, line, study, what, fault, remedy }: StudyFault): string {
  return `${file}:${line}: ${study}, ${what}: ${fault}. ${remedy}.`;
}

/**
 * Thrown for tables of national studies that cannot be fitted. The message lists all faults of all files.
 */
export class StudyFaults extends Error {
  override readonly name = 'StudyFaults';

  constructor(readonly faults: readonly StudyFault[]) {
    const files = new Set(faults.map(({ file }) => file)).size;
    const shown = faults.slice(0, MOST_SHOWN).map((fault) => `  ${faultText(fault)}`);
    const more = faults.length - shown.length;
    if (more > 0) shown.push(`  ${more} more faults`);
    const count = `${faults.length} fault${faults.length === 1 ? '' : 's'}`;
    const where = `${files} file${files === 1 ? '' : 's'}`;
    super(
      `The national studies have ${count} in ${where}. Nothing was built.\n${shown.join('\n')}`,
    );
  }
}
