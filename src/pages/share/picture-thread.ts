import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Resvg } from '@resvg/resvg-js';

/** The typeface of the pages as files that the library reads: regular and semi-bold. */
const FONTS = ['400Regular/PublicSans_400Regular.ttf', '600SemiBold/PublicSans_600SemiBold.ttf'];

const { resolve } = createRequire(import.meta.url);
const font = {
  // Fonts of the machine would give other pictures on other machines.
  loadSystemFonts: false,
  fontFiles: FONTS.map((file) => resolve(`@expo-google-fonts/public-sans/${file}`)),
  defaultFontFamily: 'Public Sans',
};

/**
 * Frees the memory of objects that nobody uses. The pixels of an image are 4 MB outside the heap, which
 * the engine does not see: without this, every image would add them.
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
    // Objects outside the heap are freed in turns of the event loop before and after the collection.
    await setImmediate();
    freeMemory();
    await setImmediate();
  }
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
