import type { VNode } from 'preact';
import { BOX_LIMITS_MAX, type BoxLimit } from '../../src/pages/screens/fit/address.js';
import { boundsOf } from '../../src/pages/screens/fit/needs.js';
import { inWords } from '../../src/pages/screens/shared/labels.js';
import { Combobox } from '../widgets/combobox.js';
import { LengthField } from '../widgets/length-field.js';
import { measurementOptions } from '../widgets/options.js';
import { Gauge } from './gauge.js';
import type { FitParts } from './parts.js';
import { TYPICAL_MM } from './typical-lengths.js';

/** The free choice of limits: up to eight measurements, each with a least and a largest value. */
export function Limits(parts: FitParts): VNode {
  const { view, unit, choose } = parts;
  const { limits } = view;
  const taken = limits.map(({ measurement }) => measurement);
  const replace = (index: number, change: Partial<BoxLimit>) => {
    choose({ limits: limits.map((one, i) => (i === index ? { ...one, ...change } : one)) });
  };
  const bounds = boundsOf(view);
  return (
    <section class="panel" aria-labelledby="limits-heading">
      <h2 id="limits-heading">Limits</h2>
      {limits.map(({ measurement, minMm, maxMm }, index) => {
        const name = inWords(measurement);
        return (
          <fieldset key={measurement} class="limit">
            <legend>{name}</legend>
            <div class="limit-ends">
              <LengthField
                label="Least"
                valueMm={minMm}
                unit={unit}
                optional
                onCommit={(mm) => {
                  if (mm !== undefined || maxMm !== undefined) replace(index, { minMm: mm });
                }}
              />
              <LengthField
                label="Largest"
                valueMm={maxMm}
                unit={unit}
                optional
                onCommit={(mm) => {
                  if (mm !== undefined || minMm !== undefined) replace(index, { maxMm: mm });
                }}
              />
              {limits.length > 1 ? (
                <button
                  type="button"
                  class="bare"
                  aria-label={`Remove ${name}`}
                  onClick={() => choose({ limits: limits.filter((_, i) => i !== index) })}
                >
                  ×
                </button>
              ) : null}
            </div>
            {bounds
              .filter(({ id }) => id.startsWith(`${index}-`))
              .map((bound) => (
                <Gauge key={bound.id} {...parts} bound={bound} />
              ))}
          </fieldset>
        );
      })}
      {limits.length < BOX_LIMITS_MAX ? (
        <Combobox
          label="Add a limit"
          chosen=""
          placeholder="Such as reach, hip breadth, knee"
          find={(text) =>
            measurementOptions(text).map(({ heading, options }) => ({
              heading,
              options: options.filter(({ id }) => !taken.includes(id)),
            }))
          }
          onChoose={(measurement) =>
            choose({ limits: [...limits, { measurement, maxMm: startMm(measurement) }] })
          }
        />
      ) : null}
    </section>
  );
}

/** A first value for a new limit: a tenth more than is typical. */
function startMm(measurement: string): number {
  return Math.ceil(((TYPICAL_MM[measurement] ?? 500) * 1.1) / 10) * 10;
}
