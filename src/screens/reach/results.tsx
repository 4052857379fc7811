import type { VNode } from 'preact';
import { numberText } from '../../core/number-text.js';
import { MARKS, percent } from '../../site/labels.js';
import { formatLength, type ShownUnit } from '../../site/lengths.js';
import type { PartsOf } from '../shared/data-types.js';
import { predictionErrorText } from '../shared/prediction-error.js';
import { DataTable } from '../shared/table.js';
import type { ReachView } from './address.js';
import { type AnsweredScene, type Percentiles, SHOWN } from './data-types.js';
import { colourOf, type ShownFigure } from './drawing.js';
import { seatMoves } from './moves.js';
import { templateById } from './templates.js';
import { demandNames, demandsOf, marginText } from './texts.js';

export type ResultsProps = Omit<PartsOf<ReachView, AnsweredScene>, 'choose'>;

/** The share of the people for whom all holds at once. */
export function Headline({ view, data }: ResultsProps): VNode {
  const { share, people } = data.answer;
  const count = numberText(Number((share * people).toPrecision(3)));
  return (
    <p class="reach-share">
      <strong data-share={share}>{percent(share)}</strong> of{' '}
      {view.populations.length > 1 ? 'these people' : data.label} reach, see and have room: {count}{' '}
      people. <span class="soft">{predictionErrorText(data.answer)}</span>
    </p>
  );
}

/** For each demand: who meets it, whom the others would serve without it, and what those who fail it lack. */
export function Demands({ view, data, unit }: ResultsProps): VNode {
  const { notes = [], numericalError } = data.answer;
  return (
    <>
      <DataTable
        class="reach-demands"
        label="Who fails each demand"
        caption={`Who meets each demand, and what the others lack in ${unit}`}
        head={['Demand', 'Meet it', 'Gained without it', `Lack, ${MARKS}`]}
        rows={demandsOf(view, data).map(({ title, words, met }) => [
          <>
            {title}: <span class="soft">{words}</span>
          </>,
          <span key="met" data-met={met.share}>
            {percent(met.share)}
          </span>,
          percent(met.failsOnlyHere),
          met.lack === undefined ? '–' : lengthsOf(met.lack, unit).join(', '),
        ])}
      />
      <p class="hint">
        {notes.join(' ')} Sampling error of the share: ±{`\u00a0${percent(numericalError)}`}.
      </p>
    </>
  );
}

const lengthsOf = (of: Percentiles | undefined, unit: ShownUnit): readonly string[] =>
  (['p5', 'p50', 'p95'] as const).map((name) => (of ? formatLength(of[name], unit) : '–'));

/** Where the seat stands in its travel, of the people for whom all holds. */
export function SeatPlaces({ data, unit }: ResultsProps): VNode | null {
  const { x, z } = data.answer.seat ?? {};
  if (x === undefined && z === undefined) return null;
  return (
    <DataTable
      class="reach-seat"
      caption="Where they put the seat in its travel"
      head={['Direction', ...SHOWN.map((percentile) => `P${percentile}`)]}
      rows={[
        ...(x === undefined ? [] : [['Forward', ...lengthsOf(x, unit)]]),
        ...(z === undefined ? [] : [['Up', ...lengthsOf(z, unit)]]),
      ]}
    />
  );
}

const middleOf = ([least, most]: readonly [number, number] = [0, 0]): number => (least + most) / 2;

/** The people in the picture: who they are, where they put the seat, and what they lack. */
export function People({
  view,
  unit,
  figures,
}: Omit<ResultsProps, 'data'> & { readonly figures: readonly ShownFigure[] }): VNode {
  const { seat } = view;
  return (
    <ul class="reach-people">
      {figures.map(({ person, figure }) => {
        const [x, z] = figure.seat;
        const forward = x + middleOf(seat?.travelX);
        const up = z - (seat?.heightMm ?? 0) + middleOf(seat?.travelZ);
        return (
          <li key={person.percentile}>
            <span class={`swatch ${colourOf(person)}`} aria-hidden="true" /> P{person.percentile} of
            stature, {person.who}
            {seat !== undefined && seatMoves(seat)
              ? `, seat ${formatLength(Math.round(forward), unit)} forward and ${formatLength(Math.round(up), unit)} up`
              : ''}
            {figure.marginsMm.length === 0
              ? ''
              : `: ${marginText(demandNames(view), figure.marginsMm, unit)}`}
          </li>
        );
      })}
    </ul>
  );
}

/** Where the numbers of a template come from. */
export function Sources({ view }: Pick<ResultsProps, 'view'>): VNode | null {
  const { title, sources } = templateById(view.template);
  if (sources.length === 0) return null;
  return (
    <details class="reach-sources">
      <summary>Sources of the template {title}</summary>
      <ul>
        {sources.map((source) => (
          <li key={source}>{source}</li>
        ))}
      </ul>
    </details>
  );
}
