import type { VNode } from 'preact';
import { parseLength } from '../../../core/typed-values.js';
import { inWords } from '../../../site/labels.js';
import { formatLength, type ShownUnit } from '../../../site/lengths.js';
import { DraftField } from '../../widgets/fields.js';
import { KNOWN_PERCENTS, type KnownValue } from '../address.js';

interface KnownFieldProps {
  readonly known: KnownValue;
  readonly unit: ShownUnit;
  readonly onCommit: (known: KnownValue) => void;
}

/** A field for a known value of a person: a length, a mass, or a percentile such as P95. */
export function KnownField({ known, unit, onCommit }: KnownFieldProps): VNode {
  const { measurement } = known;
  const [quantity, such] = isMass(measurement) ? ['a mass', '70 kg'] : ['a length', '1,720 mm'];
  return (
    <DraftField
      class="length-field"
      inputMode="text"
      label={`${inWords(measurement)}, ${quantity} or P5 to P95`}
      shown={knownText(known, unit)}
      onDone={(text) => {
        const next = readKnownText(text, unit, measurement);
        if (next === undefined) {
          return `Enter ${quantity}, such as ${such}, or a percentile, such as P95.`;
        }
        onCommit({ measurement, ...next });
      }}
    />
  );
}

const isMass = (measurement: string): boolean => measurement === 'BodyMass';

/** The text of a known value in the field. */
export function knownText({ measurement, value, percentile }: KnownValue, unit: ShownUnit): string {
  if (value === undefined) return `P${percentile}`;
  return isMass(measurement) ? `${value} kg` : formatLength(value, unit);
}

/** Reads a typed text: a percentile with a P before it, a mass in kg, or a length. */
export function readKnownText(
  text: string,
  unit: ShownUnit,
  measurement: string,
): Pick<KnownValue, 'value' | 'percentile'> | undefined {
  const plain = text.trim().toLowerCase();
  const [, percent] = /^p\s*(\d+(?:\.\d+)?)$/.exec(plain) ?? [];
  if (percent !== undefined) {
    const percentile = Number(percent);
    const { min, max } = KNOWN_PERCENTS;
    return percentile >= min && percentile <= max ? { percentile } : undefined;
  }
  if (isMass(measurement)) {
    const [, kg = '0'] = /^(\d+(?:\.\d+)?)\s*(?:kg)?$/.exec(plain) ?? [];
    return Number(kg) > 0 ? { value: Number(kg) } : undefined;
  }
  const mm = parseLength(text, unit);
  return mm === undefined || mm <= 0 ? undefined : { value: Math.round(mm * 10) / 10 };
}
