import { Fragment, type VNode } from 'preact';
import { clothingSentence } from '../../../site/labels.js';
import { addressOf, type ReadableAddress } from '../../shared/address-fields.js';
import type { ExactCall } from '../../shared/data-types.js';
import { fileCostText } from '../../shared/file-cost.js';
import { peopleSentences } from '../../shared/populations.js';
import { type Columns, type Tidy, tidyTable } from '../../shared/table.js';
import { CardLinks, exportTabs } from '../../widgets/exports.js';
import {
  type AskedReachFile,
  clothingIn,
  ENVELOPE_ADDRESS,
  REACH_ADDRESS,
  REACH_FORMATS,
  type ReachView,
  STANCE_ADDRESS,
} from '../address.js';
import type { ReachData } from '../data-types.js';
import type { ResultsProps } from '../results.js';
import { demandsOf, reachTitle, type ShownDemand } from '../texts.js';

interface ExportsProps extends Pick<ResultsProps, 'view'> {
  readonly data: ReachData;
  /** Whether the lines of the picture are true to scale, as CAD needs. */
  readonly isFlat: boolean;
  readonly svg: () => SVGSVGElement | null | undefined;
}

/** The tabs with the picture, the table and the bodies as files, a report, and the calls of the API. */
export function takenTabs({ view, data, isFlat, svg }: ExportsProps) {
  const { populations } = view;
  const clothings = populations.map((one) => clothingIn(view, one));
  const title = reachTitle(view, data);
  return exportTabs({
    ...{ address: REACH_ADDRESS, view, data, title, populations, calls: callsOf(data) },
    what: ['reach', view.template],
    table: () => tableOf(view, data),
    pictures: [
      {
        ...{ svg, hasPeople: isFlat },
        texts: () => ({
          title,
          subtitle: [
            clothingSentence(clothings),
            ...data.persons.flatMap((one) =>
              one === null ? [] : [`P${one.percentile} of stature: ${one.who}.`],
            ),
            placesText(view),
          ].join(' '),
          series: [],
        }),
      },
    ],
    files: (
      <>
        <Bodies view={view} data={data} />
        <CardLinks address={REACH_ADDRESS} view={view} />
      </>
    ),
    onPaper: (
      <>
        <p class="on-paper">{peopleSentences(populations, (one) => clothingIn(view, one))}</p>
        <p class="on-paper">{placesText(view)}</p>
      </>
    ),
  });
}

/** Links to files in three dimensions, and what they cost. */
function Bodies({ view, data }: Pick<ExportsProps, 'view' | 'data'>): VNode {
  return (
    <p class="hint">
      In three dimensions: <a href={data.medianPersonAddress}>the body of the median person</a>
      {data.stanceCredits === undefined ? null : (
        <>
          {', the same person who does this as '}
          <Formats address={STANCE_ADDRESS} view={view} />
          {` for ${fileCostText(data.stanceCredits)}`}
        </>
      )}
      {data.envelope === undefined ? null : (
        <>
          {', and the envelope of reach as '}
          <Formats address={ENVELOPE_ADDRESS} view={view} />
          {` for ${fileCostText(data.envelope.call.credits)}`}
        </>
      )}
      .
    </p>
  );
}

/** Links to a file of a view in each format. */
function Formats(props: { address: ReadableAddress<AskedReachFile>; view: ReachView }): VNode {
  const { address, view } = props;
  return (
    <>
      {REACH_FORMATS.map((format, index) => (
        <Fragment key={format}>
          {index === 0 ? '' : ' or '}
          <a href={addressOf(address, { view, format })}>{format.toUpperCase()}</a>
        </Fragment>
      ))}
    </>
  );
}

/** All places of a view in a sentence. */
function placesText({ targets, see, clear, seat }: ReachView): string {
  const place = ({ x, y, z }: { x: number; y: number; z: number }) => `(${x}, ${y}, ${z})`;
  return [
    ...(seat === undefined ? [] : [`Seat ${seat.heightMm} mm, back ${seat.backAngle}°.`]),
    ...[...targets, ...see].map(({ name, at }) => `${name} ${place(at)}.`),
    ...clear.map(({ name, from, to }) => `${name} ${place(from)} to ${place(to)}.`),
    'Forward, left and up in mm.',
  ].join(' ');
}

const COLUMNS: Columns<ShownDemand> = {
  demand: ({ title }) => title,
  asks: ({ words }) => words,
  share: ({ met }) => met.share,
  gained_without_it: ({ met }) => met.failsOnlyHere,
  lack_p5_mm: ({ met }) => met.lack?.p5,
  lack_p50_mm: ({ met }) => met.lack?.p50,
  lack_p95_mm: ({ met }) => met.lack?.p95,
};

function tableOf(view: ReachView, data: ReachData): Tidy {
  const { head, rows } = tidyTable(COLUMNS, demandsOf(view, data));
  return { head, rows: [...rows, ['all', '', data.answer.share, '', '', '', '']] };
}

/** The API calls behind the numbers and the bands of the picture. */
function callsOf({ call, envelope }: ReachData): (readonly [string, ExactCall])[] {
  const share = ['Share and who fails', call] as const;
  if (envelope === undefined) return [share];
  const asFile = { ...envelope.call, body: { ...envelope.call.body, format: 'glb' } };
  return [share, ['Envelope of the picture', envelope.call], ['Envelope as GLB', asFile]];
}
