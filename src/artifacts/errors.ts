/** Why an archive was refused. */
export type ArchiveFault =
  | 'unreadable'
  | 'no_release'
  | 'unsafe'
  | 'too_large'
  | 'wrong_checksum'
  | 'bad_version'
  | 'name_taken';

/** An archive that was not installed; the message says why and what to do. */
export class ArchiveError extends Error {
  readonly fault: ArchiveFault;

  constructor(fault: ArchiveFault, message: string) {
    super(message);
    this.name = 'ArchiveError';
    this.fault = fault;
  }
}
