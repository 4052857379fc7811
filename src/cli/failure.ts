import type { CommanderError } from 'commander';
import { AccountError } from '../accounts/errors.js';
import { ArchiveError } from '../artifacts/errors.js';
import { ConfigError } from '../config.js';
import { Problem, problemBody } from '../core/errors.js';
import { DatabaseOpenError, type DatabaseOpenReason, errorCode } from '../database/errors.js';
import { ArtifactError } from '../lookup/errors.js';

/** A command that cannot be carried out; the message says why and what to do. */
export class Refusal extends Error {
  readonly code: string;
  readonly exitCode: 1 | 2;
  /** What the JSON document says besides code and message. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    exitCode: 1 | 2 = 1,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.exitCode = exitCode;
    this.details = details;
  }
}

/** What the user is told: one JSON object, or text. */
export interface Failure {
  readonly exitCode: 1 | 2;
  readonly document: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const DATABASE_REMEDIES: Readonly<Record<DatabaseOpenReason, string>> = {
  bad_url: 'Set DATABASE_URL to file:<path> or postgres://….',
  not_a_database: 'Set DATABASE_URL to another file, or put a backup in its place.',
  not_writable:
    'Make its folder writable (PostgreSQL: give the user the rights), or set DATABASE_URL to file:<path> elsewhere.',
  newer: 'Update the program, or set DATABASE_URL to another database.',
  unreachable: 'Start the server, or correct the host and port in DATABASE_URL.',
  access_denied: 'Correct the user and password in DATABASE_URL.',
  no_database: 'Create it (createdb), or correct its name at the end of DATABASE_URL.',
  too_old: 'Update PostgreSQL.',
};

/**
 * Tells the user what went wrong, without a stack unless it is a fault of the program.
 *
 * @returns the exit code
 */
export function reportFailure(error: unknown, json: boolean): number {
  const failure = describeFailure(error);
  if (json) process.stdout.write(`${JSON.stringify(failure.document)}\n`);
  else process.stderr.write(`${failure.text}\n`);
  return failure.exitCode;
}

/**
 * Maps what Commander ended with to an exit code; it has printed its text itself unless `json`.
 *
 * @returns 0 for a help text or version asked for, else 2
 */
export function reportUsage(error: CommanderError, json: boolean): number {
  if (error.exitCode === 0) return 0;
  if (json) {
    const noCommand = error.code === 'commander.help';
    const message = noCommand ? 'A command is needed; --help lists them.' : error.message;
    const document = { code: 'wrong_usage', message: message.replace(/^error: /, '') };
    process.stdout.write(`${JSON.stringify(document)}\n`);
  }
  return 2;
}

/** Says of anything thrown what the user should know of it. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof Refusal) {
    const { code, message, exitCode, details } = error;
    return { exitCode, document: { code, message, ...details }, text: message };
  }
  if (error instanceof ArchiveError) return plain(`archive_${error.fault}`, error.message);
  if (error instanceof AccountError) return plain(error.reason, error.message);
  if (error instanceof Problem) return describeProblem(error);
  if (error instanceof ConfigError) {
    const { message, faults } = error;
    const document = { code: 'invalid_configuration', message, faults };
    return { exitCode: 2, document, text: message };
  }
  if (error instanceof DatabaseOpenError) {
    const message = `${error.message} ${DATABASE_REMEDIES[error.reason]}`;
    return plain(`database_${error.reason}`, message);
  }
  if (error instanceof ArtifactError) {
    return plain(`artifact_${error.fault}`, `${error.message}. ${artifactRemedy(error)}`);
  }
  return describeSystemError(error);
}

function plain(code: string, message: string, exitCode: 1 | 2 = 1): Failure {
  return { exitCode, document: { code, message }, text: message };
}

function describeProblem(problem: Problem): Failure {
  // There is no request whose id could be given.
  const { request_id: _, ...document } = problemBody(problem, '');
  const { errors = [] } = problem.extras;
  const messages = errors.length > 0 ? errors.map(({ message }) => message) : [problem.message];
  // The one message that points to a route has its counterpart here.
  const text = messages.join('\n').replaceAll('; GET / lists', '; npx vitruvia catalog lists');
  return { exitCode: 1, document, text };
}

function artifactRemedy({ fault }: ArtifactError): string {
  if (fault === 'newer_format') return 'Update the program, or choose an older ARTIFACT_VERSION.';
  return 'Build the artifacts again with npx vitruvia pipeline, or choose another ARTIFACT_VERSION (npx vitruvia artifacts list).';
}

function describeSystemError(error: unknown): Failure {
  if (errorCode(error)?.startsWith('SQLITE_BUSY')) {
    const message = 'Another process holds the database locked; try again in a moment.';
    return plain('database_busy', message);
  }
  const { code, port, address, message } = error as NodeJS.ErrnoException & {
    readonly port?: number;
    readonly address?: string;
  };
  const where = `${address ?? 'HOST'}:${port ?? 'PORT'}`;
  if (code === 'EADDRINUSE') {
    const remedy =
      'stop that program, or set PORT (METRICS_PORT) to another; 0 takes any free one.';
    return plain('port_in_use', `${where} is in use by another program: ${remedy}`);
  }
  if (code === 'EACCES' && port !== undefined) {
    return plain('port_refused', `The system refuses ${where}: set PORT to one from 1024 up.`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const remedy = 'set HOST to one, such as 127.0.0.1 or 0.0.0.0.';
    return plain('bad_host', `HOST is no address of this machine (${message}): ${remedy}`);
  }
  // A fault of ours: whoever reports it needs the stack.
  const stack = error instanceof Error ? (error.stack ?? message) : String(error);
  const text = `This is a fault of the program; please report it:\n${stack}`;
  return {
    exitCode: 1,
    document: { code: 'internal_error', message: String(message), stack },
    text,
  };
}
