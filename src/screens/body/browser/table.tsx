import type { VNode } from 'preact';
import { BODY_REGIONS } from '../../../core/body-regions.js';
import { readingOf } from '../../../core/readings.js';
import { inWords, readingText } from '../../../site/labels.js';
import { lengthNumber, type ShownUnit } from '../../../site/lengths.js';
import {
  Combobox,
  measurementOptions,
  notAmongLengths,
  type OptionGroup,
} from '../../widgets/combobox.js';
import { RemoveButton } from '../../widgets/parts.js';
import { BODY_MEASUREMENTS_MAX, type BodyView } from '../address.js';
import { BODY_PERCENTILES, type BodyParts, type BodyRow } from '../data-types.js';

/** Above this number of rows, the printed table has two columns. */
const LONG_ROWS = 24;
/** Columns of numbers. */
const NUMBERS = [...BODY_PERCENTILES.map((p) => `P${p}`), '±', 'Mean', 'SD'];

/** A row of the table: a dimension of a population. */
interface Cell {
  readonly label: string;
  readonly series: number;
  readonly row: BodyRow;
}

/** The chosen dimensions of every population, with their evidence. */
export function BodyTable({ view, unit, data, choose }: BodyParts): VNode {
  const region = BODY_REGIONS.find(({ id }) => id === view.region);
  const names = [
    ...new Set(data.populations.flatMap(({ rows = [] }) => rows.map((row) => row.measurement))),
  ];
  const remove = (name: string) =>
    choose({ measurements: view.measurements.filter((one) => one !== name) });
  return (
    <>
      <section
        class={`table-scroll${names.length * data.populations.length > LONG_ROWS ? ' long' : ''}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        aria-label="Measurements of the populations"
      >
        <table class={unit === 'ft-in' ? 'dimensions feet' : 'dimensions'}>
          <caption>Lengths in {unit}</caption>
          <thead>
            <tr>
              <th scope="col">Population</th>
              {NUMBERS.map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
              <th scope="col">Grade</th>
            </tr>
          </thead>
          {names.map((name) => (
            <Dimension
              key={name}
              name={name}
              unit={unit}
              cells={data.populations.flatMap(({ label, rows }, index) => {
                const row = rows?.find(({ measurement }) => measurement === name);
                return row === undefined ? [] : [{ label, series: index + 1, row }];
              })}
              isChosen={region?.measurements.some((one) => one.name === name) === true}
              onRemove={view.measurements.length > 1 ? () => remove(name) : undefined}
            />
          ))}
        </table>
      </section>
      <p class="hint">
        ± is the prediction error: half the 90 % interval of the median of nude people at the middle
        age; of several countries or genders, the widest. The{' '}
        <a href="/docs/model#4-3-evidence-for-a-median">grade</a> follows from the expected error,
        about half of ±, in SD: A up to 0.2, B up to 0.3, C up to 0.45, D more. Between two ages of
        the evidence, the worse grade counts.
      </p>
      {view.measurements.length < BODY_MEASUREMENTS_MAX ? (
        <div class="add-dimension">
          <Combobox
            label="Add a measurement"
            chosen=""
            find={(text) => optionsFor(text, view, region?.title)}
            notes={notAmongLengths}
            onChoose={(name) => choose({ measurements: [...view.measurements, name] })}
          />
        </div>
      ) : (
        <p class="hint">The table has room for {BODY_MEASUREMENTS_MAX} measurements.</p>
      )}
    </>
  );
}

interface DimensionProps {
  readonly name: string;
  readonly unit: ShownUnit;
  readonly cells: readonly Cell[];
  readonly isChosen: boolean;
  readonly onRemove: (() => void) | undefined;
}

function Dimension({ name, unit, cells, isChosen, onRemove }: DimensionProps): VNode {
  const words = inWords(name);
  const reading = readingOf(name);
  const places = cells.flatMap(({ row }) => row.evidence?.measuredIn ?? []);
  const measuredIn = [...new Set(places)].sort();
  return (
    <tbody class={isChosen ? 'in-region' : undefined}>
      <tr>
        <th scope="rowgroup" colSpan={NUMBERS.length + 2}>
          {words}
          {isChosen ? <span class="visually-hidden"> (in the chosen region)</span> : null}{' '}
          <a class={`badge ${reading}`} href={`/docs/sources#${name}`}>
            {readingText(reading, measuredIn)}
            <span class="visually-hidden">: evidence for {words}</span>
          </a>
          {onRemove === undefined ? null : <RemoveButton of={words} onRemove={onRemove} />}
        </th>
      </tr>
      {cells.map(({ label, series, row }) => (
        <tr key={label + String(series)}>
          <th scope="row" class="population">
            <span class={`swatch series-${series}`} aria-hidden="true" /> {label}
          </th>
          {row.valuesMm.map((mm, at) => (
            <td key={BODY_PERCENTILES[at]} class="number" data-mm={mm}>
              {lengthNumber(mm, unit)}
            </td>
          ))}
          <td class="number">
            {row.evidence === undefined ? '–' : errorNumber(row.evidence.errorMm, unit)}
          </td>
          <td class="number">{lengthNumber(row.meanMm, unit)}</td>
          <td class="number">{lengthNumber(row.sdMm, unit)}</td>
          <td>{row.evidence?.grade ?? '–'}</td>
        </tr>
      ))}
    </tbody>
  );
}

/** Half the width of an interval. The service gives it with two significant digits. */
function errorNumber(errorMm: number, unit: ShownUnit): string {
  return unit === 'mm' ? String(errorMm) : lengthNumber(errorMm, unit);
}

/** Dimensions to add to the table. Dimensions of the chosen region come first. */
function optionsFor(text: string, view: BodyView, region: string | undefined): OptionGroup[] {
  const rank = ({ heading }: OptionGroup) => (heading !== undefined && heading === region ? 0 : 1);
  return measurementOptions(text, view.measurements).sort((one, other) => rank(one) - rank(other));
}
