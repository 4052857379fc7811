import type { FastifyInstance } from 'fastify';
import type { ComponentChildren } from 'preact';
import type { ScreenId } from '../../site/paths.js';
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

/** What a screen says on its page, besides what all screens have. */
export interface PageContent<Data> {
  /** Title of the browser's tab. By default, that of the address. */
  readonly title?: string;
  /** The first heading; empty if the content has it. By default, the question of the screen. */
  readonly heading?: string;
  /** Name of the script, if the screen has several. */
  readonly entry?: string;
  /** Text that other sites show when someone shares the page. By default, the title of the address. */
  readonly sharedAs?: string;
  readonly description: string;
  /** Id and class of the element that the script fills. */
  readonly place: string;
  /** Says what the screen shows of the populations, as its population bar does. */
  readonly note?: string | undefined;
  /** The age of the people, on a screen that shows a single one. */
  readonly age?: number;
  /** What the page shows until its script has come, and without it. The answer comes first. */
  numbers(data: Data): ComponentChildren;
  /** What browsers without JavaScript show below. */
  readonly plain: {
    /** Says what needs JavaScript. */
    readonly text: string;
    /** A picture that the script draws otherwise. */
    picture?(data: Data): ComponentChildren;
    /** What is shown of a refused view, besides the reason. */
    refused?(problem: ScreenProblem): ComponentChildren;
    /** The fields of the form. */
    readonly form: ComponentChildren;
    /** What follows the form. */
    readonly more?: ComponentChildren;
  };
}

/** How a screen answers. A service loads it with the first request. */
export interface ScreenPage<View, Data> {
  /** @throws Problem of the API */
  dataOf(view: View, needs: ScreenNeeds, left: AbortSignal): Promise<Data>;
  /** What the screen draws of a view that `dataOf` refuses, without numbers. By default, nothing. */
  drawnOf?(view: View, needs: ScreenNeeds, left: AbortSignal): Promise<object>;
  /** @param origin public address of the service */
  content(view: View, first: FirstData<Data>, origin: string): PageContent<Data>;
  /** Content of the share image of a view. */
  shared(
    view: View,
    data: Data,
    needs: ScreenNeeds,
    left: AbortSignal,
  ): ShareContent | Promise<ShareContent>;
}

/**
 * A screen: a page with the data of its first view, `/data` below it with the data of later views, and
 * `/share.png`, `/share.svg` and `/scene.svg` with a picture. All are free. `src/screens/index.ts` lists the screens.
 */
export interface Screen<View, Data> {
  readonly id: ScreenId;
  readonly address: ScreenAddress<View>;
  page(): Promise<ScreenPage<View, Data>>;
  /** Limits of requests per address. If absent, the limits of free computations apply. */
  readonly limits?: AddressLimits;
  /** Registers further routes of the screen. */
  routes?(app: FastifyInstance, needs: ScreenNeeds): void;
}
