import type { VNode } from 'preact';
import { MEASUREMENTS, type Measurement } from '../../../core/measurements.js';
import { unitIn } from '../../../site/amounts.js';
import { inWords } from '../../../site/labels.js';
import { Combobox } from '../../widgets/combobox.js';
import { notCoveredTexts, quantityOptions } from '../../widgets/options.js';
import { RemoveButton } from '../../widgets/remove-button.js';
import { BOX_LIMITS_MAX, type BoxLimit, limitsOfTemplate } from '../address.js';
import { boundsOf } from '../needs.js';
import { TEMPLATES, type Template } from '../templates.js';
import type { FitParts } from './parts.js';
import { Size } from './sizes.js';

/** The free choice of limits: up to eight measurements, each with a minimum and a maximum. */
export function Limits(parts: FitParts): VNode {
  const { view, choose } = parts;
  const { limits } = view;
  const taken = limits.map(({ measurement }) => measurement);
  const replace = (index: number, change: Partial<BoxLimit>) => {
    choose({ limits: limits.map((one, i) => (i === index ? { ...one, ...change } : one)) });
  };
  const bounds = boundsOf(view);
  return (
    <div class="advice">
      <div class="templates">
        <span class="label">Start from</span>
        {TEMPLATES.map((template) => (
          <button
            key={template.title}
            type="button"
            aria-pressed={isOfTemplate(limits, template)}
            onClick={() => choose({ limits: limitsOfTemplate(template), pair: undefined })}
          >
            {template.title}
          </button>
        ))}
      </div>
      {limits.map(({ measurement, min, max }, index) => {
        const name = inWords(measurement);
        const end = (kind: 'reach' | 'room', label: string, valueMm: number | undefined) => {
          const id = `${index}-${kind}`;
          return (
            <Size
              {...{ parts, id }}
              bound={bounds.find((one) => one.id === id)}
              field={{
                label,
                valueMm,
                unit: unitIn(view, measurement),
                optional: true,
                onCommit(mm) {
                  const [side, other] = kind === 'room' ? ['max', min] : ['min', max];
                  if (mm !== undefined || other !== undefined) {
                    replace(index, { [side as string]: mm });
                  }
                },
              }}
            />
          );
        };
        return (
          <fieldset key={measurement} class="limit">
            <legend>{name}</legend>
            {end('reach', 'Least', min)}
            {end('room', 'Largest', max)}
            {limits.length > 1 ? (
              <RemoveButton
                of={name}
                onRemove={() => choose({ limits: limits.filter((_, i) => i !== index) })}
              />
            ) : null}
          </fieldset>
        );
      })}
      {limits.length < BOX_LIMITS_MAX ? (
        <Combobox
          label="Add a limit"
          chosen=""
          placeholder="Such as reach, hip breadth, knee"
          notes={notCoveredTexts}
          find={(text) =>
            quantityOptions(text, taken).map(({ heading, options }) => ({
              heading,
              options: sittingFirst(options, taken),
            }))
          }
          onChoose={(measurement) =>
            choose({ limits: [...limits, { measurement, proposed: sideOf(measurement) }] })
          }
        />
      ) : null}
    </div>
  );
}

/** Whether the limits have the dimensions of a template. Their values do not matter. */
function isOfTemplate(limits: readonly BoxLimit[], template: Template): boolean {
  const names = limits.map(({ measurement }) => measurement);
  return names.join() === template.limits.map(([measurement]) => measurement).join();
}

const BY_NAME: ReadonlyMap<string, Measurement> = new Map(
  MEASUREMENTS.map((measurement) => [measurement.name, measurement]),
);

/** A limit on a reach excludes people with a shorter reach. Any other limit excludes larger people. */
function sideOf(measurement: string): 'min' | 'max' {
  return BY_NAME.get(measurement)?.kind === 'reach' ? 'min' : 'max';
}

/** If the other limits concern sitting people, dimensions of sitting people come first. */
function sittingFirst<One extends { readonly id: string }>(
  options: readonly One[],
  taken: readonly string[],
): One[] {
  const isSitting = (name: string) => BY_NAME.get(name)?.definedIn === 'sitting';
  if (!taken.some(isSitting)) return [...options];
  return [
    ...options.filter(({ id }) => isSitting(id)),
    ...options.filter(({ id }) => !isSitting(id)),
  ];
}
