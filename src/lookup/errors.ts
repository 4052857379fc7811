/** Why an artifact was refused. */
export type ArtifactFault =
  | 'missing'
  | 'unverified'
  | 'truncated'
  | 'not_arrow'
  | 'wrong_type'
  | 'newer_format'
  | 'wrong_axes'
  | 'missing_column'
  | 'misaligned'
  | 'wrong_rows'
  | 'wrong_checksum'
  | 'not_a_number'
  | 'not_monotone'
  | 'out_of_range';

/** The service refuses an artifact. The error is thrown at the start or at a switch, never by a request. */
export class ArtifactError extends Error {
  readonly fault: ArtifactFault;
  readonly file: string;
  /** The message without the file and the fault. */
  readonly reason: string;

  constructor(fault: ArtifactFault, file: string, reason: string) {
    super(`${file}: ${reason} (${fault})`);
    this.name = 'ArtifactError';
    this.fault = fault;
    this.file = file;
    this.reason = reason;
  }
}
