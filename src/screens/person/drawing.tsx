import type { VNode } from 'preact';
import type { PagePicture } from '../../site/pictures/addresses.js';
import { FILES_FROM_YEARS } from './address.js';

/** Why people under `FILES_FROM_YEARS` are not turned around. */
export const LYING_TEXT = `People of 0 years lie, as they are measured, and are drawn from one side. Bodies to turn around stand or sit; they and their files begin at ${FILES_FROM_YEARS} completed year.`;

interface PersonDrawingProps {
  readonly picture: PagePicture;
  readonly label: string;
}

/** A picture of a person from one side, for browsers without scripts or without three dimensions. */
export function PersonDrawing({ picture, label }: PersonDrawingProps): VNode {
  const [left, right, bottom, top] = picture.frame;
  return (
    <img
      class="figure person-drawing"
      src={picture.href}
      width={right - left}
      height={top - bottom}
      alt={label}
    />
  );
}
