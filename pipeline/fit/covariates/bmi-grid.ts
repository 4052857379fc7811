import { median } from '../../numerics/numbers.js';

/** Values of one country and gender, [age group][year]; undefined where a fit is missing. */
export type BmiGrid = readonly (readonly (number | undefined)[])[];

/** Computes the values that other cells of a grid suggest for one cell. */
type Say = (grid: BmiGrid, group: number, year: number) => readonly number[];

/**
 * A value is an outlier if it is farther from the suggested ones than this many robust standard deviations.
 */
const OUTLIER_SDS = 6;
/** Median absolute deviation of a normal distribution of SD 1. */
const MAD_OF_NORMAL = 0.6745;

/**
 * Suggests the value of the next age group towards the middle. Fits fail among the youngest and the oldest.
 */
const towardsMiddle: Say = (grid, group, year) => {
  const middle = (grid.length - 1) / 2;
  const inner = grid[group + Math.sign(middle - group)]?.[year];
  return inner === undefined ? [] : [inner];
};

/** Returns plus + also − less, or nothing if a value is unknown. */
function sum(plus: number | undefined, also: number | undefined, less: number | undefined) {
  if (plus === undefined || also === undefined || less === undefined) return [];
  return [plus + also - less];
}

const SIDES = [-1, 1] as const;

/**
 * Suggests the middle of the years before and after. It also suggests the value of each neighbouring age
 * group, moved by the difference of the two groups in a neighbouring year.
 */
const between: Say = (grid, group, year) => {
  const at = (g: number, y: number) => grid[g]?.[y];
  const [before, after] = [at(group, year - 1), at(group, year + 1)];
  const said = before === undefined || after === undefined ? [] : [(before + after) / 2];
  for (const step of SIDES) {
    for (const side of SIDES) {
      said.push(
        ...sum(at(group, year + step), at(group + side, year), at(group + side, year + step)),
      );
    }
  }
  return said;
};

/**
 * Suggests the values of `between`, and continues the lines through the two years before and the two years
 * after.
 */
const neighbours: Say = (grid, group, year) => {
  const at = (y: number) => grid[group]?.[y];
  const lines = SIDES.flatMap((step) => sum(at(year + step), at(year + step), at(year + 2 * step)));
  return [...between(grid, group, year), ...lines];
};

const known = (values: readonly (number | undefined)[]): number[] =>
  values.filter((value) => value !== undefined);

/** Suggests the values of the years before and after. */
const nearestYear: Say = (grid, group, year) =>
  known([grid[group]?.[year - 1], grid[group]?.[year + 1]]);

/**
 * Suggests the values of the age groups beside a cell. That is enough where only changes by year matter.
 */
const nearestGroup: Say = (grid, group, year) =>
  known([grid[group - 1]?.[year], grid[group + 1]?.[year]]);

/** Distance of a cell from the median of the suggested values; undefined if there are none. */
function distance(grid: BmiGrid, group: number, year: number, say: Say): number | undefined {
  const value = grid[group]?.[year];
  if (value === undefined) return undefined;
  const said = say(grid, group, year);
  return said.length === 0 ? undefined : value - median(said);
}

/**
 * Removes the outliers of the grids by Hampel's filter (Hampel 1974, JASA 69:383). Each age group has a
 * usual distance from the suggested values. A value is removed if its distance differs from the usual one
 * by many robust standard deviations.
 */
function withoutOutliers(grids: readonly BmiGrid[], say: Say): BmiGrid[] {
  const offs = grids.map((grid) =>
    grid.map((ofGroup, group) => ofGroup.map((_, year) => distance(grid, group, year, say))),
  );
  const bounds = (offs[0] ?? []).map((_, group) => {
    const ofGroup = offs.flatMap((off) => known(off[group] ?? []));
    // The middle age group has no group towards the middle.
    if (ofGroup.length === 0) return { usual: 0, largest: Number.POSITIVE_INFINITY };
    const usual = median(ofGroup);
    const deviation = median(ofGroup.map((value) => Math.abs(value - usual)));
    return { usual, largest: (OUTLIER_SDS * deviation) / MAD_OF_NORMAL };
  });
  return grids.map((grid, i) =>
    grid.map((ofGroup, group) => {
      const { usual, largest } = bounds[group];
      return ofGroup.map((value, year) => {
        const off = offs[i]?.[group]?.[year];
        return off !== undefined && Math.abs(off - usual) > largest ? undefined : value;
      });
    }),
  );
}

/** Fills the empty cells for which other cells suggest values. */
function filled(grid: BmiGrid, say: Say): BmiGrid {
  return grid.map((ofGroup, group) =>
    ofGroup.map((value, year) => {
      if (value !== undefined) return value;
      const said = say(grid, group, year);
      return said.length === 0 ? undefined : median(said);
    }),
  );
}

const gaps = (grid: BmiGrid): number => grid.flat().filter((value) => value === undefined).length;

/**
 * Completes a grid. Cells beside known ones are filled first. Nothing is extrapolated: if neither years nor
 * age groups around a cell are known, the cell gets the value of the nearest year. If there is none, it
 * gets that of the nearest age group.
 *
 * @throws Error for a grid without values
 */
function completed(grid: BmiGrid): number[][] {
  let current = grid;
  for (let left = gaps(current); left > 0; left = gaps(current)) {
    let next = current;
    for (const say of [between, nearestYear, nearestGroup]) {
      next = filled(current, say);
      if (gaps(next) < left) break;
    }
    if (gaps(next) === left) throw new Error('a table of BMI by year is empty');
    current = next;
  }
  return current as number[][];
}

/** Removes outliers, and fills their cells and the gaps from neighbouring cells. */
export function cleaned(grids: readonly BmiGrid[]): number[][][] {
  return withoutOutliers(withoutOutliers(grids, towardsMiddle), neighbours).map(completed);
}
