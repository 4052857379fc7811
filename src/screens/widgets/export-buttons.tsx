import type { VNode } from 'preact';
import type { ChosenPopulation } from '../shared/populations.js';
import type { ScreenPicture } from './export.js';
import { fileNameOf } from './file-name.js';
import { ShareButton } from './share-button.js';
import type { Tidy } from './tables.js';

interface ExportButtonsProps {
  /** What the screen shows, for the names of files. */
  readonly what: readonly string[];
  /** The people, for the names of files; undefined if `what` says who they are. */
  readonly populations?: readonly ChosenPopulation[];
  readonly data: { readonly artifactVersion: string };
  table(): Pick<Tidy, 'head' | 'rows'>;
  readonly pictures: readonly ScreenPicture[];
  /** Path and query that the files name. By default, those of the page. */
  readonly path?: string;
}

/** What writes files. Its code is loaded at the first use. */
const writer = () => import('./save-file.js');

/** Buttons that save the table of a screen as CSV and its pictures as SVG, PNG and DXF, and one that copies the address. */
export function ExportButtons(props: ExportButtonsProps): VNode {
  const { what, populations = [], data, table, pictures, path } = props;
  const { artifactVersion } = data;
  const nameOf = (more: readonly string[] = []) =>
    fileNameOf([...what, ...more], populations, artifactVersion);
  const source = () => {
    const address = path === undefined ? location.href : location.origin + path;
    return `Vitruvia, data ${artifactVersion}. ${address}`;
  };
  const onCsv = async () => (await writer()).saveTable(table(), `${nameOf()}.csv`);
  return (
    <div class="exports">
      <span class="label">Export</span>
      <button type="button" onClick={onCsv}>
        CSV
      </button>
      {pictures.flatMap(({ label, what: more, svg, texts, hasPeople }) =>
        (['SVG', 'PNG', ...(hasPeople === true ? (['DXF'] as const) : [])] as const).map(
          (format) => (
            <button
              key={`${label} ${format}`}
              type="button"
              onClick={async () =>
                (await writer()).savePicture(
                  {
                    ...{ svg, name: nameOf(more) },
                    texts: (drawn) => ({ source: source(), ...texts(drawn) }),
                  },
                  format,
                )
              }
            >
              {label === undefined ? format : `${label} ${format}`}
            </button>
          ),
        ),
      )}
      <ShareButton />
    </div>
  );
}
