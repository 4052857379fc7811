import { SERVICE_TITLE } from '../../core/version.js';
import type { PredictionModel } from '../../operations/prediction-model.js';
import { bodyQuery, readBodyView } from '../screens/body/address.js';
import { dimensionQuery, readDimensionView } from '../screens/dimension/address.js';
import { fitQuery, readFitView } from '../screens/fit/address.js';
import { SCREEN_PATHS, shareImagePath } from '../screens/paths.js';
import type { FreeComputations } from '../screens/shared/free-computations.js';
import { readSheetView, sheetQuery } from '../screens/sheet/address.js';
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
  path: shareImagePath(SCREEN_PATHS.body),
  queryOf: (params) => bodyQuery(readBodyView(params)),
  contentOf: (params, parts) => people(params, parts),
};

const FIT: SharedView = {
  path: shareImagePath(SCREEN_PATHS.fit),
  queryOf: (params) => fitQuery(readFitView(params)),
  async contentOf(params, { free, model, left }) {
    const view = readFitView(params);
    const { fitDataOf } = await import('../screens/fit/data.js');
    const { sharedFit } = await import('../screens/fit/share-image.js');
    return sharedFit(view, await fitDataOf(view, free, model.artifactVersion, left));
  },
};

const SHEET: SharedView = {
  path: shareImagePath(SCREEN_PATHS.sheet),
  queryOf: (params) => sheetQuery(readSheetView(params)),
  async contentOf(params, { free, model, left }) {
    const view = readSheetView(params);
    const { sheetDataOf } = await import('../screens/sheet/data.js');
    const { sharedSheet } = await import('../screens/sheet/share-image.js');
    return sharedSheet(view, await sheetDataOf(view, free, model.artifactVersion, left));
  },
};

const DIMENSION: SharedView = {
  path: shareImagePath(SCREEN_PATHS.dimension),
  queryOf: (params) => dimensionQuery(readDimensionView(params)),
  async contentOf(params, { model }) {
    const view = readDimensionView(params);
    const { chartDataOf } = await import('../screens/dimension/data.js');
    const { sharedDimension } = await import('../screens/dimension/share-image.js');
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
  const { bodyDataOf } = await import('../screens/body/data.js');
  const { sharedPeople } = await import('../screens/body/share-image.js');
  const data = await bodyDataOf(view, free, model.artifactVersion, left);
  return sharedPeople(view, data, title);
}
