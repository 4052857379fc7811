import { DATA_FILES, FILES, OPTIONAL_DATA_FILES } from '../lookup/format.js';

/** Files of a release in addition to those of the version, in the same folder. */
export const RELEASE_FILES = {
  /** SHA-256 of every other file, in the format of `sha256sum`. */
  sums: 'SHA256SUMS',
  accuracy: 'accuracy.json',
  compareJson: 'compare.json',
  compareText: 'compare.md',
} as const;

/** Files that every release has. */
export const REQUIRED_FILES: readonly string[] = [
  FILES.manifest,
  ...DATA_FILES,
  RELEASE_FILES.sums,
];

/** Files that a release may have. */
export const OPTIONAL_FILES: readonly string[] = [
  ...OPTIONAL_DATA_FILES,
  RELEASE_FILES.accuracy,
  RELEASE_FILES.compareJson,
  RELEASE_FILES.compareText,
];

/** Maximum unpacked size of an archive. A version has about 250 MB. */
export const UNPACKED_BYTES_MAX = 1024 ** 3;
/** Maximum length of a version's name. It is well below the limits of file systems. */
export const NAME_CHARS_MAX = 64;

/** File name of the archive of a version. */
export function archiveName(version: string): string {
  return `vitruvia-artifacts-${version}.tar.gz`;
}

/** A line of `SHA256SUMS`. */
export function sumLine(sha256: string, file: string): string {
  return `${sha256}  ${file}\n`;
}

/** Why an archive was refused. */
export type ArchiveFault =
  | 'unreadable'
  | 'no_release'
  | 'unsafe'
  | 'too_large'
  | 'wrong_checksum'
  | 'bad_version'
  | 'name_taken';

/** An archive could not be installed. The message says why and what to do. */
export class ArchiveError extends Error {
  readonly fault: ArchiveFault;

  constructor(fault: ArchiveFault, message: string) {
    super(message);
    this.name = 'ArchiveError';
    this.fault = fault;
  }
}
