import { type BoneSpread, isUnusual, USUAL_SPREADS } from './bone-spreads.js';
import { paragraphs, table, two } from './markdown.js';
import { groupBy } from './metrics.js';

function farthest(cells: readonly BoneSpread[], of: (cell: BoneSpread) => number): string {
  const distance = (cell: BoneSpread): number => Math.abs(Math.log(of(cell)));
  const [worst] = cells.toSorted((a, b) => distance(b) - distance(a));
  return worst === undefined ? '–' : `${two(of(worst))} (${worst.country}, ${worst.gender})`;
}

/** The section on the spreads of bones. */
export function spreadsSection(cells: readonly BoneSpread[]): string {
  const rows = groupBy(cells, ({ measurement }) => measurement).flatMap(([name, members]) => {
    const outside = members.filter(({ ratio }) => isUnusual(ratio));
    const byStudies = members.filter(({ ofStudies }) => isUnusual(ofStudies));
    if (outside.length + byStudies.length === 0) return [];
    return [
      [
        name,
        String(outside.length),
        farthest(members, ({ ratio }) => ratio),
        String(byStudies.length),
        farthest(members, ({ ofStudies }) => ofStudies),
      ],
    ];
  });
  const limits = `${USUAL_SPREADS.least} to ${USUAL_SPREADS.most}`;
  const outside = cells.filter(({ ratio }) => isUnusual(ratio)).length;
  const moved = cells.filter(({ ofStudies }) => isUnusual(ofStudies)).length;
  return paragraphs([
    '## Spreads of bones',
    `The relative spread (P95 − P5) ÷ P50 of bones at 35 years, against that of the United States. Of ${cells.length} cells (dimension, gender, country), ${outside} lie outside ${limits} times the US value. The printed spreads of national studies alone move ${moved} cells so far; the rest is the spread of the country’s stature and BMI. Goal: no region’s spread of a bone moves that far without several surveys that say so.`,
    rows.length === 0
      ? `The farthest cell has ${farthest(cells, ({ ratio }) => ratio)} times the US value.`
      : table(
          ['bone', `cells outside ${limits}`, 'farthest', 'by studies alone', 'farthest'],
          rows,
        ),
  ]);
}
