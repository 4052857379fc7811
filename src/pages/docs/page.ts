import { isTemporary, Problem } from '../../core/errors.js';
import type { Operation } from '../../operations/operation.js';
import type { PredictionModel } from '../../operations/prediction-model.js';

/** The values that the text of a page depends on. */
export interface PageContext {
  readonly model: PredictionModel;
  /**
   * The answer of an operation, computed beside the loop and kept on disk.
   *
   * @throws Problem
   */
  readonly answer: (operation: Operation, request: object) => Promise<object>;
  /** Says that the text lacks an answer for now. */
  readonly lacks?: () => void;
  /** Public URL of the service, such as `https://vitruvia.example`. */
  readonly origin: string;
  /** Requests that a key may make in 60 seconds. */
  readonly rateLimitMax: number;
  /** Whether examples cut long lists of values and have the languages of the clients left out. */
  readonly isShort?: boolean;
}

/** One page of the documentation. */
export interface DocsPage {
  readonly path: string;
  readonly title: string;
  /** One sentence for search engines. */
  readonly summary: string;
  /** The file of the project that has the text, if there is one. */
  readonly file?: string;
  /** The text in Markdown, without its title. */
  readonly text: (context: PageContext) => string | Promise<string>;
  /** Whether a page with several sections starts with a list of them. The default is true. */
  readonly contents?: boolean;
  /** Whether wide screens show the first two sections beside each other. */
  readonly isSideBySide?: boolean;
}

/** A group of pages in the navigation. */
export interface DocsGroup {
  readonly title: string;
  readonly pages: readonly DocsPage[];
  /** Links that the navigation shows before the pages. */
  readonly links?: readonly { readonly path: string; readonly title: string }[];
}

/** The same values. `told` is called when the text lacks an answer for now, because such a text must not be kept. */
export function tellingBusy(context: PageContext, told: () => void): PageContext {
  return {
    ...context,
    lacks: told,
    answer: (operation, request) =>
      context.answer(operation, request).catch((error: unknown) => {
        if (error instanceof Problem && isTemporary(error.code)) told();
        throw error;
      }),
  };
}
