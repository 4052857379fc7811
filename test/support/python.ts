import { findProgram, type Program } from './programs.js';

const MODULES = { folders: ['/usr/lib/python3/dist-packages'], isModule: true } as const;

/**
 * Debian's Python, with httpx, which the client always needs, pandas for data frames, and the programs that install the
 * client.
 */
export const PYTHON: readonly Program[] = [
  { name: 'python3', debianPackage: 'python3', folders: ['/usr/bin'] },
  { name: 'httpx/__init__.py', debianPackage: 'python3-httpx', ...MODULES },
  { name: 'pandas/__init__.py', debianPackage: 'python3-pandas', ...MODULES },
  // Virtual environments.
  {
    name: 'ensurepip/__init__.py',
    debianPackage: 'python3-venv',
    folders: ['/usr/lib/*'],
    isModule: true,
  },
];

/** Whether they are installed, for `describe.skipIf(!havePython)`; see `haveBrowser`. */
export const havePython = PYTHON.every((one) => findProgram(one) !== undefined);
