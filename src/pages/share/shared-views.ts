import { SERVICE_TITLE } from '../../core/version.js';
import { BODY } from '../../screens/body/screen.js';
import { SCREENS } from '../../screens/index.js';
import type { Screen, ScreenNeeds } from '../../screens/shared/screen.js';
import { shareImagePath } from '../../site/paths.js';
import type { ShareContent } from '../../site/share-card.js';

/** A kind of share image. */
export interface SharedView {
  readonly path: string;
  /** The canonical form of a query. All addresses with the same image have the same form. */
  canonical(query: string): string;
  /** @throws Problem of the API */
  contentOf(query: string, needs: ScreenNeeds, left: AbortSignal): Promise<ShareContent>;
}

/** The first page: the people of the Body screen. */
const HOME: SharedView = {
  path: shareImagePath('/'),
  canonical: () => '',
  async contentOf(_, needs, left) {
    const content = await sharedScreen(BODY).contentOf('', needs, left);
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
    canonical: (query) => address.query(address.read(query)),
    async contentOf(query, needs, left) {
      const view = address.read(query);
      return shared(view, await dataOf(view, needs, left), needs, left);
    },
  };
}
