import type { VNode } from 'preact';
import { numberText } from '../../../core/number-text.js';
import { amountNumber } from '../../../site/amounts.js';
import { percent } from '../../../site/labels.js';
import { PERSON_ADDRESS } from '../../person/address.js';
import { addressOf } from '../../shared/address-fields.js';
import { populationLabel, populationsQuery } from '../../shared/populations.js';
import { boundedShare, PREDICTION_ERROR_BASIS, SHOWN_FROM } from '../../shared/prediction-error.js';
import { DataTable } from '../../shared/table.js';
import { Unbroken } from '../../widgets/parts.js';
import type { FitView } from '../address.js';
import type { FitData, FitParts, ShareAnswer } from '../data-types.js';
import { productById } from '../products.js';
import { boundsOf, needAt, needsOf, serves } from '../proposal.js';
import { exclusionsOf } from '../texts.js';

/** Percentiles of the people in the table of needs. */
const SHOWN = [5, 50, 95] as const;

type ResultsProps = FitParts & { readonly data: FitData };

/** For each population: the share that fits, and who is excluded by which limit. */
export function SharesTable({ data, view, unit }: ResultsProps): VNode {
  const { notes = [] } = productById(view.product) ?? {};
  return (
    <>
      <DataTable
        class="shares"
        label="Shares that fit"
        caption="Share that fits (range: if medians are off), and who is excluded"
        head={['Population', 'Fits', 'Excluded by']}
        texts={['Excluded by']}
        rows={data.populations.map(({ label, share, refusal }, index) => [
          <PopulationHead key="who" label={label} series={index + 1} />,
          <span key="fits" data-share={share?.answer.share} title={PREDICTION_ERROR_BASIS}>
            {share === undefined ? '–' : boundedShare(share.answer)}
          </span>,
          <>
            {refusal === undefined ? null : <span class="field-error">{refusal.detail}</span>}
            {share === undefined ? null : (
              <Excluded
                {...{ view, unit }}
                answer={share.answer}
                population={view.populations[index]}
              />
            )}
          </>,
        ])}
      />
      {notes.length === 0 ? null : <p class="hint">{notes.join(' ')}</p>}
    </>
  );
}

function PopulationHead({ label, series }: { label: string; series: number }): VNode {
  return (
    <>
      <span class={`swatch series-${series}`} aria-hidden="true" /> <Unbroken text={label} />
    </>
  );
}

interface ExcludedProps extends Pick<FitParts, 'view' | 'unit'> {
  readonly answer: ShareAnswer;
  readonly population: FitView['populations'][number] | undefined;
}

function Excluded({ answer, population, view, unit }: ExcludedProps): VNode {
  const excluded = exclusionsOf(view, answer.limits, unit);
  if (excluded.length === 0) return <>almost nobody</>;
  return (
    <ul class="excluded">
      {excluded.map(({ measurement, share, text, endMm }) => (
        <li key={text}>
          {percent(share)} {text}
          {population === undefined || measurement === 'BMI' ? null : (
            <span class="excluded-person">
              {' '}
              (
              <a href={excludedPerson(population, measurement, endMm)}>
                see one
                <span class="visually-hidden">{`: ${populationLabel(population)}, ${text}`}</span>
              </a>
              )
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The address of the Person screen for a person at a limit. */
function excludedPerson(
  population: FitView['populations'][number],
  measurement: string,
  valueMm: number,
): string {
  const view = PERSON_ADDRESS.read(populationsQuery([population]));
  const value = Math.round(valueMm * 10) / 10;
  return addressOf(PERSON_ADDRESS, { ...view, known: [{ measurement, value }] });
}

/** The sizes that people of each population need. */
export function NeedsTable({ view, data }: ResultsProps): VNode {
  const bounds = boundsOf(view);
  const units = [...new Set(bounds.map(({ unit }) => unit))].join(' and ');
  return (
    <DataTable
      class="needs"
      label="Sizes that people need"
      caption={`Size that a person needs, clearance included, in ${units}. ✓ fits, ✗ does not fit`}
      head={['Size and population', ...SHOWN.map((percentile) => `P${percentile}`), 'Fits']}
      texts={['Fits']}
      rows={bounds.flatMap((bound) =>
        data.populations.flatMap((population, index) =>
          needsOf(bound, population).map((need) => [
            <>
              {bound.label}
              <span class="needs-who">
                <PopulationHead label={population.label} series={index + 1} />
              </span>
            </>,
            ...SHOWN.map((percentile) => {
              const mm = needAt(need, percentile);
              const fits = serves(need.rule, bound.value, mm);
              return (
                <>
                  {need.rule.kind === 'room' ? '≥ ' : '≤ '}
                  {amountNumber(mm, bound.unit)}{' '}
                  <span class={fits ? 'fits' : 'fails'}>
                    {fits ? '✓' : '✗'}
                    <span class="visually-hidden">{fits ? 'fits' : 'does not fit'}</span>
                  </span>
                </>
              );
            }),
            reachText(population.share?.answer, need.rule),
          ]),
        ),
      )}
    />
  );
}

/** The percentiles of the people whom a limit does not exclude. */
function reachText(
  answer: ShareAnswer | undefined,
  { measurement, kind }: { readonly measurement: string; readonly kind: 'room' | 'reach' },
): string {
  const limit = answer?.limits.find((one) => one.measurement === measurement);
  if (limit === undefined) return '';
  if (kind === 'room') {
    return limit.above < SHOWN_FROM ? 'almost everybody' : `up to P${ordinal(1 - limit.above)}`;
  }
  return limit.below < SHOWN_FROM ? 'almost everybody' : `from P${ordinal(limit.below)}`;
}

function ordinal(share: number): string {
  return numberText(share * 100, 1);
}
