import type { VNode } from 'preact';
import type { BodyData } from '../../src/pages/explorer/body-data-types.js';
import { CallChoice } from '../explore/calls.js';

/** The API call behind the numbers of a population. */
export function BodyCalls({ data }: { readonly data: BodyData }): VNode {
  const calls = data.populations.flatMap(({ label, call }) =>
    call === undefined ? [] : [[label, call] as const],
  );
  return (
    <div class="body-calls">
      <CallChoice label="Numbers of" calls={calls} />
    </div>
  );
}
