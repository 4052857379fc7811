import type { VNode } from 'preact';
import { inWords } from '../../../site/labels.js';
import { differenceText, lengthNumber, type ShownUnit } from '../../../site/lengths.js';
import { DataTable } from '../../shared/table.js';
import { type PersonData, percentileOf, USUAL_MARKS } from '../data-types.js';

interface ReadingsProps {
  readonly data: PersonData;
  readonly marked: ReadonlySet<string>;
  readonly unit: ShownUnit;
  /** Whether the picture can show dimensions. The drawing that stands in for the picture cannot. */
  readonly carriesLines: boolean;
  readonly onMark: (names: readonly string[]) => void;
}

/** The asked and the achieved dimensions of the body. A press on a dimension draws it on the body. */
export function Readings({ data, marked, unit, carriesLines, onMark }: ReadingsProps): VNode {
  const { massKg, volumeLitres } = data;
  const isLying = data.positions === undefined;
  const drawn = new Set<string>(data.lines.map(({ measurement }) => measurement));
  const names = data.readings.map(({ measurement }) => measurement);
  const toggle = (name: string) => {
    const next = new Set(names.filter((one) => marked.has(one)));
    if (next.has(name)) next.delete(name);
    else next.add(name);
    onMark([...next]);
  };
  const first = new Set<string>([...Object.values(USUAL_MARKS).flat(), ...marked]);
  const [shown, folded] = [true, false].map((isFirst) =>
    data.readings.filter(({ measurement }) => first.has(measurement) === isFirst),
  );
  const table = (rows: PersonData['readings'] = [], caption?: string) => (
    <DataTable
      long
      label="Asked and achieved dimensions"
      caption={caption}
      head={[
        'Measurement',
        'Percentile',
        ...(isLying ? ['Predicted'] : ['Asked', 'Body', 'Off by']),
      ]}
      rows={rows.map(({ measurement, asked, achieved }) => [
        drawn.has(measurement) ? (
          <label key="mark" class="person-mark">
            <input
              type="checkbox"
              checked={marked.has(measurement)}
              onChange={() => toggle(measurement)}
            />
            {inWords(measurement)}
          </label>
        ) : (
          <span key="mark" class="person-unmarked">
            {inWords(measurement)}
          </span>
        ),
        percentileOf(data, measurement),
        asked === null ? '–' : lengthNumber(asked, unit),
        ...(achieved === null
          ? []
          : [
              <span key="body" data-mm={achieved}>
                {lengthNumber(achieved, unit)}
              </span>,
              asked === null ? '–' : differenceText(achieved, asked, unit),
            ]),
      ])}
    />
  );
  return (
    <>
      {table(
        shown,
        [
          `Lengths in ${unit}.`,
          ...(isLying
            ? []
            : carriesLines
              ? ['Checked measurements are drawn on the body.']
              : ['The drawing that stands in has no measurements on it.']),
        ].join(' '),
      )}
      <details>
        <summary>{folded?.length} more measurements</summary>
        {table(folded)}
      </details>
      {isLying ? (
        <p class="hint">Body mass {massKg.toFixed(1)} kg.</p>
      ) : (
        <p class="hint">
          Percentiles are among nude people of the same gender, age and country. Asked is what was
          predicted for the person; the other columns are what the tape finds on the light body that
          you see. Volume {volumeLitres?.toFixed(1)} l, mass {massKg.toFixed(1)} kg. Measurements of
          standing people are drawn on the standing body, those of sitting people on the sitting
          one.
        </p>
      )}
    </>
  );
}
