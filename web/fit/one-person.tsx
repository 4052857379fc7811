import type { VNode } from 'preact';
import { ME } from '../../src/pages/screens/fit/address.js';
import { rangeText } from '../../src/pages/screens/fit/texts.js';
import { LengthField } from '../widgets/length-field.js';
import { formatLength } from '../widgets/lengths.js';
import type { FitParts } from './parts.js';

/** What one person of a stature needs: sizes of the product, and heights of a workplace. */
export function OnePerson({ view, unit, data, choose }: FitParts): VNode {
  const { me } = data ?? {};
  return (
    <section class="panel one-person" aria-labelledby="one-person-heading">
      <h2 id="one-person-heading">One person</h2>
      <LengthField
        label="I am this tall, without shoes"
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
            Shown for {me.who} of that stature; the other dimensions are those expected.
          </p>
          <ul class="advice">
            {me.sizes.map(({ id, label, ...range }) => (
              <li key={id}>
                {label} <strong>{rangeText(range, unit)}</strong>
              </li>
            ))}
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
