import type { ComponentChildren, VNode } from 'preact';
import type { SavedPicture } from './save-file.js';
import type { Tidy } from './tables.js';

interface ExportButtonsProps {
  readonly table: { readonly name: string; content(): Pick<Tidy, 'head' | 'rows'> };
  readonly pictures: readonly SavedPicture[];
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** What writes files. Its code is loaded at the first use. */
const writer = () => import('./save-file.js');

/** Buttons that save the table of a screen as CSV and its pictures as SVG and PNG. */
export function ExportButtons({ table, pictures, children }: ExportButtonsProps): VNode {
  const onCsv = async () => (await writer()).saveTable(table.content(), `${table.name}.csv`);
  return (
    <div class="exports">
      <span class="label">Export</span>
      <button type="button" onClick={onCsv}>
        CSV
      </button>
      {pictures.flatMap((picture) =>
        (['SVG', 'PNG', ...(picture.hasPeople === true ? (['DXF'] as const) : [])] as const).map(
          (format) => (
            <button
              key={picture.name + format}
              type="button"
              onClick={async () => (await writer()).savePicture(picture, format)}
            >
              {picture.label === undefined ? format : `${picture.label} ${format}`}
            </button>
          ),
        ),
      )}
      {children}
    </div>
  );
}
