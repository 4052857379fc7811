import type { VNode } from 'preact';
import { type AmountUnit, formatAmount } from '../../../site/amounts.js';
import { clothingText, inWords } from '../../../site/labels.js';
import { LengthField, type LengthFieldProps } from '../../widgets/length-field.js';
import { formatLength } from '../../widgets/lengths.js';
import { Waiting } from '../../widgets/waiting.js';
import { rulesOf, viewOfProduct } from '../address.js';
import type { SizeRange } from '../data-types.js';
import { adviceOf, type Bound, boundsOf, withBound } from '../needs.js';
import { productById } from '../products.js';
import { asProposed, sizeFaults, withDesign } from '../proposal.js';
import { rangeText } from '../texts.js';
import { Gauge } from './gauge.js';
import type { FitParts } from './parts.js';

/** The sizes of the product: what is proposed, the field and the ruler of each. */
export function Sizes(parts: FitParts): VNode {
  const { view, unit, choose } = parts;
  const text = (mm: number) => formatLength(mm, unit);
  const faults = sizeFaults(view, text);
  /** The fault that the new size would have or would cause in another size. */
  const faultWith = (id: string, mm: number) => {
    const changed = sizeFaults({ ...view, ...withBound(view, id, mm) }, text);
    return [...changed].find(([of, fault]) => of === id || faults.get(of) !== fault)?.[1];
  };
  return (
    <ul class="advice">
      {boundsOf(view).map((bound) => (
        <li key={bound.id}>
          <Size
            {...{ parts, bound }}
            id={bound.id}
            field={{
              label: bound.label,
              valueMm: bound.value,
              unit,
              fault: faults.get(bound.id),
              check: (mm) => faultWith(bound.id, mm),
              onCommit(mm) {
                if (mm !== undefined) choose(withBound(view, bound.id, mm));
              },
            }}
          />
        </li>
      ))}
    </ul>
  );
}

interface SizeProps {
  readonly parts: FitParts;
  readonly id: string;
  /** Undefined if there is no limit. */
  readonly bound: Bound | undefined;
  readonly field: LengthFieldProps;
}

/** A size or an end of a limit: the field, what is proposed for it, and the ruler. */
export function Size({ parts, id, bound, field }: SizeProps): VNode {
  return (
    <div class="size">
      <LengthField {...field} /> <Proposed {...parts} id={id} />
      {bound === undefined ? null : <Gauge {...parts} bound={bound} />}
    </div>
  );
}

/** The proposed size, rounded to the safe side, and how far it may change. */
function Proposed({ id, asked, data, stale }: FitParts & { readonly id: string }): VNode | null {
  if (data?.proposal === undefined || data.product !== asked.product) return null;
  const proposed = withDesign({ ...asked, ...asProposed(asked) }, data.proposal);
  const bound = boundsOf(proposed).find((one) => one.id === id);
  if (bound === undefined) return null;
  const range = adviceOf(proposed, data).find((one) => one.id === id);
  return (
    <Waiting busy={stale} class="proposed">
      <strong data-size={id} data-mm={bound.value}>
        {formatAmount(bound.value, bound.unit)}
      </strong>{' '}
      {range === undefined ? null : <Slack size={range} unit={bound.unit} />}
    </Waiting>
  );
}

/** How far a proposed size may change: `or more`, `or less`, or a range. */
function Slack({ size, unit }: { readonly size: SizeRange; readonly unit: AmountUnit }): VNode {
  const { leastMm, mostMm } = size;
  const oneEnd = leastMm === undefined ? 'or less' : 'or more';
  const isRange = leastMm !== undefined && mostMm !== undefined;
  return <span class="soft">{isRange ? `(${rangeText(size, unit)})` : oneEnd}</span>;
}

/** The rules of the product with their clearances, which can be changed. Own limits have none. */
export function Rules({ view, unit, choose }: FitParts): VNode | null {
  const product = productById(view.product);
  if (product === undefined) return null;
  return (
    <details class="rules">
      <summary>Rules and clearances</summary>
      <p class="hint">
        A population without clothing of its own wears what the users wear:{' '}
        {clothingText(product.clothing)}.
      </p>
      <ol>
        {rulesOf(view).map((rule, index) => (
          <li key={`${rule.size}-${rule.kind}-${rule.measurement}`}>
            <p>
              {rule.words} <span class="soft">{ruleText(rule, product.sizes)}</span>
            </p>
            <LengthField
              label="Clearance"
              valueMm={rule.clearanceMm}
              unit={unit}
              signed
              onCommit={(mm) => {
                if (mm === undefined) return;
                choose({
                  clearancesMm: view.clearancesMm.map((one, i) => (i === index ? mm : one)),
                });
              }}
            />
            <p class="hint">{rule.basis}.</p>
          </li>
        ))}
      </ol>
      <button
        type="button"
        onClick={() => choose({ clearancesMm: viewOfProduct(view.product).clearancesMm })}
      >
        Restore the clearances
      </button>
    </details>
  );
}

function ruleText(
  { size, kind, measurement, factor }: ReturnType<typeof rulesOf>[number],
  sizes: readonly { readonly id: string; readonly label: string }[],
): string {
  const label = sizes.find(({ id }) => id === size)?.label ?? size;
  const times = factor === undefined ? '' : `${factor.toFixed(3)} × `;
  return `${label} ${kind === 'room' ? '≥' : '≤'} ${times}${inWords(measurement).toLowerCase()} + clearance.`;
}
