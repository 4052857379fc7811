import type { VNode } from 'preact';
import type { Arrangement } from '../../../site/pictures/people-layout.js';
import { CallChoice } from '../../widgets/calls.js';
import { ExportButtons } from '../../widgets/export-buttons.js';
import { fileNameOf } from '../../widgets/file-name.js';
import { ShareButton } from '../../widgets/share-button.js';
import { type BodyView, pictureCaption, pictureTitle } from '../address.js';
import type { BodyData } from '../data-types.js';
import { bodyTidy } from './body-tidy.js';

interface ExportsProps {
  readonly view: BodyView;
  readonly data: BodyData;
  readonly svg: () => SVGSVGElement | null;
}

/** How the people of a picture stand. */
function arrangementOf(svg: SVGSVGElement | null): Arrangement {
  return (svg?.dataset.arrangement ?? 'median') as Arrangement;
}

/** Buttons that save the picture and the table, and a button that copies the address. */
export function BodyExports({ view, data, svg }: ExportsProps): VNode {
  const { posture, side, overlaid, populations } = view;
  const version = data.artifactVersion;
  const what = ['body', posture, side, ...(overlaid ? ['overlaid'] : [])];
  const name = fileNameOf(what, populations, version);
  return (
    <ExportButtons
      table={{ name, content: () => bodyTidy(view, data) }}
      pictures={[
        {
          name,
          svg,
          hasPeople: data.hasBodies,
          texts: () => ({
            title: pictureTitle(view),
            subtitle: pictureCaption(view, arrangementOf(svg())),
            source: `Vitruvia, data ${version}. ${location.href}`,
            series: data.populations.map(({ label }) => label),
          }),
        },
      ]}
    >
      <ShareButton />
    </ExportButtons>
  );
}

/** The API call behind the numbers of a population. */
export function BodyCalls(props: { readonly data: BodyData; readonly stale: boolean }): VNode {
  const { data, stale } = props;
  const calls = data.populations.flatMap(({ label, call }) =>
    call === undefined ? [] : [[label, call] as const],
  );
  return (
    <div class="body-calls" aria-busy={stale}>
      <CallChoice label="Numbers of" calls={calls} />
    </div>
  );
}
