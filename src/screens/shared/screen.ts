import type { FastifyInstance } from 'fastify';
import type { ShareContent } from '../../site/share-card.js';
import type { ScreenAddress } from './address-fields.js';
import type { ScreenProblem } from './data-types.js';
import type { FreeComputations, FreeParts } from './free-computations.js';
import type { AddressLimits } from './visitor-limits.js';

/** Dependencies of the screens. */
export interface ScreenNeeds extends Pick<FreeParts, 'model'> {
  readonly free: FreeComputations;
  /** Public URL of the service, such as `https://vitruvia.example`. */
  readonly publicUrl: () => string;
}

/** The data of a screen's first view, or the reason why there are none. */
export type FirstData<Data> = { readonly data: Data } | { readonly problem: ScreenProblem };

/** The values that the page of a screen needs besides its view and data. */
export interface PageContext {
  readonly signedIn: boolean;
  /** Public address of the service. */
  readonly origin: string;
  /** Sentences about the parts of the address that the page cannot show. */
  readonly notices: readonly string[];
}

/**
 * A screen: a page with the data of its first view, `/data` below it with the data of later views, and
 * `/share.png` with a picture. All are free. `src/screens/index.ts` lists the screens.
 */
export interface Screen<View, Data> {
  readonly address: ScreenAddress<View>;
  /** Limits of requests per address. If absent, the limits of free computations apply. */
  readonly limits?: AddressLimits;
  /** Whether a view shows a visitor's own person, so that only the visitor's browser may keep it. By default, none does. */
  isOwn?(view: View): boolean;
  /** @throws Problem of the API */
  dataOf(view: View, needs: ScreenNeeds, left: AbortSignal): Promise<Data>;
  /** What the screen draws of a view that `dataOf` refuses, without numbers. By default, nothing. */
  drawnOf?(view: View, needs: ScreenNeeds, left: AbortSignal): Promise<object>;
  /** The page as HTML text. */
  page(view: View, first: FirstData<Data>, context: PageContext): Promise<string>;
  /** Content of the share image of a view. */
  shared(view: View, data: Data, needs: ScreenNeeds, left: AbortSignal): Promise<ShareContent>;
  /** Registers further routes of the screen. */
  routes?(app: FastifyInstance, needs: ScreenNeeds): void;
}
