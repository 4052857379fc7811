import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Resvg } from '@resvg/resvg-js';

/** Font files of the pages' typeface in a format that the library can read: regular and semi-bold. */
const FONTS = ['400Regular/PublicSans_400Regular.ttf', '600SemiBold/PublicSans_600SemiBold.ttf'];

const { resolve } = createRequire(import.meta.url);
const font = {
  // With the fonts of the machine, the pictures would differ between machines.
  loadSystemFonts: false,
  fontFiles: FONTS.map((file) => resolve(`@expo-google-fonts/public-sans/${file}`)),
  defaultFontFamily: 'Public Sans',
};

/**
 * Frees the memory of unused objects. The pixels of an image take 4 MB outside the heap, which the engine
 * does not count. Without this call, the memory would grow with every image.
 */
const freeMemory = garbageCollector();

/**
 * Converts an SVG document to PNG in its own size.
 *
 * @throws Error if the document cannot be read
 */
export async function toPng(svg: string): Promise<Uint8Array> {
  try {
    return new Resvg(svg, { font }).render().asPng();
  } finally {
    // Objects outside the heap are freed in turns of the event loop, before and after the collection.
    await setImmediate();
    freeMemory();
    await setImmediate();
  }
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
