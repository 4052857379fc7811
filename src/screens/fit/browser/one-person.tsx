import type { VNode } from 'preact';
import { LengthField } from '../../widgets/length-field.js';
import { formatLength } from '../../widgets/lengths.js';
import { ME } from '../address.js';
import type { FitParts } from './parts.js';
import { SizeText } from './size-text.js';

/** The needs of one person with a stature: sizes of the product, and heights of a workplace. */
export function OnePerson({ view, unit, data, choose }: FitParts): VNode {
  const { me } = data ?? {};
  return (
    <section class="one-person" aria-label="One person">
      <LengthField
        label="Or for one person, this tall without shoes"
        valueMm={view.meMm}
        unit={unit}
        optional
        check={(mm) =>
          mm >= ME.min && mm <= ME.max
            ? undefined
            : `Enter a stature from ${formatLength(ME.min, unit)} to ${formatLength(ME.max, unit)}.`
        }
        onCommit={(meMm) => choose({ meMm })}
      />
      {view.meMm === undefined || me === undefined ? null : me === null ? (
        <p class="hint">Nobody of the first population is that tall.</p>
      ) : (
        <>
          <p class="hint">
            {me.who.charAt(0).toUpperCase()}
            {me.who.slice(1)} of {formatLength(view.meMm, unit)} needs these sizes. The other
            dimensions of the person are those expected.
          </p>
          {me.sizes.length === 0 ? null : (
            <ul class="advice">
              {me.sizes.map(({ id, label, ...range }) => (
                <li key={id}>
                  {label} <SizeText size={range} unit={unit} />
                </li>
              ))}
            </ul>
          )}
          <h3>Their workplace</h3>
          <ul class="advice">
            {me.workplace.map(({ label, valueMm }) => (
              <li key={label}>
                {label} <strong>{formatLength(valueMm, unit)}</strong>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
