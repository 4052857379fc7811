import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { ROOT } from './build.js';
import { newFolder } from './folders.js';

const picomatch = createRequire(import.meta.url)('picomatch');
const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
const kept = picomatch(
  lines.filter((line) => line !== '' && !line.startsWith('#')),
  { dot: true },
);

/** Whether `.dockerignore` keeps a path of the project, or a folder above it, out of the image. */
export function isKeptOut(path: string): boolean {
  const names = path.split('/');
  return path !== '' && names.some((_, i) => kept(names.slice(0, i + 1).join('/')));
}

/** Copies what `.dockerignore` lets in to a new folder, and links the packages of the checkout. Returns the folder. */
export function copyImageContext(): string {
  const folder = newFolder('image');
  const filter = (path: string) => !isKeptOut(relative(ROOT, path));
  cpSync(ROOT, folder, { recursive: true, filter });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
