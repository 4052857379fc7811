import type { VNode } from 'preact';
import { clothingSentence } from '../../../site/labels.js';
import { formatLength } from '../../../site/lengths.js';
import { addressOf } from '../../shared/address-fields.js';
import type { ExactCall } from '../../shared/data-types.js';
import { POPULATION_COLUMNS } from '../../shared/population-columns.js';
import { peopleSentences, populationsLabel } from '../../shared/populations.js';
import { type Columns, type Tidy, tidyTable } from '../../shared/table.js';
import { CallChoice, ExportButtons, ReportPanel } from '../../widgets/exports.js';
import type { ScreenPicture } from '../../widgets/save-file.js';
import { clothingIn, FIT_ADDRESS, type FitView, limitRange, pairOf, rulesOf } from '../address.js';
import type { FitData, FitParts } from '../data-types.js';
import { OWN_ID, productById } from '../products.js';
import { boundsOf } from '../proposal.js';
import { shareText, sizesText } from '../texts.js';

interface FitExportsProps {
  readonly view: FitView;
  /** The view with the sizes of its picture. */
  readonly shown: FitView;
  readonly data: FitData;
}

/** `product` is the drawing to scale, `pair` is the plot of two dimensions. */
type FitPictureName = 'product' | 'pair';

/** The view without the people whom the visitor knows. What is saved or cited goes to others. */
export const publicViewOf = (view: FitView): FitView => ({ ...view, known: [] });

/** Buttons that save the shares and the pictures, and a button that copies the address. */
export function FitExports({ view, shown, data }: FitExportsProps): VNode {
  const pair = pairOf(view);
  const product = productById(view.product)?.title ?? 'Own limits';
  const clothing = view.populations.map((one) => clothingIn(view, one));
  const pictureOf = (which: FitPictureName, label: string, what: string): ScreenPicture => ({
    label,
    what: [...(which === 'pair' ? (pair ?? []) : []), ...sizesOf(which === 'pair' ? view : shown)],
    svg: () => document.querySelector(which === 'pair' ? '.pair .plot' : '.scene'),
    hasPeople: which === 'product' && data.persons !== undefined,
    texts: (drawn) => ({
      title: `${product}: ${what}`,
      subtitle: [
        shareText(data),
        drawn.getAttribute('aria-label'),
        // The description of the other picture contains the sizes.
        which === 'pair' ? sizesText(boundsOf(view)) : '',
        clothingSentence(clothing),
      ]
        .filter((text) => text)
        .join(' '),
      series: data.populations.map(({ label: who }) => who),
    }),
  });
  return (
    <ExportButtons
      what={['fit', view.product]}
      populations={view.populations}
      data={data}
      path={addressOf(FIT_ADDRESS, publicViewOf(view))}
      table={() => fitTable(view, data)}
      pictures={[
        ...(view.product === OWN_ID ? [] : [pictureOf('product', 'Product', 'who fits')]),
        ...(pair === undefined ? [] : [pictureOf('pair', 'Plot', 'two measurements')]),
      ]}
    />
  );
}

/** The sizes of the view for a file name, such as `length-1900-width-900-mm` or `BodyMass-any-to-90-kg`. */
function sizesOf(view: FitView): string[] {
  if (view.product !== OWN_ID) {
    return [...Object.entries(view.sizesMm).map(([id, mm]) => `${id}-${mm}`), 'mm'];
  }
  return view.limits.map(({ measurement, min, max }) => {
    const unit = limitRange(measurement).unit.trim().replace('/m²', '-per-m2');
    return [measurement, min ?? 'any', 'to', max ?? 'any', unit].join('-');
  });
}

/** The API calls behind the numbers of the screen. They are shown one at a time. */
export function FitCalls(props: { readonly data: FitData; readonly stale: boolean }): VNode {
  const { data, stale } = props;
  return (
    <div class="fit-calls" aria-busy={stale}>
      <CallChoice label="Numbers" calls={callsOf(data)} />
    </div>
  );
}

function callsOf({ populations, overall, proposal }: FitData): (readonly [string, ExactCall])[] {
  return [
    ...(overall === undefined ? [] : [['Share of all populations', overall.call] as const]),
    ...populations.flatMap(({ label, share }) =>
      share === undefined ? [] : [[`Share of ${label}`, share.call] as const],
    ),
    ...(proposal === undefined ? [] : [['Sizes for the wanted share', proposal.call] as const]),
  ];
}

/** The shares of a view. Each population and limit has one row. */
function fitTable(view: FitView, data: FitData): Tidy {
  const rows = data.populations.flatMap(({ share }, index) => {
    const population = view.populations[index];
    if (share === undefined || population === undefined) return [];
    const { answer } = share;
    const clothing = clothingIn(view, population);
    return answer.limits.map((limit) => ({ population, clothing, answer, limit }));
  });
  const columns: Columns<(typeof rows)[number]> = {
    product: () => view.product,
    ...POPULATION_COLUMNS,
    posture: () => 'standing_erect',
    measurement: ({ limit }) => limit.measurement,
    min: ({ limit }) => limit.min ?? '',
    max: ({ limit }) => limit.max ?? '',
    unit: ({ limit }) => limitRange(limit.measurement).unit.trim(),
    share_below: ({ limit }) => limit.below,
    share_above: ({ limit }) => limit.above,
    share_fails_only_here: ({ limit }) => limit.failsOnlyHere,
    share_that_fits: ({ answer }) => answer.share,
    people: ({ answer }) => answer.people,
    version: () => data.artifactVersion,
  };
  return tidyTable(columns, rows);
}

/** The printed page's text on the sizes, the people and the rules, and how to print and cite the page. */
export function Report({ view, unit, data }: FitParts & { readonly data: FitData }): VNode {
  const who = populationsLabel(view.populations);
  const { notes = [] } = productById(view.product) ?? {};
  return (
    <ReportPanel
      {...{ address: FIT_ADDRESS, view: publicViewOf(view), data }}
      title={`${FIT_ADDRESS.title(view)} ${who}`}
    >
      <p class="on-paper">{sizesText(boundsOf(view))}</p>
      <p class="on-paper">{peopleSentences(view.populations, (one) => clothingIn(view, one))}</p>
      <ul class="on-paper">
        {rulesOf(view).map(({ size, kind, measurement, words, clearanceMm, basis }) => (
          <li key={`${size}-${kind}-${measurement}`}>
            {words} Clearance {formatLength(clearanceMm, unit)}. {basis}.
          </li>
        ))}
      </ul>
      {notes.length === 0 ? null : <p class="on-paper">{notes.join(' ')}</p>}
    </ReportPanel>
  );
}
