import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { ExactCall } from '../../src/pages/explorer/chart-data-types.js';
import type { FitData } from '../../src/pages/explorer/fit-data-types.js';
import { Calls } from '../explore/calls.js';

/** The API calls behind the numbers of the screen, one at a time. */
export function FitCalls({ data }: { readonly data: FitData }): VNode | null {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const calls = callsOf(data);
  const [, call] = calls[chosen] ?? calls[0] ?? [];
  if (call === undefined) return null;
  return (
    <div class="fit-calls">
      <Calls call={call}>
        <div class="form-row">
          <label for={id}>Numbers</label>
          <select id={id} onChange={(event) => setChosen(event.currentTarget.selectedIndex)}>
            {calls.map(([label, { operation }]) => (
              <option key={label + operation}>{label}</option>
            ))}
          </select>
        </div>
      </Calls>
    </div>
  );
}

function callsOf({ populations, overall, ranges }: FitData): (readonly [string, ExactCall])[] {
  return [
    ...(overall === undefined ? [] : [['Share of all populations', overall.call] as const]),
    ...populations.flatMap(({ label, share }) =>
      share === undefined ? [] : [[`Share of ${label}`, share.call] as const],
    ),
    ...(ranges === undefined ? [] : [['Ranges to design for', ranges.call] as const]),
  ];
}
