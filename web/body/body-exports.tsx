import type { VNode } from 'preact';
import type { BodyView } from '../../src/core/body-view.js';
import type { BodyData } from '../../src/pages/explorer/body-data-types.js';
import { csvOf, download, type Picture, pngOf, svgOf } from '../explore/export.js';
import { Share } from '../explore/exports.js';
import { fileNameOf } from '../populations/file-name.js';
import { bodyTidy } from './body-tidy.js';
import { pictureCaption, pictureTitle } from './titles.js';

interface ExportsProps {
  readonly view: BodyView;
  readonly data: BodyData;
  readonly svg: () => SVGSVGElement | null;
}

/** Buttons that save the picture and the table, and one that copies the address. */
export function BodyExports({ view, data, svg }: ExportsProps): VNode {
  const { posture, side, overlaid, populations } = view;
  const version = data.artifactVersion;
  const what = ['body', posture, side, ...(overlaid ? ['overlaid'] : [])];
  const name = fileNameOf(what, populations, version);
  const withPicture = async (use: (picture: Picture) => Promise<void> | void) => {
    const drawn = svg();
    if (drawn === null) return;
    await use(
      svgOf(drawn, {
        title: pictureTitle(view),
        subtitle: pictureCaption(view),
        source: `Vitruvia, data ${version}. ${location.href}`,
        series: data.populations.map(({ label }) => label),
      }),
    );
  };
  const onCsv = () =>
    download(new Blob([csvOf(bodyTidy(view, data))], { type: 'text/csv' }), `${name}.csv`);
  const onSvg = () =>
    withPicture((picture) =>
      download(new Blob([picture.svg], { type: 'image/svg+xml' }), `${name}.svg`),
    );
  const onPng = () => withPicture(async (picture) => download(await pngOf(picture), `${name}.png`));
  return (
    <div class="exports">
      <span class="label">Export</span>
      <button type="button" onClick={onCsv}>
        CSV
      </button>
      <button type="button" onClick={onSvg}>
        SVG
      </button>
      <button type="button" onClick={onPng}>
        PNG
      </button>
      <Share />
    </div>
  );
}
