declare module 'gltf-validator' {
  /** Severity 0 is an error, 1 a warning, 2 information, 3 a hint. */
  interface Message {
    readonly code: string;
    readonly message: string;
    readonly severity: number;
  }
  interface Report {
    readonly issues: {
      readonly numErrors: number;
      readonly numWarnings: number;
      readonly messages: readonly Message[];
    };
  }
  export function validateBytes(bytes: Uint8Array): Promise<Report>;
}
