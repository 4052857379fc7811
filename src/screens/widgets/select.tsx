import type { VNode } from 'preact';

interface SelectProps {
  readonly label: string;
  readonly class?: string;
  readonly value: string;
  readonly options: readonly (readonly [id: string, label: string])[];
  readonly onChange: (id: string) => void;
}

/** A choice of one of several options, of which only the chosen one is visible. */
export function Select(props: SelectProps): VNode {
  const { label, value, options, onChange } = props;
  return (
    <label class={`select ${props.class ?? ''}`.trim()}>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([id, text]) => (
          <option key={id} value={id} selected={id === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
