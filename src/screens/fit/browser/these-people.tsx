import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { DraftField } from '../../widgets/draft-field.js';
import { formatLength } from '../../widgets/lengths.js';
import type { FitKnown } from '../data-types.js';
import { KNOWN_MAX, peopleText, readPeople } from '../known-people.js';
import { knownName, knownNames, suitingText } from '../texts.js';
import type { FitParts } from './parts.js';

/** Up to eight known people: the sizes that suit all of them, and heights of their workplaces. */
export function ThesePeople({ view, unit, data, choose }: FitParts): VNode {
  const [isFaulty, setFaulty] = useState(false);
  // While the text has a fault, there are no results of an earlier text.
  const all = isFaulty || view.known.length === 0 ? [] : (data?.known ?? []);
  const known = all.filter((one): one is FitKnown => one !== null);
  const names = knownNames(known, unit);
  const nobody = view.known.filter((_, index) => all[index] === null);
  return (
    <section class="these-people" aria-label="These people">
      <DraftField
        class="length-field"
        inputMode="text"
        label={`Or for these people, up to ${KNOWN_MAX}, without shoes`}
        shown={peopleText(view.known, unit)}
        onFault={setFaulty}
        onDone={(text) => {
          const read = readPeople(text, unit);
          if ('fault' in read) return read.fault;
          choose({ known: read.people });
        }}
      />
      <p class="hint">Such as: Ann 1.58 m woman 45; Ben 1.93 m 90 kg</p>
      {nobody.map((one) => (
        <p key={one.statureMm} class="field-error">
          Nobody of the populations is like {knownName(one, unit)}.
        </p>
      ))}
      {known.length === 0 ? null : (
        <>
          <ul class="suiting">
            {suitingText(view.product, known, unit).map(({ text, suits }) => (
              <li key={text} class={suits ? undefined : 'field-error'} data-suits={suits}>
                {text}
              </li>
            ))}
          </ul>
          <details class="how-to-read">
            <summary>Their workplaces</summary>
            <table>
              <thead>
                <tr>
                  <th scope="col">Height</th>
                  {names.map((name) => (
                    <th key={name} scope="col" class="number">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {known[0]?.workplace.map(({ label }, row) => (
                  <tr key={label}>
                    <th scope="row">{label}</th>
                    {known.map((one, at) => (
                      <td key={names[at]} class="number">
                        {formatLength(one.workplace[row]?.valueMm ?? Number.NaN, unit)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </section>
  );
}
