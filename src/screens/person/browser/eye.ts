/** The viewpoint: the turn about the vertical, the pitch from above, and the zoom. */
export interface Eye {
  /** 0 from the front, 90 from the person's left side. */
  readonly yawDegrees: number;
  /** 0 level, 90 from above. */
  readonly pitchDegrees: number;
  /** 1 shows the whole person. */
  readonly zoom: number;
}

/** The first viewpoint: in front, a little to the side and a little above. */
export const START: Eye = { yawDegrees: 30, pitchDegrees: 8, zoom: 1 };

const PITCH = { least: -20, most: 85 } as const;
const ZOOM = { least: 0.6, most: 6 } as const;

/** The eye after a turn about the vertical, a pitch and a zoom. A zoom above 1 comes nearer. */
export function turned(eye: Eye, yawDegrees: number, pitchDegrees: number, zoom = 1): Eye {
  const yaw = (eye.yawDegrees + yawDegrees) % 360;
  const clamp = (value: number, { least, most }: { least: number; most: number }) =>
    Math.min(most, Math.max(least, value));
  return {
    yawDegrees: yaw < 0 ? yaw + 360 : yaw,
    pitchDegrees: clamp(eye.pitchDegrees + pitchDegrees, PITCH),
    zoom: clamp(eye.zoom * zoom, ZOOM),
  };
}
