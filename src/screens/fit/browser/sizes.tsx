import type { VNode } from 'preact';
import { clothingText, inWords } from '../../../site/labels.js';
import { LengthField } from '../../widgets/length-field.js';
import { formatLength } from '../../widgets/lengths.js';
import { rulesOf, viewOfProduct } from '../address.js';
import { boundsOf, withBound } from '../needs.js';
import { productById } from '../products.js';
import { sizeFaults } from '../proposal.js';
import { Gauge } from './gauge.js';
import type { FitParts } from './parts.js';

/** The sizes of the product with their rulers, and the rules with their editable clearances. */
export function Sizes(parts: FitParts): VNode {
  const { view, unit, choose } = parts;
  const product = productById(view.product);
  const text = (mm: number) => formatLength(mm, unit);
  const faults = sizeFaults(view, text);
  /** The fault that the new size would have or would cause in another size. */
  const faultWith = (id: string, mm: number) => {
    const changed = sizeFaults({ ...view, ...withBound(view, id, mm) }, text);
    return [...changed].find(([of, fault]) => of === id || faults.get(of) !== fault)?.[1];
  };
  return (
    <>
      <section class="panel" aria-labelledby="sizes-heading">
        <h2 id="sizes-heading">Sizes</h2>
        <div class="sizes-grid">
          {boundsOf(view).map((bound) => (
            <div key={bound.id} class="size">
              <LengthField
                label={bound.label}
                valueMm={bound.valueMm}
                unit={unit}
                fault={faults.get(bound.id)}
                check={(mm) => faultWith(bound.id, mm)}
                onCommit={(mm) => {
                  if (mm !== undefined) choose(withBound(view, bound.id, mm));
                }}
              />
              <Gauge {...parts} bound={bound} />
            </div>
          ))}
        </div>
        {product?.note === undefined ? null : <p class="hint">{product.note}</p>}
      </section>
      <details class="panel rules">
        <summary>Rules and clearances</summary>
        <p class="hint">
          A population without clothing of its own wears what the users wear:{' '}
          {clothingText(product?.clothing)}.
        </p>
        <ol>
          {rulesOf(view).map((rule, index) => (
            <li key={`${rule.size}-${rule.kind}-${rule.measurement}`}>
              <p>
                {rule.words} <span class="soft">{ruleText(rule, product?.sizes ?? [])}</span>
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
    </>
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
