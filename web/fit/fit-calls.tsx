import type { VNode } from 'preact';
import type { ExactCall } from '../../src/pages/explorer/chart-data-types.js';
import type { FitData } from '../../src/pages/explorer/fit-data-types.js';
import { CallChoice } from '../explore/calls.js';

/** The API calls behind the numbers of the screen, one at a time. */
export function FitCalls({ data }: { readonly data: FitData }): VNode {
  return (
    <div class="fit-calls">
      <CallChoice label="Numbers" calls={callsOf(data)} />
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
