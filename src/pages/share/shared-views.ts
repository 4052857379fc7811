import { SERVICE_TITLE } from '../../core/version.js';
import { BODY } from '../screens/body/screen.js';
import { SCREENS } from '../screens/index.js';
import { shareImagePath } from '../screens/paths.js';
import type { Screen, ScreenNeeds } from '../screens/shared/screen.js';
import type { ShareContent } from './share-card.js';

/** A kind of share image. */
export interface SharedView {
  readonly path: string;
  /** The canonical query of an address: the same for all addresses with the same image. */
  queryOf(params: URLSearchParams): string;
  /** @throws Problem as the API throws it */
  contentOf(params: URLSearchParams, needs: ScreenNeeds, left: AbortSignal): Promise<ShareContent>;
}

/** The first page: the people of the Body screen. */
const HOME: SharedView = {
  path: shareImagePath('/'),
  queryOf: () => '',
  async contentOf(_, needs, left) {
    const content = await sharedScreen(BODY).contentOf(new URLSearchParams(), needs, left);
    return { ...content, title: SERVICE_TITLE };
  },
};

/** All kinds of share images. */
export const SHARED_VIEWS: readonly SharedView[] = [...SCREENS.map(sharedScreen), HOME];

function sharedScreen<View, Data>({
  address,
  dataOf,
  shared,
}: Pick<Screen<View, Data>, 'address' | 'dataOf' | 'shared'>): SharedView {
  return {
    path: shareImagePath(address.path),
    queryOf: (params) => address.query(address.read(params)),
    async contentOf(params, needs, left) {
      const view = address.read(params);
      return shared(view, await dataOf(view, needs, left));
    },
  };
}
