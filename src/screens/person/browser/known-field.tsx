import type { VNode } from 'preact';
import { inWords } from '../../../site/labels.js';
import { DraftField } from '../../widgets/draft-field.js';
import { formatLength, parseLength, type ShownUnit } from '../../widgets/lengths.js';
import { KNOWN_PERCENTS, type KnownValue } from '../address.js';

interface KnownFieldProps {
  readonly known: KnownValue;
  readonly unit: ShownUnit;
  readonly onCommit: (known: KnownValue) => void;
}

/** A field for a known value of a person: a length, a mass, or a percentile such as P95. */
export function KnownField({ known, unit, onCommit }: KnownFieldProps): VNode {
  const { measurement } = known;
  return (
    <DraftField
      class="length-field"
      inputMode="text"
      label={`${inWords(measurement)}, a length or P5 to P95`}
      shown={knownText(known, unit)}
      onDone={(text) => {
        const next = readKnownText(text, unit);
        if (next === undefined) {
          return 'Enter a length, such as 1,720 mm, or a percentile, such as P95.';
        }
        onCommit({ measurement, ...next });
      }}
    />
  );
}

/** The text of a known value in the field. */
export function knownText({ measurement, value, percentile }: KnownValue, unit: ShownUnit): string {
  if (value === undefined) return `P${percentile}`;
  return measurement === 'BodyMass' ? `${value} kg` : formatLength(value, unit);
}

/** Reads a typed text: a percentile with a P before it, a mass in kg, or a length. */
export function readKnownText(
  text: string,
  unit: ShownUnit,
): Pick<KnownValue, 'value' | 'percentile'> | undefined {
  const plain = text.trim().toLowerCase();
  const [, percent] = /^p\s*(\d+(?:\.\d+)?)$/.exec(plain) ?? [];
  if (percent !== undefined) {
    const percentile = Number(percent);
    const { min, max } = KNOWN_PERCENTS;
    return percentile >= min && percentile <= max ? { percentile } : undefined;
  }
  const [, kg] = /^(\d+(?:\.\d+)?)\s*kg$/.exec(plain) ?? [];
  if (kg !== undefined) return { value: Number(kg) };
  const mm = parseLength(text, unit);
  return mm === undefined || mm <= 0 ? undefined : { value: Math.round(mm * 10) / 10 };
}
