import type { VNode } from 'preact';
import { CLOTHING_LABELS } from '../../../site/labels.js';
import type { ExactCall } from '../../shared/data-types.js';
import { CallChoice } from '../../widgets/calls.js';
import { ExportButtons, type SavedPicture } from '../../widgets/export-buttons.js';
import { fileNameOf } from '../../widgets/file-name.js';
import { ShareButton } from '../../widgets/share-button.js';
import { clothingIn, type FitView, limitRange, pairOf } from '../address.js';
import type { FitData } from '../data-types.js';
import { boundsOf } from '../needs.js';
import { OWN_ID, productById } from '../products.js';
import { shareText, sizesText } from '../texts.js';
import { fitTable } from './fit-table.js';

interface FitExportsProps {
  readonly view: FitView;
  readonly data: FitData;
}

/** `product` is the drawing to scale, `pair` is the plot of two dimensions. */
type FitPictureName = 'product' | 'pair';

/** Buttons that save the shares and the pictures, and a button that copies the address. */
export function FitExports({ view, data }: FitExportsProps): VNode {
  const nameOf = (...what: readonly string[]) =>
    fileNameOf(['fit', view.product, ...what], view.populations, data.artifactVersion);
  const pair = pairOf(view);
  const product = productById(view.product)?.title ?? 'Own limits';
  const clothing = [...new Set(view.populations.map((one) => clothingIn(view, one)))];
  const pictureOf = (which: FitPictureName, label: string, what: string): SavedPicture => ({
    label,
    name: nameOf(...(which === 'pair' ? (pair ?? []) : []), ...sizesOf(view)),
    svg: () => document.querySelector(which === 'pair' ? '.pair .plot' : '.scene'),
    hasPeople: which === 'product' && data.persons !== undefined,
    texts: (drawn) => ({
      title: `${product}: ${what}`,
      subtitle: [
        shareText(data),
        drawn.getAttribute('aria-label'),
        // The description of the other picture contains the sizes.
        which === 'pair' ? sizesText(boundsOf(view)) : '',
        `Clothing: ${clothing.map((id) => CLOTHING_LABELS[id] ?? id).join(', ')}.`,
      ]
        .filter((text) => text)
        .join(' '),
      source: `Vitruvia, data ${data.artifactVersion}. ${location.href}`,
      series: data.populations.map(({ label: who }) => who),
    }),
  });
  return (
    <ExportButtons
      table={{
        name: nameOf(),
        content: () => fitTable(view, data, location.origin, (one) => clothingIn(view, one)),
      }}
      pictures={[
        ...(view.product === OWN_ID ? [] : [pictureOf('product', 'Product', 'who fits')]),
        ...(pair === undefined ? [] : [pictureOf('pair', 'Plot', 'two dimensions')]),
      ]}
    >
      <ShareButton />
    </ExportButtons>
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

function callsOf({ populations, overall, ranges }: FitData): (readonly [string, ExactCall])[] {
  return [
    ...(overall === undefined ? [] : [['Share of all populations', overall.call] as const]),
    ...populations.flatMap(({ label, share }) =>
      share === undefined ? [] : [[`Share of ${label}`, share.call] as const],
    ),
    ...(ranges?.calls ?? []).map((call, index, { length }) => {
      const of = length === 1 ? '' : `: ${populations[index]?.label}`;
      return [`Ranges to design for${of}`, call] as const;
    }),
  ];
}
