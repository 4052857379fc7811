import type { PredictionModel } from '../../operations/prediction-model.js';

/** What a page is written with. */
export interface PageContext {
  readonly model: PredictionModel;
  /** Where the service is reached, as `https://vitruvia.example`. */
  readonly origin: string;
  /** Requests a key may make in 60 seconds. */
  readonly rateLimitMax: number;
}

/** One page of the documentation. */
export interface DocsPage {
  readonly path: string;
  readonly title: string;
  /** One sentence for search engines. */
  readonly summary: string;
  /** The text in Markdown, without its title. */
  readonly text: (context: PageContext) => string;
  /** Whether the page lists its sections first; it does when there are several. */
  readonly contents?: boolean;
}

/** Pages that stand together in the navigation. */
export interface DocsGroup {
  readonly title: string;
  readonly pages: readonly DocsPage[];
}
