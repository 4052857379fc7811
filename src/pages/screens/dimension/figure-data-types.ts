import type { Figure } from '../../../drawing/marks.js';

/** The picture of one measurement. */
export interface FigureData {
  /** The body of a median person with the line of the measurement; absent if no person can be drawn. */
  readonly figure?: Figure;
  /** Who is drawn, or why nobody is, in sentences. */
  readonly caption: string;
}
