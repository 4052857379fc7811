import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

type MapFunction = (
  address: null,
  length: number,
  protection: number,
  flags: number,
  descriptor: number,
  offset: number,
) => unknown;

/** PROT_READ and MAP_SHARED of <sys/mman.h>. Linux and macOS have the same values. */
const PROT_READ = 1;
const MAP_SHARED = 1;
/** MAP_FAILED is (void *) −1. */
const MAP_FAILED = 0xffffffffffffffffn;

interface Mapper {
  readonly mmap: MapFunction;
  readonly munmap: (address: bigint, length: number) => number;
  readonly address: (pointer: unknown) => bigint;
  readonly view: (pointer: unknown, length: number) => ArrayBuffer;
}

/** Finds libc's mmap. Returns undefined if the platform or the native library does not have it. */
function loadMapper(): Mapper | undefined {
  const library = { linux: 'libc.so.6', darwin: 'libSystem.B.dylib' }[process.platform as string];
  if (library === undefined) return undefined;
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi');
    const libc = koffi.load(library);
    const prototype = 'void *mmap(void *, size_t, int, int, int, int64_t)';
    const mmap = libc.func(prototype) as unknown as MapFunction;
    const munmap = libc.func('int munmap(uintptr_t, size_t)');
    return { mmap, munmap, address: koffi.address, view: koffi.view };
  } catch {
    return undefined; // There is no prebuilt library for this machine, so files are read instead.
  }
}

let mapper: Mapper | undefined | null = null;

/**
 * Removes a mapping when its buffer has been garbage-collected. No view of it is left then. A view that outlived its
 * mapping would crash the process.
 */
const unused = new FinalizationRegistry<() => unknown>((unmap) => {
  unmap();
});

/** Loads the native library that maps files. Without this call, the first mapping loads it. */
export function loadMapping(): void {
  if (mapper === null) mapper = loadMapper();
}

/** A mapping whose removal another thread has taken over. */
export interface Mapping {
  readonly address: bigint;
  readonly bytes: number;
}

/** A mapping that other threads of the process can also view. */
export interface SharedMapping extends Mapping {
  readonly path: string;
}

/** The mappings of this thread that still have a view. */
const own = new Map<string, { readonly mapping: Mapping; readonly buffer: WeakRef<ArrayBuffer> }>();
/** Mappings of another thread, by path. */
const others = new Map<string, Mapping>();

/** The mappings that this thread has of the files in a folder. They stay as long as the caller keeps their buffers. */
export function mappingsIn(
  folder: string,
): readonly { readonly shared: SharedMapping; readonly buffer: ArrayBuffer }[] {
  return [...own].flatMap(([path, { mapping, buffer: kept }]) => {
    const buffer = kept.deref();
    if (buffer === undefined) own.delete(path);
    if (buffer === undefined || dirname(path) !== folder) return [];
    return [{ shared: { path, ...mapping }, buffer }];
  });
}

/**
 * Makes this thread view files through the mappings of another thread from now on, because the system counts a page
 * once per mapping. The other thread keeps the mappings as long as this thread lives.
 */
export function viewMappings(mappings: readonly SharedMapping[]): void {
  for (const { path, address, bytes } of mappings) others.set(path, { address, bytes });
}

let takeOver: ((mapping: Mapping) => void) | undefined;

/**
 * Lets another thread remove the mappings of this thread from now on. A terminated thread runs no clean-up, so its
 * mappings would stay for ever.
 *
 * @param taker receives each mapping; it calls `removeMapping` after this thread has ended
 */
export function handOverMappings(taker: (mapping: Mapping) => void): void {
  takeOver = taker;
}

/** Removes a mapping of a thread that has ended. Any later use of a view of it crashes the process. */
export function removeMapping({ address, bytes }: Mapping): void {
  mapper ??= loadMapper();
  mapper?.munmap(address, bytes);
}

/**
 * The bytes of a file, mapped read-only and shared with every process that maps the file. If mapping is not possible,
 * the file is read into memory. A mapping lives as long as any view of its bytes. Never truncate or rewrite a mapped
 * file, and never transfer its buffer to another thread.
 *
 * @throws the file system's error if the file cannot be opened
 */
export function mapFile(path: string): Uint8Array {
  if (mapper === null) mapper = loadMapper();
  if (mapper === undefined) return readFileSync(path);
  const { mmap, munmap, address, view } = mapper;
  const other = others.get(path);
  if (other !== undefined) return new Uint8Array(view(other.address, other.bytes));
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size === 0) return new Uint8Array(0);
    const pointer = mmap(null, size, PROT_READ, MAP_SHARED, descriptor, 0);
    const start = address(pointer);
    if (start === MAP_FAILED) return readFileSync(path);
    const buffer = view(pointer, size);
    own.set(path, { mapping: { address: start, bytes: size }, buffer: new WeakRef(buffer) });
    if (takeOver === undefined) unused.register(buffer, () => munmap(start, size));
    else takeOver({ address: start, bytes: size });
    return new Uint8Array(buffer);
  } finally {
    closeSync(descriptor);
  }
}
