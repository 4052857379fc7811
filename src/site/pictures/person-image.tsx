import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PagePicture } from './addresses.js';

interface PersonImageProps {
  readonly picture: PagePicture;
  /** Stature, mm. */
  readonly statureMm: number;
  readonly transform?: string;
  readonly class?: string;
}

/** A slim figure that stands where a picture is still to come, in a thousandth of stature, y downwards. */
const WAITING: Readonly<Record<string, string>> = {
  standingFront:
    'M0-990a52 52 0 0 1 0 110a52 52 0 0 1 0-110zM-70-810h140a30 30 0 0 1 30 30l-45 310l-8 440h-30l-32-400l-32 400h-30l-8-440l-45-310a30 30 0 0 1 30-30z',
  standingSide:
    'M20-990a55 55 0 0 1 0 110a55 55 0 0 1 0-110zM-20-810a60 60 0 0 1 60 60l10 300l-20 420h-40l-30-420l-10-300a30 30 0 0 1 30-60z',
};

/**
 * The picture of a person in mm, with the origin of its view at 0. Where a script runs, a figure stands in until the
 * picture is there.
 */
export function PersonImage(props: PersonImageProps): VNode {
  const { picture, statureMm, transform } = props;
  const [left, right, bottom, top] = picture.frame;
  const [shown, setShown] = useState<string>();
  const isWaiting = typeof document === 'object' && shown !== picture.href && !picture.lying;
  const waiting = !isWaiting ? undefined : WAITING[picture.view.replace('relaxed', 'standing')];
  return (
    <g {...(transform === undefined ? {} : { transform })}>
      {waiting === undefined ? null : (
        <path
          data-screen-only
          class="people-waiting"
          d={waiting}
          transform={`scale(${statureMm / 1000})`}
        />
      )}
      <image
        class={props.class ?? 'people-person'}
        href={picture.href}
        x={left}
        y={-top}
        width={right - left}
        height={top - bottom}
        preserveAspectRatio="none"
        onLoad={() => setShown(picture.href)}
        onError={() => setShown(picture.href)}
      />
    </g>
  );
}
