import type { VNode } from 'preact';
import { inWords } from '../../../site/labels.js';
import { Combobox, measurementOptions, notAmongLengths } from '../../widgets/combobox.js';
import { LengthField } from '../../widgets/fields.js';
import { RemoveButton } from '../../widgets/parts.js';
import { dimensionsOf, SIZED_DIMENSIONS_MAX } from '../address.js';
import type { SizesParts } from '../data.js';
import { OWN_ID, type SizedDimension, sizedProductById } from '../products.js';

/** The dimensions that distinguish the sizes. Each has the width that one size serves. */
export function Dimensions({ view, unit, choose }: Omit<SizesParts, 'data'>): VNode {
  const dimensions = dimensionsOf(view);
  const product = sizedProductById(view.product);
  const isOwn = view.product === OWN_ID;
  const change = (next: readonly SizedDimension[]) =>
    choose({ dimensions: next, sizes: undefined });
  return (
    <section class="panel" aria-labelledby="dimensions-heading">
      <h2 id="dimensions-heading">What one size serves</h2>
      {dimensions.map(({ measurement, toleranceMm }, index) => {
        const own = product?.chart.measurements.find((one) => one.measurement === measurement);
        return (
          <div key={measurement} class="removable sizes-dimension">
            <LengthField
              label={`${inWords(measurement)}, whole width`}
              valueMm={toleranceMm}
              unit={unit}
              onCommit={(mm) => {
                if (mm === undefined) return;
                const changed = { measurement, toleranceMm: mm };
                change(dimensions.map((one, i) => (i === index ? changed : one)));
              }}
            />
            {isOwn && dimensions.length > 1 ? (
              <RemoveButton
                of={inWords(measurement)}
                onRemove={() => change(dimensions.filter((_, i) => i !== index))}
              />
            ) : null}
            {own === undefined ? null : (
              <p class="hint">
                {own.tolerance === toleranceMm ? `${own.basis}.` : 'Your own width.'}
              </p>
            )}
          </div>
        );
      })}
      {isOwn && dimensions.length < SIZED_DIMENSIONS_MAX ? (
        <Combobox
          label="Add a measurement"
          chosen=""
          find={(text) =>
            measurementOptions(
              text,
              dimensions.map(({ measurement }) => measurement),
            )
          }
          notes={notAmongLengths}
          onChoose={(measurement) => change([...dimensions, { measurement, toleranceMm: 50 }])}
        />
      ) : null}
      {!isOwn && view.dimensions.length > 0 ? (
        <button type="button" onClick={() => choose({ dimensions: [], sizes: undefined })}>
          Restore the widths of the product
        </button>
      ) : null}
      <p class="hint">
        A size serves the people whose measurements are all within its range. The measurements are
        those of the body, not of the product.
      </p>
    </section>
  );
}
