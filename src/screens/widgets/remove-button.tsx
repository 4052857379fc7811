import type { VNode } from 'preact';

interface RemoveButtonProps {
  /** Name of the thing that the button removes. */
  readonly of: string;
  readonly onRemove: () => void;
}

/** A small button that removes one thing of a list. */
export function RemoveButton({ of, onRemove }: RemoveButtonProps): VNode {
  return (
    <button type="button" class="bare" aria-label={`Remove ${of}`} onClick={onRemove}>
      ×
    </button>
  );
}
