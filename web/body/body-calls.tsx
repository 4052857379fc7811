import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { BodyData } from '../../src/pages/explorer/body-data-types.js';
import { Calls } from '../explore/calls.js';

/** The API call behind the numbers of a population. */
export function BodyCalls({ data }: { readonly data: BodyData }): VNode | null {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const calls = data.populations.flatMap(({ label, call }) =>
    call === undefined ? [] : [{ label, call }],
  );
  const shown = calls[chosen] ?? calls[0];
  if (shown === undefined) return null;
  return (
    <div class="body-calls">
      <Calls call={shown.call}>
        <div class="form-row">
          <label for={id}>Numbers of</label>
          <select id={id} onChange={(event) => setChosen(event.currentTarget.selectedIndex)}>
            {calls.map(({ label }) => (
              <option key={label}>{label}</option>
            ))}
          </select>
        </div>
      </Calls>
    </div>
  );
}
