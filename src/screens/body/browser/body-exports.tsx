import type { VNode } from 'preact';
import type { Arrangement } from '../../../site/pictures/people-layout.js';
import { addressOf } from '../../shared/address-fields.js';
import { peopleSentences } from '../../shared/populations.js';
import { CallChoice, ExportButtons, ReportPanel } from '../../widgets/exports.js';
import { BODY_ADDRESS, type BodyView, pictureCaption, pictureTitle } from '../address.js';
import type { BodyData } from '../data-types.js';
import { bodyTidy } from '../tidy.js';

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
  return (
    <ExportButtons
      what={['body', posture, side, ...(overlaid ? ['overlaid'] : [])]}
      {...{ populations, data }}
      table={() => bodyTidy(populations, data)}
      pictures={[
        {
          svg,
          hasPeople: data.hasBodies,
          texts: () => ({
            title: pictureTitle(view),
            subtitle: pictureCaption(view, arrangementOf(svg())),
            series: data.populations.map(({ label }) => label),
          }),
        },
      ]}
    />
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

interface ReportProps {
  readonly view: BodyView;
  readonly data: BodyData;
}

/** The printed page's text on the people of the picture, and how to print and cite the page. */
export function Report({ view, data }: ReportProps): VNode {
  return (
    <ReportPanel title={pictureTitle(view)} path={addressOf(BODY_ADDRESS, view)} data={data}>
      <p class="on-paper">{peopleSentences(view.populations)}</p>
    </ReportPanel>
  );
}
