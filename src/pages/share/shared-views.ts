import { bodyQuery, readBodyView } from '../../core/body-view.js';
import { EXPLORER_PATHS, shareImagePath } from '../../core/explorer-paths.js';
import { readView, viewQuery } from '../../core/explorer-view.js';
import { fitQuery, readFitView } from '../../core/fit-view.js';
import { readSheetView, sheetQuery } from '../../core/sheet-view.js';
import { SERVICE_TITLE } from '../../core/version.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import type { FreeComputations } from '../explorer/free-computations.js';
import type { ShareContent } from './share-card.js';

/** What the content of an image is computed with. */
interface ContentParts {
  readonly free: FreeComputations;
  readonly model: PredictionModel;
  readonly left: AbortSignal;
}

/** A kind of share image. */
export interface SharedView {
  readonly path: string;
  /** The canonical query of an address: the same for all addresses with the same image. */
  queryOf(params: URLSearchParams): string;
  /** @throws Problem as the API throws it */
  contentOf(params: URLSearchParams, parts: ContentParts): Promise<ShareContent>;
}

const BODY: SharedView = {
  path: shareImagePath(EXPLORER_PATHS.body),
  queryOf: (params) => bodyQuery(readBodyView(params)),
  contentOf: (params, parts) => people(params, parts),
};

const FIT: SharedView = {
  path: shareImagePath(EXPLORER_PATHS.fit),
  queryOf: (params) => fitQuery(readFitView(params)),
  async contentOf(params, { free, model, left }) {
    const view = readFitView(params);
    const { fitDataOf } = await import('../explorer/fit-data.js');
    const { sharedFit } = await import('./share-fit.js');
    return sharedFit(view, await fitDataOf(view, free, model.artifactVersion, left));
  },
};

const SHEET: SharedView = {
  path: shareImagePath(EXPLORER_PATHS.sheet),
  queryOf: (params) => sheetQuery(readSheetView(params)),
  async contentOf(params, { free, model, left }) {
    const view = readSheetView(params);
    const { sheetDataOf } = await import('../explorer/sheet-data.js');
    const { sharedSheet } = await import('./share-sheet.js');
    return sharedSheet(view, await sheetDataOf(view, free, model.artifactVersion, left));
  },
};

const DIMENSION: SharedView = {
  path: shareImagePath(EXPLORER_PATHS.dimension),
  queryOf: (params) => viewQuery(readView(params)),
  async contentOf(params, { model }) {
    const view = readView(params);
    const { chartDataOf } = await import('../explorer/chart-data.js');
    const { sharedDimension } = await import('./share-dimension.js');
    return sharedDimension(view, chartDataOf(view, model));
  },
};

const HOME: SharedView = {
  path: shareImagePath('/'),
  queryOf: () => '',
  contentOf: (_, parts) => people(new URLSearchParams(), parts, SERVICE_TITLE),
};

/** All kinds of share images. */
export const SHARED_VIEWS: readonly SharedView[] = [BODY, FIT, SHEET, DIMENSION, HOME];

async function people(
  params: URLSearchParams,
  { free, model, left }: ContentParts,
  title?: string,
): Promise<ShareContent> {
  const view = readBodyView(params);
  const { bodyDataOf } = await import('../explorer/body-data.js');
  const { sharedPeople } = await import('./share-people.js');
  const data = await bodyDataOf(view, free, model.artifactVersion, left);
  return sharedPeople(view, data, title);
}
