import { useEffect, useState } from 'preact/hooks';
import type { PicturePlaces } from '../../render/picture.js';
import { fetchAgain } from './ask-again.js';

/** Places that were loaded, by their address. */
const loaded = new Map<string, PicturePlaces>();
const LOADED_MAX = 60;

/**
 * The places of pictures: silhouettes, regions and what is drawn off. They are loaded after the pictures, one after the
 * other, because nothing on the page waits for them.
 */
export function usePicturePlaces(addresses: readonly string[]): ReadonlyMap<string, PicturePlaces> {
  const [known, setKnown] = useState<ReadonlyMap<string, PicturePlaces>>(() => new Map(loaded));
  const key = addresses.join(' ');
  useEffect(() => {
    const leaving = new AbortController();
    void (async () => {
      // Images of SVG can be decoded too, which the types of TypeScript do not say.
      const pictures = document.querySelectorAll<HTMLImageElement>('svg image');
      await Promise.allSettled([...pictures].map((one) => one.decode()));
      for (const address of key === '' ? [] : key.split(' ')) {
        await placesOf(address, leaving.signal);
        if (leaving.signal.aborted) return;
      }
      setKnown(new Map(loaded));
    })();
    return () => leaving.abort();
  }, [key]);
  return known;
}

/** The places of one picture; undefined if they cannot be loaded now. */
export async function placesOf(
  address: string,
  signal?: AbortSignal,
): Promise<PicturePlaces | undefined> {
  const known = loaded.get(address);
  if (known !== undefined) return known;
  try {
    // The picture itself says that the page asks again.
    const reply = await fetchAgain(address, signal);
    if (!reply.ok) return undefined;
    const places = (await reply.json()) as PicturePlaces;
    if (loaded.size >= LOADED_MAX) loaded.clear();
    loaded.set(address, places);
    return places;
  } catch {
    return undefined;
  }
}
