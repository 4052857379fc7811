import type { VNode } from 'preact';
import { inWords } from '../../../site/labels.js';
import { formatLength, lengthNumber, type ShownUnit } from '../../widgets/lengths.js';
import type { PersonData } from '../data-types.js';

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
  const { massKg, volumeLitres, worstMm } = data;
  const isLying = data.positions === undefined;
  const drawn = new Set<string>(data.lines.map(({ measurement }) => measurement));
  const names = data.readings.map(({ measurement }) => measurement);
  const toggle = (name: string) => {
    const next = new Set(names.filter((one) => marked.has(one)));
    if (next.has(name)) next.delete(name);
    else next.add(name);
    onMark([...next]);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
      <section class="table-scroll long" tabIndex={0} aria-label="Asked and achieved dimensions">
        <table>
          <caption>
            Lengths in {unit}.{' '}
            {isLying
              ? ''
              : carriesLines
                ? 'Checked dimensions are drawn on the body.'
                : 'The drawing that stands in has no dimensions on it.'}
          </caption>
          <thead>
            <tr>
              <th scope="col">Dimension</th>
              {(isLying ? ['Predicted'] : ['Asked', 'Body', 'Off by']).map((name) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.readings.map(({ measurement, asked, achieved, difference }) => (
              <tr key={measurement}>
                <th scope="row">
                  {drawn.has(measurement) ? (
                    <label class="person-mark">
                      <input
                        type="checkbox"
                        checked={marked.has(measurement)}
                        onChange={() => toggle(measurement)}
                      />
                      {inWords(measurement)}
                    </label>
                  ) : (
                    <span class="person-unmarked">{inWords(measurement)}</span>
                  )}
                </th>
                <td class="number">{asked === null ? '–' : lengthNumber(asked, unit)}</td>
                {achieved === null ? null : (
                  <>
                    <td class="number" data-mm={achieved}>
                      {lengthNumber(achieved, unit)}
                    </td>
                    <td class="number">{difference === null ? '–' : signed(difference, unit)}</td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {worstMm === undefined ? (
        <p class="hint">Body mass {massKg.toFixed(1)} kg.</p>
      ) : (
        <p class="hint">
          Asked is what was predicted for the person; the other columns are what the tape finds on
          the light body that you see. The largest difference is {formatLength(worstMm, unit)}.
          Volume {volumeLitres?.toFixed(1)} l, mass {massKg.toFixed(1)} kg. Dimensions of standing
          people are drawn on the standing body, those of sitting people on the sitting one.
        </p>
      )}
    </>
  );
}

function signed(mm: number, unit: ShownUnit): string {
  const text = lengthNumber(Math.abs(mm), unit);
  return /[1-9]/.test(text) ? `${mm < 0 ? '−' : '+'}${text}` : text;
}
