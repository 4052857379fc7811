/** Why an artifact was refused. */
export type ArtifactFault =
  | 'missing'
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

/** An artifact the service refuses to serve from; thrown at start-up, never by a request. */
export class ArtifactError extends Error {
  readonly fault: ArtifactFault;
  readonly file: string;

  constructor(fault: ArtifactFault, file: string, message: string) {
    super(`${file}: ${message} (${fault})`);
    this.name = 'ArtifactError';
    this.fault = fault;
    this.file = file;
  }
}
