import type { VNode } from 'preact';
import type { BodyData } from '../screens/body/data-types.js';
import { BUSY, NO_BODIES, NOBODY } from './notes.js';

/** Says who the people of a picture are, and what readers must know of their drawings. */
export function PictureNotes({ data }: { readonly data: BodyData }): VNode {
  if (!data.hasBodies) return <p class="hint picture-notes">{NO_BODIES}</p>;
  const persons = data.populations.flatMap((one) => one.persons ?? []);
  const notes = [...new Set(persons.flatMap((one) => one.notes))];
  const missing = data.populations.filter((one) => one.rows !== undefined && !one.persons);
  return (
    <>
      {missing.map(({ label, isBusy }) => (
        <p key={label} class="hint picture-notes">
          {label}: {isBusy === true ? BUSY : NOBODY}
        </p>
      ))}
      {notes.length === 0 ? null : (
        <details class="hint picture-notes">
          <summary>Drawn dimensions that are off by more than 3 mm</summary>
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
