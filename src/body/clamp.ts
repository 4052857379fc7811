export const clamp = (x: number, least: number, most: number): number =>
  Math.min(Math.max(x, least), most);

/** 0 below 0, 1 above 1, and smooth between. */
export const ramp = (x: number): number => {
  const t = clamp(x, 0, 1);
  return t * t * (3 - 2 * t);
};
