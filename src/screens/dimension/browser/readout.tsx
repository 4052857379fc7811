import type { ComponentChildren, VNode } from 'preact';
import { PERCENT_LIMITS } from '../../../core/limits.js';
import { type Reading, readingOf } from '../../../core/readings.js';
import {
  amountHint,
  amountNumber,
  amountUnit,
  fromPlain,
  isMass,
  parseAmount,
  toPlain,
} from '../../../site/amounts.js';
import { inWords, READING_LABELS } from '../../../site/labels.js';
import { NumberField, type Read, readNumber } from '../../widgets/fields.js';
import type { DimensionView } from '../address.js';
import type { CountryEvidence } from '../data-types.js';
import { countryName, errorText, peopleAged, percentileText, valueText } from '../texts.js';
import type { Point, PointNumber } from './point.js';

interface ReadoutProps {
  readonly view: DimensionView;
  readonly point: Point;
  readonly evidence: readonly CountryEvidence[];
  /** Why the service refuses the length of the view, if it does. */
  readonly valueFault: string | undefined;
  readonly onChange: (change: Partial<DimensionView>) => void;
}

/** The numbers of the chosen point. Until the service answers, they are read from the curves. */
export function Readout({ view, point, evidence, valueFault, onChange }: ReadoutProps): VNode {
  const known = point.numbers.filter(({ isExact }) => isExact);
  const hasError = known.some(({ country }) => evidenceOf(evidence, country) !== undefined);
  return (
    <div class="readout">
      <Fields {...{ view, point, valueFault, onChange }} />
      <output class="row readout-numbers" aria-busy={!point.isExact}>
        {point.numbers.map((one) => (
          <NumberText key={one.label} one={one} view={view} evidence={evidence} />
        ))}
      </output>
      <Badge view={view} evidence={evidence} />
      <p class="hint">
        {point.isExact
          ? `For ${populationText(view)}. The API returns all digits.`
          : point.numbers.length === 0
            ? ''
            : '≈ is read off the curve, with a small numerical error. You see the exact numbers when you let go.'}
        {hasError ? ' The prediction error is the 90 % interval of the median.' : ''}
      </p>
    </div>
  );
}

interface FieldsProps extends Pick<ReadoutProps, 'view' | 'onChange'> {
  readonly point: Pick<Point, 'percentile' | 'value'>;
  readonly valueFault?: string | undefined;
}

/** The fields of the percentile and of the value. */
export function Fields({ view, point, valueFault, onChange }: FieldsProps): VNode {
  const { unit, kind } = view;
  const connected = kind === 'connected';
  const value = view.value ?? point.value;
  return (
    <div class="row readout-fields">
      <NumberField
        label={connected ? `${inWords(view.measurement)}: percentile` : 'Percentile'}
        value={point.percentile}
        min={PERCENT_LIMITS.minimum}
        max={PERCENT_LIMITS.maximum}
        shown={percentileText(point.percentile)}
        read={(text) => percent(text, 'The percentile')}
        onCommit={(percentile) => onChange({ percentile, value: undefined })}
      />
      {kind === 'distribution' && value !== undefined ? (
        <NumberField
          label={`Value (${unit})`}
          value={value}
          shown={amountNumber(toPlain(value, unit), amountUnit(unit))}
          read={(text) => readValue(text, unit)}
          fault={valueFault}
          onCommit={(number) => onChange({ value: number })}
        />
      ) : null}
      {connected ? (
        <NumberField
          label="Range covers, in %"
          value={view.cover}
          min={PERCENT_LIMITS.minimum}
          max={PERCENT_LIMITS.maximum}
          shown={percentileText(view.cover)}
          read={(text) => percent(text, 'The range')}
          onCommit={(cover) => onChange({ cover })}
        />
      ) : null}
    </div>
  );
}

function percent(text: string, what: string): Read {
  const { minimum: min, maximum: max } = PERCENT_LIMITS;
  return readNumber(text, { what, min, max, words: /^p|(%|st|nd|rd|th)$/g });
}

/** Reads a typed value. The result has the unit of the view's numbers. */
export function readValue(text: string, unit: string): Read {
  const plain = parseAmount(text, amountUnit(unit));
  if (plain !== undefined && plain > 0) return { number: fromPlain(plain, unit) };
  return { fault: `“${text.trim()}” is not ${amountHint(amountUnit(unit))}` };
}

interface NumberProps {
  readonly one: PointNumber;
  readonly view: DimensionView;
  readonly evidence: readonly CountryEvidence[];
}

function NumberText({ one, view, evidence }: NumberProps): VNode {
  const { label, number, series, isExact, isPercentile, country } = one;
  const error = isExact ? evidenceOf(evidence, country)?.error : undefined;
  const text = isPercentile ? `P${percentileText(number)}` : valueText(number, view.unit);
  return (
    <div class="readout-number">
      <span class="readout-label soft small">
        {series === undefined ? null : (
          <span class={`swatch series-${series}`} aria-hidden="true" />
        )}
        {label}
      </span>
      <data class="readout-value" value={String(number)} data-exact={isExact}>
        {isExact ? text : `≈ ${text}`}
        {error === undefined ? null : (
          <span class="readout-error"> ± {errorText(error, number, view)} prediction error</span>
        )}
      </data>
    </div>
  );
}

function evidenceOf(evidence: readonly CountryEvidence[], country: string | undefined) {
  return evidence.find((one) => one.country === country);
}

const READING_TEXTS: Readonly<Record<Reading, string>> = {
  direct: 'Surveys took this measurement.',
  derived: 'It is a sum or difference of measurements of surveys.',
  ratio: 'It is a published ratio to a measurement of surveys.',
  proxy: 'A similar measurement or a design rule stands in for it.',
};

/** Says how the dimension was measured, with a link to its evidence. */
function Badge({ view, evidence }: Pick<ReadoutProps, 'view' | 'evidence'>): VNode {
  const [first] = evidence;
  const basis = first === undefined ? '' : `Grade ${first.grade}: ${first.basis}`;
  if (isMass(view.measurement)) {
    return (
      <p class="readout-evidence">
        <Soft>{basis}</Soft>
      </p>
    );
  }
  const reading = readingOf(view.measurement);
  return (
    <p class="readout-evidence">
      <a class={`badge ${reading}`} href={`/docs/sources#${view.measurement}`}>
        {READING_LABELS[reading]}
        <span class="visually-hidden">: evidence for {inWords(view.measurement)}</span>
      </a>{' '}
      <Soft>
        {READING_TEXTS[reading]} {basis}
      </Soft>
    </p>
  );
}

function Soft({ children }: { readonly children: ComponentChildren }): VNode {
  return <span class="hint">{children}</span>;
}

function populationText({ gender, age, countries }: DimensionView): string {
  const where = countries.map(countryName).join(', ');
  return `${peopleAged(gender, age)}, ${where}`;
}
