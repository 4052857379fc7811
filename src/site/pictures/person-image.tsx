import type { TargetedEvent, VNode } from 'preact';
import type { PageImage } from './addresses.js';

interface PersonImageProps {
  readonly picture: PageImage;
  /** Whether the picture is loaded after the first paint, by `web/start/main.ts`. */
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
      {...{ [isLater === true ? 'data-href' : 'href']: picture.href }}
      x={left}
      y={-top}
      width={right - left}
      height={top - bottom}
      preserveAspectRatio="none"
      {...more}
    />
  );
}
