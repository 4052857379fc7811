import type { VNode } from 'preact';
import { inWords, percent } from '../../../site/labels.js';
import { lengthNumber, type ShownUnit } from '../../../site/lengths.js';
import { DataTable } from '../../shared/screen-parts.js';
import type { ScreenPicture } from '../../widgets/export.js';
import { ExportButtons } from '../../widgets/exports.js';
import { type SizesView, sizesTitle } from '../address.js';
import type { SizesData } from '../data-types.js';
import { answerText, DOTS_CAPTION, orderOf, targetText } from '../texts.js';
import { sizesTidy } from './sizes-tidy.js';

interface SizesTableProps {
  readonly view: SizesView;
  readonly data: SizesData;
  readonly unit: ShownUnit;
}

/** The size chart as a table. */
export function SizesTable({ view, data, unit }: SizesTableProps): VNode {
  const { chart, dimensions } = data;
  const { total, pieces } = orderOf(view, data);
  return (
    <>
      <DataTable
        class="sizes-table"
        label="Ranges of the sizes"
        caption={`Body dimensions in ${unit}`}
        head={[
          ...['Size', 'Share', `Of ${total.toLocaleString('en')}`],
          ...dimensions.map(({ measurement }) => inWords(measurement)),
        ]}
        rows={chart.sizes.map(({ name, ranges, share }, s) => [
          ...[name, percent(share), pieces[s]?.toLocaleString('en')],
          ...ranges.map(
            ({ from, to }) => `${lengthNumber(from, unit)} – ${lengthNumber(to, unit)}`,
          ),
        ])}
        foot={[
          ...['All', percent(chart.shareServed), total.toLocaleString('en')],
          ...dimensions.map(() => ''),
        ]}
      />
      <p class="hint">
        The share of a size is that of the people whom it serves best. Somebody whom two sizes serve
        counts once.
      </p>
    </>
  );
}

/** Buttons that save the size chart and the pictures, and a button that copies the address. */
export function SizesExports({ view, data }: Omit<SizesTableProps, 'unit'>): VNode {
  const picture = (label: string, selector: string, subtitle: string): ScreenPicture => ({
    ...{ label, what: [label.toLowerCase()] },
    svg: () => document.querySelector<SVGSVGElement>(selector),
    texts: () => ({
      title: sizesTitle(view),
      subtitle: `${answerText(view, data)} ${subtitle}`,
      series: [],
    }),
  });
  return (
    <ExportButtons
      what={['sizes', view.product, String(data.chart.sizes.length)]}
      populations={view.populations}
      data={data}
      table={() => sizesTidy(view, data)}
      pictures={[
        picture('Curve', '.sizes-curve', targetText(view, data)),
        picture('Sizes', '.sizes-dots', DOTS_CAPTION),
      ]}
    />
  );
}
