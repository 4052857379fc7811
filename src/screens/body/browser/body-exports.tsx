import type { VNode } from 'preact';
import { readingOf } from '../../../core/readings.js';
import type { Arrangement } from '../../../site/pictures/people-layout.js';
import { addressOf } from '../../shared/address-fields.js';
import { clothingOf, peopleSentences, populationLabel } from '../../shared/populations.js';
import { TIDY_HEAD } from '../../shared/tidy.js';
import { CallChoice } from '../../widgets/calls.js';
import { ExportButtons } from '../../widgets/export-buttons.js';
import { ReportPanel } from '../../widgets/report-panel.js';
import type { Tidy } from '../../widgets/tables.js';
import { BODY_ADDRESS, type BodyView, pictureCaption, pictureTitle } from '../address.js';
import { BODY_PERCENTILES, type BodyData } from '../data-types.js';

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
      table={() => bodyTidy(view, data)}
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

/** The numbers of the table. Each row has one number and everything that describes it. */
function bodyTidy(view: BodyView, data: BodyData): Tidy {
  const rows = data.populations.flatMap(({ rows: dimensions = [] }, index) => {
    const population = view.populations[index];
    if (population === undefined) return [];
    const { gender, countries, ageMin, ageMax } = population;
    return dimensions.flatMap(({ measurement, meanMm, sdMm, valuesMm, evidence }) => {
      const numbers: readonly (readonly [string, number | '', number])[] = [
        ...valuesMm.map((mm, at) => ['percentile', BODY_PERCENTILES[at] ?? '', mm] as const),
        ['mean', '', meanMm],
        ['standard deviation', '', sdMm],
        ...(evidence === undefined
          ? []
          : [['half 90 % interval of the median', 50, evidence.errorMm] as const]),
      ];
      return numbers.map(([statistic, percentile, value]) => [
        ...[
          measurement,
          populationLabel(population),
          gender ?? 'Both',
          countries.join(' '),
          ageMin,
          ageMax,
          clothingOf(population),
        ],
        ...['standing_erect', statistic, percentile, value, 'mm'],
        ...[readingOf(measurement), evidence?.grade ?? '', evidence?.basis ?? ''],
        data.artifactVersion,
      ]);
    });
  });
  return { head: TIDY_HEAD, rows };
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
