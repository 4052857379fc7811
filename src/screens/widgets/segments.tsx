import type { VNode } from 'preact';
import { useId } from './use-id.js';

interface SegmentsProps<Id> {
  readonly legend: string;
  /** Whether only screen readers get the legend. */
  readonly hideLegend?: boolean;
  readonly options: readonly (readonly [id: Id, label: string])[];
  /** The chosen option; undefined if none is chosen. */
  readonly chosen: Id | undefined;
  readonly isDisabled?: (id: Id) => boolean;
  readonly class?: string;
  readonly onChoose: (id: Id) => void;
}

/** A choice of one of a few options, which are side by side. */
export function Segments<Id>(props: SegmentsProps<Id>): VNode {
  const { legend, hideLegend = false, options, chosen, isDisabled, onChoose } = props;
  const name = useId();
  return (
    <fieldset class={`segments ${props.class ?? ''}`.trim()}>
      <legend class={hideLegend ? 'visually-hidden' : 'label'}>{legend}</legend>
      <div class="segment-row">
        {options.map(([id, label]) => (
          <label key={label}>
            <input
              type="radio"
              name={name}
              checked={id === chosen}
              disabled={isDisabled?.(id) === true}
              onChange={() => onChoose(id)}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
