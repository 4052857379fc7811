import type { VNode } from 'preact';
import type { PagePicture } from '../../site/pictures/addresses.js';

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
