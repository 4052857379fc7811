import type { VNode } from 'preact';
import type { PicturePlaces } from '../../render/picture.js';
import { NO_BODIES, NOBODY, notesOf } from '../../site/pictures/notes.js';
import { BANDS } from '../../site/pictures/people-layout.js';
import type { BodyData } from './data-types.js';

interface PictureNotesProps {
  readonly data: BodyData;
  /** The places of the pictures by their address, as far as they are known. */
  readonly places?: ReadonlyMap<string, PicturePlaces> | undefined;
}

/** Says who the people of a picture are, and what readers must know of their pictures. */
export function PictureNotes({ data, places }: PictureNotesProps): VNode {
  if (!data.hasBodies) return <p class="hint picture-notes">{NO_BODIES}</p>;
  const persons = data.populations.flatMap((one) => one.persons ?? []);
  const names = BANDS[data.posture].map(({ measurement }) => measurement);
  const notes = new Set(
    persons.flatMap(({ who, picture }) => {
      const known = places?.get(picture.places);
      return known === undefined ? [] : notesOf(who, known, names);
    }),
  );
  const missing = data.populations.filter((one) => one.rows !== undefined && !one.persons);
  return (
    <>
      {missing.map(({ label }) => (
        <p key={label} class="hint picture-notes">
          {label}: {NOBODY}
        </p>
      ))}
      {notes.size === 0 ? null : (
        <details class="hint picture-notes">
          <summary>Drawn measurements that are off by more than 3 mm</summary>
          <ul>
            {[...notes].map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
