import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program of the system, or a part of a program, that some tests need. */
export interface Program {
  readonly name: string;
  /** Debian package that contains the program. */
  readonly debianPackage: string;
  /** Name of a program that serves as well where the first one is missing. */
  readonly substitute?: string;
  /** Folders to search besides PATH. `*` stands for one folder; the highest number comes first. */
  readonly folders?: readonly string[];
  /** Whether the program is read and not executed, such as a module of Python. */
  readonly isModule?: true;
}

/** invoke-rc.d runs this file to ask whether a newly installed service may be started. */
const SERVICE_POLICY = '/usr/sbin/policy-rc.d';
/** How long apt-get waits for another apt-get. */
const LOCK_TIMEOUT_SECONDS = 300;

/** The file of a program; undefined if it is not installed. */
export function findProgram(program: Program): string | undefined {
  const { name, substitute, folders = [], isModule } = program;
  const inPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [name, substitute ?? name]
    .flatMap((file) =>
      [...folders.flatMap(expanded), ...inPath].map((folder) => join(folder, file)),
    )
    .find(isModule ? existsSync : isExecutable);
}

/**
 * Makes sure that programs are installed. As root on Debian or Ubuntu, it installs the packages of missing programs,
 * without starting a service.
 *
 * @returns the programs that are still missing
 */
export function ensurePrograms(programs: readonly Program[]): readonly Program[] {
  const missing = (): Program[] => programs.filter((one) => findProgram(one) === undefined);
  if (missing().length === 0 || !mayInstall()) return missing();
  const packages = [...new Set(missing().map(({ debianPackage }) => debianPackage))];
  console.log(`Installing Debian's ${packages.join(', ')}, which tests need.`);
  install(packages);
  return missing();
}

/** Remedy for missing programs, as one line. */
export function remedyFor(programs: readonly Program[]): string {
  const names = programs.map(({ name }) => name).join(', ');
  const packages = [...new Set(programs.map(({ debianPackage }) => debianPackage))].join(' ');
  return `${names} not found: install it (Debian: apt-get install ${packages})`;
}

function mayInstall(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const system = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(system);
}

function install(packages: readonly string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const wait = ['-o', `DPkg::Lock::Timeout=${LOCK_TIMEOUT_SECONDS}`];
  const apt = (...words: string[]) =>
    execFileSync('apt-get', [...wait, '-qq', ...words], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  const ownPolicy = !existsSync(SERVICE_POLICY);
  if (ownPolicy) writeFileSync(SERVICE_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    attempt(() => apt('update'));
    // One package at a time, so that an unavailable package does not block the others.
    for (const name of packages) {
      attempt(() => apt('install', '-y', '--no-install-recommends', name));
    }
  } finally {
    if (ownPolicy) rmSync(SERVICE_POLICY, { force: true });
  }
}

function attempt(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    console.error((error as Error).message);
  }
}

function expanded(folder: string): string[] {
  const [before = '', after] = folder.split('*');
  if (after === undefined) return [folder];
  if (!existsSync(before)) return [];
  const names = readdirSync(before).sort((a, b) => Number(b) - Number(a));
  return names.map((name) => `${before}${name}${after}`);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
