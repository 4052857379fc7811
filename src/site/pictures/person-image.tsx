import type { TargetedEvent, VNode } from 'preact';
import type { PageImage } from './addresses.js';

interface PersonImageProps {
  readonly picture: PageImage;
  /** Whether the script of the page loads the picture, so that numbers are painted before. */
  readonly isLater?: boolean | undefined;
  readonly transform?: string;
  readonly class?: string;
  readonly onLoad?: (event: TargetedEvent<SVGImageElement>) => void;
}

/** The picture of a person in mm, with the origin of its view at 0. */
export function PersonImage({ picture, isLater, class: name, ...more }: PersonImageProps): VNode {
  const [left, right, bottom, top] = picture.frame;
  return (
    <image
      class={name ?? 'people-person'}
      href={isLater === true ? undefined : picture.href}
      x={left}
      y={-top}
      width={right - left}
      height={top - bottom}
      preserveAspectRatio="none"
      {...more}
    />
  );
}
