import type { VNode } from 'preact';

interface FaultProps {
  /** Id of the field. */
  readonly id: string;
  readonly fault: string | undefined;
}

/** The attributes of a field that may have a fault. */
export function faultAttributes({ id, fault }: FaultProps) {
  return {
    id,
    'aria-invalid': fault !== undefined,
    'aria-describedby': fault === undefined ? undefined : `${id}-fault`,
  };
}

/** The fault of a field, below the field. */
export function FieldFault({ id, fault }: FaultProps): VNode | null {
  if (fault === undefined) return null;
  return (
    <p id={`${id}-fault`} class="field-error" role="alert">
      {fault}
    </p>
  );
}
