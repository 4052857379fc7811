import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { AGE_LIMITS } from '../../../core/limits.js';
import { amountUnit, formatAmount, fromPlain, toPlain } from '../../../site/amounts.js';
import { readAge, Segments } from '../../widgets/fields.js';
import { RemoveButton } from '../../widgets/parts.js';
import { AGE_POINTS_MAX, type AgePoint, type AgeRange, type DimensionView } from '../address.js';
import type { AgeLine } from '../data-types.js';
import { percentileText } from '../texts.js';
import { percentileAtAge } from './age-lines.js';
import { readValue } from './readout.js';

interface AgesControlsProps {
  readonly view: DimensionView;
  readonly agesYears: readonly number[];
  readonly lines: readonly AgeLine[];
  readonly onChoose: (change: Partial<DimensionView>) => void;
}

const { minimum: YOUNGEST, maximum: OLDEST } = AGE_LIMITS;
const RANGES: readonly (readonly [label: string, ages: AgeRange])[] = [
  ['0–20', [0, 20]],
  ['Adult', [20, OLDEST]],
  ['All', [YOUNGEST, OLDEST]],
];
/** Smallest span of ages. Each step of the zoom halves or doubles the span. */
const LEAST_SPAN_YEARS = 2;

/** Controls for the ages that the chart shows, and for the people on it. */
export function AgesControls({ view, agesYears, lines, onChoose }: AgesControlsProps): VNode {
  const [from, to] = view.ages;
  // The handle stays within the picture.
  const show = ([start, end]: AgeRange) =>
    onChoose({ ages: [start, end], age: Math.min(end, Math.max(start, view.age)) });
  return (
    <div class="row ages-controls">
      <Segments
        legend="Ages shown"
        options={RANGES.map(([label, ages]) => [ages, label] as const)}
        chosen={RANGES.find(([, ages]) => ages[0] === from && ages[1] === to)?.[1]}
        onChoose={(ages) => ages && show(ages)}
      />
      <div class="row buttons">
        <button
          type="button"
          disabled={to - from <= LEAST_SPAN_YEARS}
          onClick={() => show(zoomed(view, 0.5))}
        >
          Zoom in
        </button>
        <button
          type="button"
          disabled={from === YOUNGEST && to === OLDEST}
          onClick={() => show(zoomed(view, 2))}
        >
          Zoom out
        </button>
      </div>
      <People {...{ view, agesYears, lines, onChoose }} />
    </div>
  );
}

/** The range of ages after a zoom, in whole years. Its middle is near the chosen age. */
function zoomed({ ages: [from, to], age }: DimensionView, factor: number): AgeRange {
  const span = Math.min(
    OLDEST - YOUNGEST,
    Math.max(LEAST_SPAN_YEARS, Math.round((to - from) * factor)),
  );
  const start = Math.min(OLDEST - span, Math.max(YOUNGEST, Math.round(age - span / 2)));
  return [start, start + span];
}

/** A form that adds a person to the chart, and a list of the people with their percentiles. */
function People({ view, agesYears, lines, onChoose }: AgesControlsProps): VNode {
  const { points, unit, countries } = view;
  const [ageText, setAgeText] = useState('');
  const [valueText, setValueText] = useState('');
  const [fault, setFault] = useState('');
  const several = countries.length > 1;
  const add = (event: Event) => {
    event.preventDefault();
    const [age, read] = [readAge(ageText), readValue(valueText, unit)];
    if ('fault' in age || 'fault' in read) {
      setFault('fault' in age ? age.fault : 'fault' in read ? read.fault : '');
      return;
    }
    const value = Number(toPlain(read.number, unit).toFixed(1));
    setFault('');
    setAgeText('');
    setValueText('');
    onChoose({ points: [...points, { ageYears: age.number, value }] });
  };
  return (
    <form class="people-form" onSubmit={add}>
      <fieldset>
        <legend class="label">Add a person to the chart</legend>
        <div class="people-fields">
          <label>
            Exact age of the person
            <input
              type="text"
              inputMode="decimal"
              autocomplete="off"
              value={ageText}
              onInput={(event) => setAgeText(event.currentTarget.value)}
            />
          </label>
          <label>
            Measured ({unit})
            <input
              type="text"
              autocomplete="off"
              value={valueText}
              onInput={(event) => setValueText(event.currentTarget.value)}
            />
          </label>
          <button type="submit" disabled={points.length >= AGE_POINTS_MAX}>
            Add
          </button>
        </div>
      </fieldset>
      {fault === '' ? null : (
        <p class="field-error" role="alert">
          {fault}
        </p>
      )}
      {points.length === 0 ? null : (
        <ul class="row chips" aria-label="People on the chart">
          {points.map((point, index) => {
            const text = personText(point, { view, agesYears, lines });
            const without = () =>
              onChoose({ points: points.filter((_, other) => other !== index) });
            return (
              <li key={index} class="chip">
                {text}
                <RemoveButton of={text} onRemove={without} />
              </li>
            );
          })}
        </ul>
      )}
      {several && points.length > 0 ? (
        <p class="hint">Percentiles of people appear with a single country.</p>
      ) : null}
    </form>
  );
}

type About = Pick<AgesControlsProps, 'view' | 'agesYears' | 'lines'>;

/** A person in words. If there is a single country, the text contains the percentile from its centiles. */
function personText(
  { ageYears, value: plain }: AgePoint,
  { view, agesYears, lines }: About,
): string {
  const value = fromPlain(plain, view.unit);
  const at =
    view.countries.length > 1 ? undefined : percentileAtAge(agesYears, lines, ageYears, value);
  const text = formatAmount(plain, amountUnit(view.unit));
  const person = `${percentileText(ageYears)} years, ${text}`;
  if (at === undefined) return person;
  const bounded = at < 0.5 ? 'below P1' : at > 99.5 ? 'above P99' : `≈ P${Math.round(at)}`;
  return `${person}: ${bounded}`;
}
