import type { VNode } from 'preact';
import { clothingIn, type FitView } from '../../src/core/fit-view.js';
import type { FitData } from '../../src/pages/explorer/fit-data-types.js';
import { csvOf, download } from '../explore/export.js';
import { fileNameOf } from '../populations/file-name.js';
import { fitTable } from './fit-table.js';

/** Exports of the numbers of the screen. */
export function FitExports(props: { readonly view: FitView; readonly data: FitData }): VNode {
  const { view, data } = props;
  const save = () => {
    const name = fileNameOf(['fit', view.product], view.populations, data.artifactVersion);
    const csv = csvOf(fitTable(view, data, location.origin, (one) => clothingIn(view, one)));
    download(new Blob([csv], { type: 'text/csv' }), `${name}.csv`);
  };
  return (
    <div class="exports">
      <span class="label">Export</span>
      <button type="button" onClick={save}>
        CSV
      </button>
    </div>
  );
}
