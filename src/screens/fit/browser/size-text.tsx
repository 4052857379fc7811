import type { VNode } from 'preact';
import { type AmountUnit, amountSafely, formatAmount } from '../../../site/amounts.js';
import type { SizeRange } from '../data-types.js';
import { rangeText } from '../texts.js';

interface SizeTextProps {
  readonly size: SizeRange;
  readonly unit: AmountUnit;
}

/** The range of a size, rounded to the safe side: `747 mm or more`, `655 mm or less`, or both ends. */
export function SizeText({ size, unit }: SizeTextProps): VNode {
  const { leastMm, mostMm } = size;
  if (leastMm !== undefined && mostMm !== undefined) {
    return <strong>{rangeText(size, unit)}</strong>;
  }
  const mm =
    leastMm === undefined
      ? amountSafely(mostMm ?? Number.NaN, 'down', unit)
      : amountSafely(leastMm, 'up', unit);
  return (
    <span>
      <strong>{formatAmount(mm, unit)}</strong> <Slack size={size} unit={unit} />
    </span>
  );
}

/** How far a proposed size may change: `or more`, `or less`, or a range. */
export function Slack({ size, unit }: SizeTextProps): VNode {
  const { leastMm, mostMm } = size;
  const oneEnd = leastMm === undefined ? 'or less' : 'or more';
  const isRange = leastMm !== undefined && mostMm !== undefined;
  return <span class="soft small">{isRange ? `(${rangeText(size, unit)})` : oneEnd}</span>;
}
