import { AccountError } from './accounts/errors.js';
import { ArchiveError } from './artifacts/release-format.js';
import { ConfigError } from './config.js';
import {
  inWords,
  listedBy,
  Problem,
  problemBody,
  REST_WORDING,
  type Wording,
  worded,
} from './core/errors.js';
import {
  DatabaseOpenError,
  type DatabaseOpenReason,
  errorCode,
  RedisOpenError,
  type RedisOpenReason,
} from './database/errors.js';
import { ArtifactError } from './lookup/errors.js';

/** A command cannot be carried out. The message gives the reason and what to do. */
export class Refusal extends Error {
  readonly code: string;
  readonly exitCode: 1 | 2 | 3;
  /** Further members of the JSON document. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    exitCode: 1 | 2 | 3 = 1,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.exitCode = exitCode;
    this.details = details;
  }
}

/** Output for the user: one JSON object, or text. */
export interface Failure {
  readonly exitCode: 1 | 2 | 3;
  readonly document: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const DATABASE_REMEDIES: Readonly<Record<DatabaseOpenReason, string>> = {
  bad_url: 'Set DATABASE_URL to file:<path> or postgres://….',
  not_a_database: 'Set DATABASE_URL to another file, or replace this one by a backup.',
  not_writable:
    'Make its folder writable and its disk have room (PostgreSQL: give the user the rights), or set DATABASE_URL to file:<path> elsewhere.',
  disk_full: 'Make room on it and try again.',
  served:
    'Stop that server, or set DATABASE_URL to another file. Several servers need Redis and PostgreSQL.',
  newer: 'Update the program, or set DATABASE_URL to another database.',
  outdated: 'docs/operations.md, "Upgrades", says how.',
  unreachable: 'Start the server, or correct the host and port in DATABASE_URL.',
  unavailable:
    'What was booked before is kept; the last step was booked whole or not at all. When the server is back, look with credits show or ledger verify, and repeat the command: a cause or reason is booked only once.',
  access_denied: 'Correct the user and password in DATABASE_URL.',
  tls: 'Correct sslmode in DATABASE_URL: ?sslmode=disable if PostgreSQL serves no TLS, ?sslmode=require if it demands TLS, with a certificate that this machine trusts.',
  no_database: 'Create it (createdb), or correct its name at the end of DATABASE_URL.',
  too_old: 'Update PostgreSQL.',
};

const REDIS_REMEDIES: Readonly<Record<RedisOpenReason, string>> = {
  unreachable:
    'Start it, or correct the host, the port and redis:// (rediss:// for TLS) in REDIS_URL.',
  access_denied: 'Correct the user and password in REDIS_URL (redis://user:password@host:6379).',
  no_database: 'Correct the number of the database at the end of REDIS_URL, or leave it out.',
  no_cluster:
    'Name one Redis in REDIS_URL, without commas and without +cluster, or start a cluster.',
  settings:
    'Change these lines in redis.conf, or with CONFIG SET and then CONFIG REWRITE. docs/operations.md, "Start", says why.',
  tls: 'Use rediss:// in REDIS_URL if Redis serves TLS, with a certificate that this machine trusts, and redis:// otherwise.',
};

/** Describes any thrown value for the user. */
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
  if (error instanceof RedisOpenError) {
    return plain(`redis_${error.reason}`, `${error.message} ${REDIS_REMEDIES[error.reason]}`);
  }
  if (error instanceof ArtifactError) {
    return plain(`artifact_${error.fault}`, `${error.message}. ${artifactRemedy(error)}`);
  }
  return describeSystemError(error);
}

function plain(code: string, message: string): Failure {
  return { exitCode: 1, document: { code, message }, text: message };
}

/** The flag of a field, such as `--mass-unit`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The wording of commands: a field of the request is a flag, and the rest of its path is in the flag's JSON. */
export const COMMAND_WORDING: Wording = {
  field(pointer, short) {
    const [, name = '', rest = ''] = /^\/?([^/]*)(.*)$/.exec(pointer) ?? [];
    if (name === '') return 'The request';
    return short ?? REST_WORDING.field(`/${flagOf(name)}${rest}`);
  },
  rules: listedBy('npx vitruvia catalog', 'npx vitruvia products lists all {1}.'),
};

function describeProblem(asked: Problem): Failure {
  const problem = worded(asked, (sentence) => inWords(sentence, COMMAND_WORDING));
  // A command has no request, so the document has no request id.
  const { request_id: _, ...document } = problemBody(problem, '');
  const { errors = [] } = problem.extras;
  const texts = errors.map((one) => inWords(one));
  // A message that does not begin with the first fault says more than the list of faults.
  const isList = problem.message.startsWith(texts[0] ?? '\n');
  const message = problem.message.replace(/ \(\d+ more in errors\)/, '');
  const others = texts.filter((one) => !message.includes(one));
  const text = (isList ? texts : [message, ...others]).join('\n');
  return { exitCode: 1, document, text };
}

function artifactRemedy({ fault }: ArtifactError): string {
  if (fault === 'newer_format') return 'Update the program, or choose an older ARTIFACT_VERSION.';
  return 'Build the artifacts again with npx vitruvia pipeline, or choose another ARTIFACT_VERSION (npx vitruvia artifacts list).';
}

function describeSystemError(error: unknown): Failure {
  if (errorCode(error)?.startsWith('SQLITE_BUSY')) {
    const message = 'Another process has locked the database; try again in a moment.';
    return plain('database_busy', message);
  }
  const { code, port, address, message } = error as NodeJS.ErrnoException & {
    readonly port?: number;
    readonly address?: string;
  };
  const where = `${address ?? 'HOST'}:${port ?? 'PORT'}`;
  if (code === 'EADDRINUSE') {
    const remedy =
      'stop that program, or set PORT (METRICS_PORT) to another port; 0 takes any free one.';
    return plain('port_in_use', `${where} is in use by another program: ${remedy}`);
  }
  if (code === 'EACCES' && port !== undefined) {
    return plain('port_refused', `The system refuses ${where}: set PORT to 1024 or higher.`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const remedy = 'set HOST to one of its addresses, such as 127.0.0.1 or 0.0.0.0.';
    return plain('bad_host', `HOST is not an address of this machine (${message}): ${remedy}`);
  }
  // This is a fault of the program, so a report needs the stack.
  const stack = error instanceof Error ? (error.stack ?? message) : String(error);
  const text = `This is a fault of the program; please report it:\n${stack}`;
  return {
    exitCode: 1,
    document: { code: 'internal_error', message: String(message), stack },
    text,
  };
}
