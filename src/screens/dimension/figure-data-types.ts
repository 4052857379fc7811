import type { PagePicture } from '../../site/pictures/addresses.js';

/** The picture of one measurement. */
export interface FigureData {
  /** A median person with the line of the measurement; absent if no person can be drawn. */
  readonly picture?: PagePicture;
  /** Sentence that says who is drawn, or why no person is drawn. */
  readonly caption: string;
  /** The drawn person in words. */
  readonly who?: string;
}
