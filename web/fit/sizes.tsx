import type { VNode } from 'preact';
import { rulesOf, viewOfProduct } from '../../src/pages/screens/fit/address.js';
import { boundsOf, withBound } from '../../src/pages/screens/fit/needs.js';
import { productById } from '../../src/pages/screens/fit/products.js';
import { CLOTHING_LABELS, inWords } from '../../src/pages/screens/shared/labels.js';
import { LengthField } from '../widgets/length-field.js';
import { Gauge } from './gauge.js';
import type { FitParts } from './parts.js';

/** The sizes of the product with their rulers, and the rules with clearances that can be edited. */
export function Sizes(parts: FitParts): VNode {
  const { view, unit, choose } = parts;
  const product = productById(view.product);
  return (
    <>
      <section class="panel" aria-labelledby="sizes-heading">
        <h2 id="sizes-heading">Sizes</h2>
        <p class="hint">
          Each bar spans what people from the 5th to the 95th percentile need; the mark is the 50th.
        </p>
        {boundsOf(view).map((bound) => (
          <div key={bound.id} class="size">
            <LengthField
              label={bound.label}
              valueMm={bound.valueMm}
              unit={unit}
              onCommit={(mm) => {
                if (mm !== undefined) choose(withBound(view, bound.id, mm));
              }}
            />
            <Gauge {...parts} bound={bound} />
          </div>
        ))}
      </section>
      <details class="panel rules">
        <summary>Rules and clearances</summary>
        <p class="hint">
          People wear what their population says; otherwise:{' '}
          {CLOTHING_LABELS[product?.clothing ?? 'nude']}.
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
  { size, kind, measurement }: ReturnType<typeof rulesOf>[number],
  sizes: readonly { readonly id: string; readonly label: string }[],
): string {
  const label = sizes.find(({ id }) => id === size)?.label ?? size;
  return `${label} ${kind === 'room' ? '≥' : '≤'} ${inWords(measurement).toLowerCase()} + clearance.`;
}
