import type { Figure } from '../../../render/marks.js';

/** The picture of one measurement. */
export interface FigureData {
  /** The body of a median person with the line of the measurement; absent if no person can be drawn. */
  readonly figure?: Figure;
  /** Sentences that say who is drawn, or why no person is drawn. */
  readonly caption: string;
}
