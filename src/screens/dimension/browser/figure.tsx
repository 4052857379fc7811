import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { FIGURE_PATH } from '../../../site/paths.js';
import { notesOf } from '../../../site/pictures/notes.js';
import { loadedJson, loadJson } from '../../widgets/ask-again.js';
import { usePicturePlaces } from '../../widgets/picture-places.js';
import { type DimensionView, figureQuery } from '../address.js';
import type { FigureData } from '../data-types.js';

interface FigureProps {
  readonly measurement: string;
  readonly definition: string;
  readonly view: Pick<DimensionView, 'gender' | 'age' | 'countries'>;
}

/** Changes within this time share one request. */
const DEBOUNCE_MS = 250;

/** A body, and on it the line along which a measurement is taken. */
export function Figure({ measurement, definition, view }: FigureProps): VNode {
  const { gender, age, countries } = view;
  const person = { gender, age: Math.floor(age), countries: countries.slice(0, 1) };
  const query = figureQuery({ measurement, ...person });
  const address = `${FIGURE_PATH}?${query}`;
  const [shown, setShown] = useState(() => loadedJson<FigureData>(address));
  useEffect(() => {
    const known = loadedJson<FigureData>(address);
    if (known !== undefined) {
      setShown(known);
      return;
    }
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      const data = await loadJson<FigureData>(address, leaving.signal);
      if (!leaving.signal.aborted) setShown(data);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [address]);
  const { picture, caption = '', who = '' } = shown ?? {};
  const places = usePicturePlaces(picture === undefined ? [] : [picture.places]);
  const known = places.get(picture?.places ?? '');
  const notes = known === undefined ? [] : notesOf(who, known, [measurement]);
  return (
    <>
      {picture === undefined ? (
        <div class={shown === undefined ? 'figure figure-waits' : 'figure-none'} />
      ) : (
        <img
          class="figure"
          src={picture.figure ?? picture.href}
          alt={`${measurement}: ${definition}. ${picture.figure === undefined ? 'A body.' : 'A body, with a line where it is measured.'}`}
        />
      )}
      <p class="hint figure-caption">{[caption, ...notes].join(' ')}</p>
    </>
  );
}
