import type { ComponentChildren, VNode } from 'preact';
import { dxfOf } from './dxf.js';
import { csvOf, download, type Picture, type PictureTexts, pngOf, svgOf } from './export.js';
import type { Tidy } from './tables.js';

/** A picture of a screen that can be saved. */
export interface SavedPicture {
  /** Label of the picture, if the screen has several pictures. */
  readonly label?: string;
  /** Name of the file without its extension. */
  readonly name: string;
  /** The drawn picture; null or undefined while the screen does not show it. */
  svg(): SVGSVGElement | null | undefined;
  texts(drawn: SVGSVGElement): PictureTexts;
  /** Whether people are in the picture, whose silhouettes CAD programs can read. */
  readonly hasPeople?: boolean;
}

interface ExportButtonsProps {
  readonly table: { readonly name: string; content(): Pick<Tidy, 'head' | 'rows'> };
  readonly pictures: readonly SavedPicture[];
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** Buttons that save the table of a screen as CSV and its pictures as SVG and PNG. */
export function ExportButtons({ table, pictures, children }: ExportButtonsProps): VNode {
  const onCsv = () =>
    download(new Blob([csvOf(table.content())], { type: 'text/csv' }), `${table.name}.csv`);
  return (
    <div class="exports">
      <span class="label">Export</span>
      <button type="button" onClick={onCsv}>
        CSV
      </button>
      {pictures.flatMap((picture) =>
        (['SVG', 'PNG', ...(picture.hasPeople === true ? (['DXF'] as const) : [])] as const).map(
          (format) => (
            <button key={picture.name + format} type="button" onClick={() => save(picture, format)}>
              {picture.label === undefined ? format : `${picture.label} ${format}`}
            </button>
          ),
        ),
      )}
      {children}
    </div>
  );
}

async function save(
  { svg, name, texts }: SavedPicture,
  format: 'SVG' | 'PNG' | 'DXF',
): Promise<void> {
  const drawn = svg();
  if (drawn == null) return;
  const content =
    format === 'DXF' ? await dxfOf(drawn) : await pictureFile(drawn, texts(drawn), format);
  if (content !== undefined) download(content, `${name}.${format.toLowerCase()}`);
}

async function pictureFile(
  drawn: SVGSVGElement,
  texts: PictureTexts,
  format: 'SVG' | 'PNG',
): Promise<Blob> {
  const picture: Picture = await svgOf(drawn, texts);
  return format === 'PNG' ? pngOf(picture) : new Blob([picture.svg], { type: 'image/svg+xml' });
}
