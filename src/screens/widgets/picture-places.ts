import { useEffect, useState } from 'preact/hooks';
import type { PicturePlaces } from '../../render/picture.js';
import { loadedJson, loadJson } from './ask-again.js';

/**
 * The places of pictures by their addresses: silhouettes, regions and what is drawn off. They are loaded after the
 * pictures, one after the other, because nothing on the page waits for them.
 */
export function usePicturePlaces(addresses: readonly string[]): ReadonlyMap<string, PicturePlaces> {
  const [known, setKnown] = useState(() => knownPlaces(addresses));
  useEffect(() => {
    const leaving = new AbortController();
    void (async () => {
      // Some browsers can decode images of SVG, too. The types of TypeScript do not say so.
      const pictures = document.querySelectorAll<HTMLImageElement>('svg image');
      await Promise.allSettled([...pictures].map((one) => one.decode?.()));
      for (const address of addresses) {
        await placesOf(address, leaving.signal);
        if (leaving.signal.aborted) return;
      }
      setKnown(knownPlaces(addresses));
    })();
    return () => leaving.abort();
  }, [addresses.join(' ')]);
  return known;
}

function knownPlaces(addresses: readonly string[]): ReadonlyMap<string, PicturePlaces> {
  const all = addresses.map((one) => [one, loadedJson<PicturePlaces>(one)] as const);
  return new Map(all.flatMap(([one, found]) => (found === undefined ? [] : [[one, found]])));
}

/** The places of one picture; undefined if they cannot be loaded now. The picture itself says that the page asks again. */
export const placesOf = (address: string, signal?: AbortSignal) =>
  loadJson<PicturePlaces>(address, signal);
