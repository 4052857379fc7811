import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installArchive } from '../../src/artifacts/install.js';
import { packRelease } from '../../src/artifacts/pack.js';
import { ArchiveError, RELEASE_FILES } from '../../src/artifacts/release-format.js';
import { FILES } from '../../src/lookup/format.js';
import { listVersions, openArtifact } from '../../src/lookup/open-artifact.js';
import { stampHolds } from '../../src/lookup/version.js';
import { changeManifest } from '../lookup/corrupt.js';
import { programWords } from '../support/build.js';
import { newFolder } from '../support/folders.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { type TarEntry, writeTar } from './tar-file.js';

const TEXTS = { [RELEASE_FILES.accuracy]: '{}\n', [RELEASE_FILES.compareText]: '# Compared\n' };

let scratch: string;
let built: string;
let archive: string;
let packed: { sha256: string; bytes: number };
let artifactsDir: string;

beforeAll(async () => {
  scratch = newFolder('release');
  built = writeTinyArtifact('2025.aabbcc');
  archive = join(scratch, 'good.tar.gz');
  packed = await packRelease(join(built, '2025.aabbcc'), TEXTS, archive);
});

beforeEach(() => {
  artifactsDir = writeTinyArtifact('old');
});

/** The archive's entries, to be changed and written again. */
function entries(): TarEntry[] {
  const tar = gunzipSync(readFileSync(archive));
  const found: TarEntry[] = [];
  for (let at = 0; tar[at] !== 0; ) {
    const path = tar
      .subarray(at, at + 100)
      .toString()
      .replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.subarray(at + 124, at + 136).toString(), 8);
    found.push({ path, content: tar.subarray(at + 512, at + 512 + size) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

async function refusal(path: string, sha256?: string): Promise<ArchiveError> {
  const outcome = await installArchive(path, artifactsDir, sha256).catch((error) => error);
  if (!(outcome instanceof ArchiveError)) throw new Error(`not refused: ${outcome}`);
  // No part of the archive is left, and the existing files are unchanged.
  expect(readdirSync(artifactsDir).sort()).toEqual(['current', 'old']);
  expect(() => openArtifact(artifactsDir)).not.toThrow();
  return outcome;
}

describe('an archive', () => {
  it('has the same bytes from another copy of the version, with any time and owner', async () => {
    const folder = join(writeTinyArtifact('other'), '2025.aabbcc');
    mkdirSync(folder);
    for (const file of readdirSync(join(built, '2025.aabbcc'))) {
      copyFileSync(join(built, '2025.aabbcc', file), join(folder, file));
      utimesSync(join(folder, file), 1_500_000_000, 1_500_000_000);
    }
    const again = join(scratch, 'again.tar.gz');
    expect(await packRelease(folder, TEXTS, again)).toEqual(packed);
    expect(Buffer.compare(readFileSync(again), readFileSync(archive))).toBe(0);
    expect(packed.bytes).toBe(statSync(archive).size);
  });

  it('installs a verified version once, beside the current one', async () => {
    const installed = await installArchive(archive, artifactsDir, packed.sha256.toUpperCase());
    expect(installed).toEqual({ version: '2025.aabbcc', sha256: packed.sha256, fresh: true });
    expect(listVersions(artifactsDir)).toEqual(['2025.aabbcc', 'old']);
    expect(openArtifact(artifactsDir).manifest.artifactVersion).toBe('old');
    const folder = join(artifactsDir, '2025.aabbcc');
    expect(stampHolds(folder)).toBe(true);
    expect(readFileSync(join(folder, RELEASE_FILES.accuracy), 'utf8')).toBe('{}\n');
    expect(readdirSync(artifactsDir).filter((name) => name.startsWith('.'))).toEqual([]);
    expect((await installArchive(archive, artifactsDir)).fresh).toBe(false);
    // Installing it again repairs a damaged version.
    truncateSync(join(folder, FILES.grid), 10);
    expect((await installArchive(archive, artifactsDir)).fresh).toBe(true);
    expect(() => openArtifact(artifactsDir, '2025.aabbcc')).not.toThrow();
  });
});

describe('is refused:', () => {
  const evil: [string, TarEntry, string][] = [
    ['a climbing path', { path: '../evil', content: 'x' }, 'unsafe'],
    ['a file no release has', { path: '2025.aabbcc/evil', content: 'x' }, 'unsafe'],
    ['a file twice', { path: '2025.aabbcc/accuracy.json', content: '{}' }, 'unsafe'],
    [
      'a symbolic link',
      { path: '2025.aabbcc/compare.json', type: 'SymbolicLink', linkpath: '/etc/passwd' },
      'unsafe',
    ],
    ['a claim of 100 GB', { path: '2025.aabbcc/compare.json', size: 1e11 }, 'too_large'],
    ['a folder', { path: '2025.aabbcc/deep/', type: 'Directory' }, 'unsafe'],
    ['a climbing path in the folder', { path: '2025.aabbcc/../../evil', content: 'x' }, 'unsafe'],
    ['an absolute path', { path: '/tmp/vitruvia-evil', content: 'x' }, 'unsafe'],
    ['a stamp', { path: '2025.aabbcc/verified.json', content: '{}' }, 'unsafe'],
    ['a hidden folder', { path: '.building-1/grid.arrow', content: 'x' }, 'unsafe'],
    ['a second version', { path: 'other/accuracy.json', content: '{}' }, 'unsafe'],
    [
      'a hard link',
      { path: '2025.aabbcc/compare.json', type: 'Link', linkpath: '2025.aabbcc/grid.arrow' },
      'unsafe',
    ],
    ['a device', { path: '2025.aabbcc/compare.json', type: 'CharacterDevice' }, 'unsafe'],
  ];

  it.each(evil)('%s, before or after the other entries', async (name, entry, fault) => {
    const isLast = evil.findIndex(([other]) => other === name) % 2 === 0;
    const list = isLast ? [...entries(), entry] : [entry, ...entries()];
    const { message, ...error } = await refusal(writeTar(join(scratch, 'evil.tar.gz'), list));
    expect(error.fault, message).toBe(fault);
    expect(existsSync('/tmp/vitruvia-evil')).toBe(false);
  });

  it('an archive that is cut off at any place', async () => {
    const bytes = readFileSync(archive);
    for (const share of [0, 0.001, 0.3, 0.9, 0.9999]) {
      const path = join(scratch, 'cut.tar.gz');
      writeFileSync(path, bytes.subarray(0, Math.floor(share * bytes.length)));
      expect((await refusal(path)).fault).toBe('no_release');
    }
    const tar = gunzipSync(bytes);
    writeFileSync(join(scratch, 'cut.tar.gz'), gzipSync(tar.subarray(0, tar.length >> 1)));
    expect((await refusal(join(scratch, 'cut.tar.gz'))).fault).toBe('no_release');
  });

  it('a file that is not an archive', async () => {
    const path = join(scratch, 'text.tar.gz');
    writeFileSync(path, 'this is a page that says not found');
    expect((await refusal(path)).fault).toBe('no_release');
    writeFileSync(path, gzipSync(gzipSync(readFileSync(archive))));
    expect((await refusal(path)).fault).toBe('no_release');
    expect((await refusal(join(scratch, 'nothing.tar.gz'))).fault).toBe('unreadable');
    expect((await refusal(scratch)).fault).toBe('unreadable');
  });

  it('a gzip bomb', async () => {
    const path = join(scratch, 'bomb.tar.gz');
    const member = gzipSync(Buffer.alloc(64 * 1024 ** 2));
    writeFileSync(path, Buffer.concat(Array.from({ length: 20 }, () => member)));
    expect(['too_large', 'no_release']).toContain((await refusal(path)).fault);
    const head = gzipSync(
      Buffer.concat(entries().map(({ content }) => Buffer.from(content ?? ''))),
    );
    writeFileSync(path, Buffer.concat([head, ...Array.from({ length: 20 }, () => member)]));
    expect(['too_large', 'no_release']).toContain((await refusal(path)).fault);
  });

  it('an archive that lacks a file or its checksums', async () => {
    for (const file of [FILES.grid, FILES.manifest, RELEASE_FILES.sums]) {
      const less = entries().filter(({ path }) => !path.endsWith(`/${file}`));
      const { fault, message } = await refusal(writeTar(join(scratch, 'less.tar.gz'), less));
      expect([fault, message]).toEqual(['no_release', expect.stringContaining(file)]);
    }
  });

  it('an archive whose content or SHA-256 is not the expected one', async () => {
    const changed = entries().map((entry) =>
      entry.path.endsWith(RELEASE_FILES.accuracy) ? { ...entry, content: '{"error":0}' } : entry,
    );
    const path = writeTar(join(scratch, 'changed.tar.gz'), changed);
    expect((await refusal(path)).fault).toBe('wrong_checksum');
    expect((await refusal(archive, packed.sha256.replace(/^./, 'x'))).fault).toBe('wrong_checksum');
  });

  it('a version with invalid numbers and right checksums', async () => {
    const root = writeTinyArtifact('unsound', { spoilGrid: (mm) => mm.fill(1, 30, 33) });
    const path = join(scratch, 'unsound.tar.gz');
    await packRelease(join(root, 'unsound'), {}, path);
    const { fault, message } = await refusal(path);
    expect([fault, message]).toEqual(['bad_version', expect.stringContaining('not_monotone')]);
  });

  it('a version under the name of another', async () => {
    // The name has the form of a build's name, but does not belong to this content.
    const root = writeTinyArtifact('2025.0123456789ab');
    const path = join(scratch, 'forged.tar.gz');
    await packRelease(join(root, '2025.0123456789ab'), {}, path);
    expect((await refusal(path)).message).toMatch(/content belongs to 2025\.[0-9a-f]{12}/);
    const folder = join(writeTinyArtifact('honest'), 'honest');
    changeManifest(folder, (manifest) => ({ ...manifest, artifactVersion: 'old' }));
    await packRelease(folder, {}, path);
    // The installed version has the same numbers, so there is nothing to do.
    expect((await installArchive(path, artifactsDir)).fresh).toBe(false);
    const other = writeTinyArtifact('old', { scale: 1.1 });
    await packRelease(join(other, 'old'), {}, path);
    expect((await refusal(path)).fault).toBe('name_taken');
  });

  it.each(['current', 'Current'])('a version named %s, like the pointer', async (name) => {
    const root = newFolder('artifact');
    writeTinyArtifact(name, { root });
    const path = join(scratch, 'pointer.tar.gz');
    await packRelease(join(root, name), {}, path);
    expect((await refusal(path)).fault).toBe('unsafe');
  });

  it('a version whose name a file already has', async () => {
    const path = join(artifactsDir, '2025.aabbcc');
    writeFileSync(path, 'notes');
    await expect(installArchive(archive, artifactsDir)).rejects.toThrow('is not a folder');
    expect(readdirSync(artifactsDir).sort()).toEqual(['2025.aabbcc', 'current', 'old']);
    expect(readFileSync(path, 'utf8')).toBe('notes');
  });
});

/** Starts an installation in another process. */
function startInstall() {
  const words = [...programWords('test/artifacts/install-child'), archive, artifactsDir];
  return spawn(process.execPath, words, { stdio: 'ignore' });
}

const underWay = () => readdirSync(artifactsDir).filter((name) => name.startsWith('.'));

describe('an installation that is killed', () => {
  it('leaves no half version, and an installation a day later removes the rest', async () => {
    let killed = 0;
    for (let delayMs = 0; killed < 3 && delayMs < 40; delayMs += 4) {
      const child = startInstall();
      const leftOver = underWay().length;
      const exited = once(child, 'exit');
      const timer = setInterval(() => {
        if (underWay().length > leftOver) {
          clearInterval(timer);
          setTimeout(() => child.kill('SIGKILL'), delayMs);
        }
      }, 1);
      const [, signal] = await exited;
      clearInterval(timer);
      if (signal === 'SIGKILL') killed++;
      // The version is complete or absent.
      for (const version of listVersions(artifactsDir)) {
        expect(() => openArtifact(artifactsDir, version)).not.toThrow();
      }
      expect(openArtifact(artifactsDir).manifest.artifactVersion).toBe('old');
    }
    expect(killed).toBeGreaterThan(0);
    const dayAgo = Date.now() / 1000 - 25 * 60 * 60;
    for (const name of underWay()) utimesSync(join(artifactsDir, name), dayAgo, dayAgo);
    await installArchive(archive, artifactsDir);
    expect(readdirSync(artifactsDir).sort()).toEqual(['2025.aabbcc', 'current', 'old']);
  });

  it('does not disturb one with the same process id, or one in another container', async () => {
    const elsewhere = '.installing-999999999-1';
    mkdirSync(join(artifactsDir, elsewhere));
    const child = startInstall();
    // In containers, every process has the id 1. The child process has not begun to unpack yet.
    const before = `.installing-${child.pid}-1`;
    mkdirSync(join(artifactsDir, before));
    writeFileSync(join(artifactsDir, before, FILES.manifest), 'half');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(underWay().sort()).toEqual([before, elsewhere].sort());
    expect(() => openArtifact(artifactsDir, '2025.aabbcc')).not.toThrow();
  });

  it('between the renames that replace a damaged version is repaired by installing again', async () => {
    await installArchive(archive, artifactsDir);
    truncateSync(join(artifactsDir, '2025.aabbcc', FILES.grid), 10);
    renameSync(join(artifactsDir, '2025.aabbcc'), join(artifactsDir, '.installing-damaged'));
    expect(listVersions(artifactsDir)).toEqual(['old']);
    expect((await installArchive(archive, artifactsDir)).fresh).toBe(true);
    expect(() => openArtifact(artifactsDir, '2025.aabbcc')).not.toThrow();
  });
});
