import type { VNode } from 'preact';
import { MEASUREMENTS, type Measurement } from '../../../core/measurements.js';
import { numberText } from '../../../core/number-text.js';
import { endRules, type ProductRule } from '../../../products/index.js';
import { type AmountUnit, formatAmount, plainPer, unitIn } from '../../../site/amounts.js';
import { BAND_ENDS, clothingText, inWords } from '../../../site/labels.js';
import { formatLength } from '../../../site/lengths.js';
import { Combobox, notCoveredTexts, quantityOptions } from '../../widgets/combobox.js';
import { DragHandle } from '../../widgets/drag-handle.js';
import { LengthField, type LengthFieldProps } from '../../widgets/fields.js';
import { RemoveButton, Waiting } from '../../widgets/parts.js';
import { linearScale, useWidth } from '../../widgets/plot.js';
import {
  BOX_LIMITS_MAX,
  type BoxLimit,
  limitsOfTemplate,
  productRulesOf,
  TEMPLATES,
  type Template,
  viewOfProduct,
} from '../address.js';
import type { FitParts, SizeRange } from '../data-types.js';
import { productById } from '../products.js';
import {
  asProposed,
  type Bound,
  boundsOf,
  needAt,
  needsOf,
  sizeFaults,
  withBound,
  withDesign,
} from '../proposal.js';
import { codeTexts, rangeText } from '../texts.js';

/** How to read the bars of a ruler. */
export const BARS_TEXT = `Bars: what people of ${BAND_ENDS} of each population need; the mark is P50. Drag a dot to change a size.`;

/** The sizes of the product: what is proposed, the field and the ruler of each. */
export function Sizes(parts: FitParts): VNode {
  const { view, unit, choose } = parts;
  const text = (mm: number) => formatLength(mm, unit);
  const bounds = boundsOf(view);
  const faults = sizeFaults(view, text);
  /** The fault that the new size would have or would cause in another size. */
  const faultWith = (id: string, mm: number) => {
    const changed = sizeFaults({ ...view, ...withBound(view, id, mm) }, text);
    return [...changed].find(([of, fault]) => of === id || faults.get(of) !== fault)?.[1];
  };
  return (
    <ul class="advice" aria-busy={parts.isOld}>
      {(productById(view.product)?.sizes ?? []).map(({ id, label }) => (
        <li key={id}>
          <Size
            {...{ parts, id }}
            bound={bounds.find((one) => one.id === id)}
            field={{
              ...{ label, unit, valueMm: view.sizesMm[id], fault: faults.get(id) },
              check: (mm) => faultWith(id, mm),
              onCommit(mm) {
                if (mm !== undefined) choose(withBound(view, id, mm));
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
  const bounds = boundsOf(proposed);
  const bound = bounds.find((one) => one.id === id);
  if (bound === undefined) return null;
  const range = data.proposal.needs[id];
  return (
    <>
      <Waiting busy={stale} class="proposed">
        <strong data-size={id} data-mm={bound.value}>
          {formatAmount(bound.value, bound.unit)}
        </strong>{' '}
        {range === undefined ? null : <Slack size={range} unit={bound.unit} />}
      </Waiting>
      {codeTexts(asked.product, id, bounds).map((text) => (
        <p key={text} class="standard">
          {text}
        </p>
      ))}
    </>
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
        {productRulesOf(view).map((rule, index) => (
          <li key={rule.id}>
            <p>
              {rule.words} <span class="soft">{ruleText(rule, product.sizes)}</span>
            </p>
            <LengthField
              label="Clearance"
              valueMm={rule.clearance}
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
  rule: ProductRule,
  sizes: readonly { readonly id: string; readonly label: string }[],
): string {
  return endRules([rule])
    .map(({ size, kind, measurement, factor }) => {
      const label = sizes.find(({ id }) => id === size)?.label ?? size;
      const times = factor === 1 ? '' : `${factor.toFixed(3)} × `;
      return `${label} ${kind === 'room' ? '≥' : '≤'} ${times}${inWords(measurement).toLowerCase()} + clearance.`;
    })
    .join(' ');
}

const BAND_HEIGHT = 8;
const TOP = 7;
/** Space for the handle and the numbers below the line. */
const BELOW = 24;
const SIDE = 32;

/** A ruler with a bar for each population, which `BARS_TEXT` explains. The handle sets the size. */
function Gauge({ bound, ...parts }: FitParts & { readonly bound: Bound }): VNode {
  const { view, data, slide, hold } = parts;
  const [ref, width] = useWidth();
  const bandsOf = (one: Bound) =>
    (data?.populations ?? []).flatMap((population, series) =>
      needsOf(one, population).map((need) => ({ need, series })),
    );
  const bands = bandsOf(bound).toSorted((a, b) => b.need.rule.kind.localeCompare(a.need.rule.kind));
  const has = (kind: string) => bands.findIndex(({ need }) => need.rule.kind === kind);
  // A lowest and a highest size of one measurement have one axis.
  const ends = boundsOf(view)
    .filter(({ rules }) => rules[0]?.measurement === bound.rules[0]?.measurement)
    .flatMap((one) => [
      one.value,
      ...bandsOf(one).flatMap(({ need }) => [needAt(need, 1), needAt(need, 99)]),
    ]);
  const per = plainPer(bound.unit);
  const from = Math.min(bound.value, ...ends) / per;
  const to = Math.max(bound.value, ...ends) / per;
  const scale = linearScale(
    from,
    Math.max(to, from + 1 / per),
    SIDE,
    Math.max(width - SIDE, SIDE + 1),
  );
  const x = (plain: number) => scale.at(plain / per);
  const floor = TOP + bands.length * BAND_HEIGHT + 4;
  const at = x(bound.value);
  return (
    <div ref={ref} class="gauge">
      {width === 0 ? null : (
        // biome-ignore lint/a11y/noSvgWithoutTitle: the slider inside has a name; the bars repeat the table of results.
        <svg
          class="gauge-plot"
          width={width}
          height={floor + BELOW}
          viewBox={`0 0 ${width} ${floor + BELOW}`}
        >
          {bands.map(({ need, series }, index) => {
            const y = TOP + index * BAND_HEIGHT;
            const [low, high] = [x(needAt(need, 5)), x(needAt(need, 95))];
            return (
              <g key={`${series}-${need.rule.kind}`} class={`series-${series + 1}`}>
                <rect class="band" x={low} width={high - low} y={y} height={BAND_HEIGHT - 2} />
                <rect
                  class="median"
                  x={x(needAt(need, 50)) - 1}
                  width={2}
                  y={y - 1}
                  height={BAND_HEIGHT}
                />
                {index === has(need.rule.kind) && has('room') >= 0 && has('reach') >= 0 ? (
                  <text class="band-name" x={high + 4} y={y + BAND_HEIGHT - 1}>
                    {need.rule.kind === 'room' ? 'least' : 'most'}
                  </text>
                ) : null}
              </g>
            );
          })}
          <line class="axis-line" x1={SIDE} x2={width - SIDE} y1={floor} y2={floor} />
          {scale.ticks(Math.floor(width / 110)).map((tick) => (
            <g key={tick}>
              <path class="axis-line" d={`M${scale.at(tick)} ${floor}v5`} />
              <text x={scale.at(tick)} y={floor + 20} text-anchor="middle">
                {`${numberText(tick)} ${bound.unit.replace('ft-in', 'in')}`}
              </text>
            </g>
          ))}
          <DragHandle
            label={`${bound.label}, ruler`}
            {...{
              unit: bound.unit,
              value: bound.value,
              min: bound.min,
              max: bound.max,
            }}
            valueAt={(px) => scale.inverse(px) * per}
            onSlide={(mm) => slide(withBound(view, bound.id, mm))}
            onHold={hold}
          >
            <rect class="grip-area" x={at - 14} y={0} width={28} height={floor + BELOW} />
            <line class="marker" x1={at} x2={at} y1={3} y2={floor} />
            <circle class="grip" cx={at} cy={floor} r={7} />
          </DragHandle>
        </svg>
      )}
    </div>
  );
}

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
      <div class="row templates">
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
