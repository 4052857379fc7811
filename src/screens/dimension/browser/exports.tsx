import type { VNode } from 'preact';
import { ExportButtons } from '../../widgets/export-buttons.js';
import { ShareButton } from '../../widgets/share-button.js';
import { conditionsOf, countryName, fileName, titleOf } from './texts.js';
import { type LoadedChart, tidyOf } from './tidy.js';

interface ExportsProps {
  readonly chart: LoadedChart;
  readonly svg: () => SVGSVGElement | null | undefined;
}

/** Buttons that save the view as files, and a button that copies its address. */
export function Exports({ chart, svg }: ExportsProps): VNode {
  const { view, data } = chart;
  const name = fileName(view, data.artifactVersion);
  const several = view.kind !== 'connected' && view.countries.length > 1;
  const texts = {
    title: titleOf(view),
    subtitle: conditionsOf(view, data.artifactVersion),
    source: data.evidence[0]?.basis ?? '',
    series: several ? view.countries.map(countryName) : [],
  };
  return (
    <ExportButtons
      table={{ name, content: () => tidyOf(chart) }}
      pictures={[{ name, svg, texts: () => texts }]}
    >
      <ShareButton />
    </ExportButtons>
  );
}
