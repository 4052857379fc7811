import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ExportButtons } from './export-buttons.js';
import { conditionsOf, countryName, fileName, titleOf } from './texts.js';
import { type LoadedChart, tidyOf } from './tidy.js';

interface ExportsProps {
  readonly chart: LoadedChart;
  readonly svg: () => SVGSVGElement | null | undefined;
}

/** Buttons that save the view as files, and one that copies its address. */
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
      <Share />
    </ExportButtons>
  );
}

const SAID_MS = 4000;

/** Copies the address of the view, and says so. */
export function Share(): VNode {
  const [said, setSaid] = useState('');
  const share = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setSaid('The address of this view is copied.');
    } catch {
      setSaid('The browser did not allow copying. Copy the address from the address bar.');
    }
    setTimeout(() => setSaid(''), SAID_MS);
  };
  return (
    <>
      <button type="button" onClick={share}>
        Share
      </button>
      <span class="hint" role="status">
        {said}
      </span>
    </>
  );
}
