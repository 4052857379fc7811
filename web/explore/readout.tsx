import type { VNode } from 'preact';
import type { View } from '../../src/core/explorer-view.js';
import { inWords } from '../../src/core/labels.js';
import { PERCENT_LIMITS } from '../../src/core/limits.js';
import { countryName, exact, people, percentileText, rough } from './format.js';
import { NumberField } from './number-field.js';
import type { Point } from './point.js';

interface ReadoutProps {
  readonly view: View;
  readonly point: Point;
  readonly onChange: (change: Partial<View>) => void;
}

/** The numbers of the chosen point: exact once the service has answered, until then read off. */
export function Readout({ view, point, onChange }: ReadoutProps): VNode {
  return (
    <div class="readout">
      <div class="readout-fields">
        <NumberField
          label={
            view.kind === 'connected' ? `${inWords(view.measurement)}: percentile` : 'Percentile'
          }
          value={point.percentile}
          min={PERCENT_LIMITS.minimum}
          max={PERCENT_LIMITS.maximum}
          shown={percentileText(point.percentile)}
          onCommit={(percentile) => onChange({ percentile, value: undefined })}
        />
        {view.kind === 'distribution' && point.value !== undefined ? (
          <NumberField
            label={`Value in ${view.unit}`}
            value={point.value}
            step={1}
            shown={lengthText(point.value, point.isExact, view.unit)}
            onCommit={(value) => onChange({ value })}
          />
        ) : null}
        {view.kind === 'connected' ? (
          <NumberField
            label="Range covers, in %"
            value={view.cover}
            min={PERCENT_LIMITS.minimum}
            max={PERCENT_LIMITS.maximum}
            onCommit={(cover) => onChange({ cover })}
          />
        ) : null}
      </div>
      <output class="readout-numbers" aria-busy={!point.isExact}>
        {point.numbers.map(({ label, value, series }) => (
          <div key={label} class="readout-number">
            <span class="readout-label">
              {series === undefined ? null : (
                <span class={`swatch series-${series}`} aria-hidden="true" />
              )}
              {label}
            </span>
            <span class="readout-value" data-exact={point.isExact}>
              {lengthText(value, point.isExact, view.unit)} {view.unit}
            </span>
          </div>
        ))}
      </output>
      <p class="hint">
        {point.isExact
          ? `Exact numbers, as the API returns them, for ${populationText(view)}.`
          : 'Read off the curve. You see the exact numbers when you let go.'}
      </p>
    </div>
  );
}

function lengthText(value: number, isExact: boolean, unit: string): string {
  return isExact ? exact(value) : `≈ ${rough(value, unit)}`;
}

function populationText({ gender, age, countries }: View): string {
  const where = countries.map(countryName).join(', ');
  return `${people(gender, age)} aged ${percentileText(age)}, ${where}`;
}
