import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ArchiveError } from '../../src/artifacts/errors.js';
import { installArchive } from '../../src/artifacts/install.js';
import { packRelease } from '../../src/artifacts/pack.js';
import { RELEASE_FILES } from '../../src/artifacts/release-format.js';
import { FILES } from '../../src/lookup/format.js';
import { listVersions, openArtifact } from '../../src/lookup/open-artifact.js';
import { stampHolds } from '../../src/lookup/stamp.js';
import { changeManifest } from '../lookup/corrupt.js';
import { writeTinyArtifact } from '../support/tiny-artifact.js';
import { type TarEntry, writeTar } from './tar-file.js';

const TEXTS = { [RELEASE_FILES.accuracy]: '{}\n', [RELEASE_FILES.compareText]: '# Compared\n' };

let scratch: string;
let built: string;
let archive: string;
let packed: { sha256: string; bytes: number };
let artifactsDir: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'vitruvia-release-'));
  built = writeTinyArtifact('2025.aabbcc');
  archive = join(scratch, 'good.tar.gz');
  packed = await packRelease(join(built, '2025.aabbcc'), TEXTS, archive);
});

beforeEach(() => {
  artifactsDir = writeTinyArtifact('old');
});

/** The archive's entries, to be spoilt and written again. */
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
  // Whatever it was, nothing of it is left and what was there is as it was.
  expect(readdirSync(artifactsDir).sort()).toEqual(['current', 'old']);
  expect(() => openArtifact(artifactsDir)).not.toThrow();
  return outcome;
}

describe('an archive', () => {
  it('is the same bytes from another copy of the version, whenever and whosever', async () => {
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

  it('installs beside what is current, verified, and once', async () => {
    const installed = await installArchive(archive, artifactsDir, packed.sha256.toUpperCase());
    expect(installed).toEqual({ version: '2025.aabbcc', sha256: packed.sha256, fresh: true });
    expect(listVersions(artifactsDir)).toEqual(['2025.aabbcc', 'old']);
    expect(openArtifact(artifactsDir).manifest.artifactVersion).toBe('old');
    const folder = join(artifactsDir, '2025.aabbcc');
    expect(stampHolds(folder)).toBe(true);
    expect(readFileSync(join(folder, RELEASE_FILES.accuracy), 'utf8')).toBe('{}\n');
    expect(readdirSync(artifactsDir).filter((name) => name.startsWith('.'))).toEqual([]);
    expect((await installArchive(archive, artifactsDir)).fresh).toBe(false);
    // Damaged since, it is put right by installing it again.
    truncateSync(join(folder, FILES.grid), 10);
    expect((await installArchive(archive, artifactsDir)).fresh).toBe(true);
    expect(() => openArtifact(artifactsDir, '2025.aabbcc')).not.toThrow();
  });
});

describe('is refused:', () => {
  const evil: [string, TarEntry, string][] = [
    ['a climbing path', { path: '../evil', content: 'x' }, 'unsafe'],
    ['a climbing path in the folder', { path: '2025.aabbcc/../../evil', content: 'x' }, 'unsafe'],
    ['an absolute path', { path: '/tmp/vitruvia-evil', content: 'x' }, 'unsafe'],
    ['a file no release has', { path: '2025.aabbcc/evil', content: 'x' }, 'unsafe'],
    ['a stamp', { path: '2025.aabbcc/verified.json', content: '{}' }, 'unsafe'],
    ['a hidden folder', { path: '.building-1/grid.arrow', content: 'x' }, 'unsafe'],
    ['a second version', { path: 'other/accuracy.json', content: '{}' }, 'unsafe'],
    ['a file twice', { path: '2025.aabbcc/accuracy.json', content: '{}' }, 'unsafe'],
    ['a folder', { path: '2025.aabbcc/deep/', type: 'Directory' }, 'unsafe'],
    [
      'a symbolic link',
      { path: '2025.aabbcc/compare.json', type: 'SymbolicLink', linkpath: '/etc/passwd' },
      'unsafe',
    ],
    [
      'a hard link',
      { path: '2025.aabbcc/compare.json', type: 'Link', linkpath: '2025.aabbcc/grid.arrow' },
      'unsafe',
    ],
    ['a device', { path: '2025.aabbcc/compare.json', type: 'CharacterDevice' }, 'unsafe'],
    ['a claim of 100 GB', { path: '2025.aabbcc/compare.json', size: 1e11 }, 'too_large'],
  ];

  it.each(evil)('%s, before or behind the rest', async (name, entry, fault) => {
    for (const list of [
      [entry, ...entries()],
      [...entries(), entry],
    ]) {
      const { message, ...error } = await refusal(writeTar(join(scratch, 'evil.tar.gz'), list));
      // Before its double, a lone accuracy.json is but a wrong one.
      expect(['unsafe', fault], `${name}: ${message}`).toContain(error.fault);
    }
    expect(existsSync('/tmp/vitruvia-evil')).toBe(false);
  });

  it('an archive cut off anywhere', async () => {
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

  it('no archive at all', async () => {
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

  it('one that lacks a file, or its checksums', async () => {
    for (const file of [FILES.grid, FILES.manifest, RELEASE_FILES.sums]) {
      const less = entries().filter(({ path }) => !path.endsWith(`/${file}`));
      const { fault, message } = await refusal(writeTar(join(scratch, 'less.tar.gz'), less));
      expect([fault, message]).toEqual(['no_release', expect.stringContaining(file)]);
    }
  });

  it('one changed without its checksums, or with another SHA-256 than announced', async () => {
    const changed = entries().map((entry) =>
      entry.path.endsWith(RELEASE_FILES.accuracy) ? { ...entry, content: '{"error":0}' } : entry,
    );
    const path = writeTar(join(scratch, 'changed.tar.gz'), changed);
    expect((await refusal(path)).fault).toBe('wrong_checksum');
    expect((await refusal(archive, packed.sha256.replace(/^./, 'x'))).fault).toBe('wrong_checksum');
  });

  it('a version whose numbers are not sound, though every checksum is right', async () => {
    const root = writeTinyArtifact('unsound', { spoilGrid: (mm) => mm.fill(1, 30, 33) });
    const path = join(scratch, 'unsound.tar.gz');
    await packRelease(join(root, 'unsound'), {}, path);
    const { fault, message } = await refusal(path);
    expect([fault, message]).toEqual(['bad_version', expect.stringContaining('not_monotone')]);
  });

  it('a version under a name that is not its own', async () => {
    // Named as a build names by content, but the content is another.
    const root = writeTinyArtifact('2025.0123456789ab');
    const path = join(scratch, 'forged.tar.gz');
    await packRelease(join(root, '2025.0123456789ab'), {}, path);
    expect((await refusal(path)).message).toMatch(/content is that of 2025\.[0-9a-f]{12}/);
    const folder = join(writeTinyArtifact('honest'), 'honest');
    changeManifest(folder, (manifest) => ({ ...manifest, artifactVersion: 'old' }));
    await packRelease(folder, {}, path);
    // The same numbers as the one that is there, so only the name is taken: nothing to do.
    expect((await installArchive(path, artifactsDir)).fresh).toBe(false);
    const other = writeTinyArtifact('old', { scale: 1.1 });
    await packRelease(join(other, 'old'), {}, path);
    expect((await refusal(path)).fault).toBe('name_taken');
  });

  it.each(['current', 'Current'])('a version named %s, as the pointer is', async (name) => {
    const root = mkdtempSync(join(tmpdir(), 'vitruvia-artifact-'));
    writeTinyArtifact(name, { root });
    const path = join(scratch, 'pointer.tar.gz');
    await packRelease(join(root, name), {}, path);
    expect((await refusal(path)).fault).toBe('unsafe');
  });

  it('a version whose name a file has', async () => {
    const path = join(artifactsDir, '2025.aabbcc');
    writeFileSync(path, 'notes');
    await expect(installArchive(archive, artifactsDir)).rejects.toThrow('is not a folder');
    expect(readdirSync(artifactsDir).sort()).toEqual(['2025.aabbcc', 'current', 'old']);
    expect(readFileSync(path, 'utf8')).toBe('notes');
  });
});

/** Installs in another process. */
function startInstall() {
  const script = new URL('./install-child.ts', import.meta.url).pathname;
  const words = ['--import', 'tsx', script, archive, artifactsDir];
  return spawn(process.execPath, words, { stdio: 'ignore' });
}

const underWay = () => readdirSync(artifactsDir).filter((name) => name.startsWith('.'));

describe('killed in the middle', () => {
  it('leaves nothing that is taken for a version, and an installation a day later clears up', async () => {
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
      // It is there whole, or not at all.
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
  }, 60_000);

  it('does not hinder one of the same process id, nor is what another container does removed', async () => {
    const elsewhere = '.installing-999999999-1';
    mkdirSync(join(artifactsDir, elsewhere));
    const child = startInstall();
    // As in containers, where every process has the id 1; the child is not yet that far.
    const before = `.installing-${child.pid}-1`;
    mkdirSync(join(artifactsDir, before));
    writeFileSync(join(artifactsDir, before, FILES.manifest), 'half');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(underWay().sort()).toEqual([before, elsewhere].sort());
    expect(() => openArtifact(artifactsDir, '2025.aabbcc')).not.toThrow();
  }, 60_000);

  it('between the renames that replace a damaged version, is mended by installing again', async () => {
    await installArchive(archive, artifactsDir);
    truncateSync(join(artifactsDir, '2025.aabbcc', FILES.grid), 10);
    renameSync(join(artifactsDir, '2025.aabbcc'), join(artifactsDir, '.installing-damaged'));
    expect(listVersions(artifactsDir)).toEqual(['old']);
    expect((await installArchive(archive, artifactsDir)).fresh).toBe(true);
    expect(() => openArtifact(artifactsDir, '2025.aabbcc')).not.toThrow();
  });
});
