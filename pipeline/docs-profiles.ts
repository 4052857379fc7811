import { GENDERS, type PerGender, perGender } from '../src/core/genders.js';
import { MEASUREMENTS, type Measurement } from '../src/core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../src/core/profiles.js';
import { fitHeightLoss } from './fit/covariates/height-loss.js';
import { fitUsCovariates } from './fit/covariates/us-covariates.js';
import { type Allowance, keyOf, ProfileAllowances, type Shares } from './fit/profiles.js';
import { UNTOUCHED_BY_CLOTHING, UNUSED_ALLOWANCES } from './plans/untouched.js';
import type { CellValue } from './raw-tables/raw-tables.js';
import type { SourceTables } from './raw-tables/source-tables.js';

type ByGender = PerGender<ProfileAllowances>;

const WORN = CLOTHING_IDS.filter((id) => id !== 'nude');
const HELD = POSTURE_IDS.filter((id) => id !== 'standing_erect');
const PROFILES = [
  ...WORN.map((id) => ['clothing', id] as const),
  ...HELD.map((id) => ['posture', id] as const),
];

const INTRODUCTION = `# Clothing and posture

The table gives shift ± added SD in mm at the reference stature: the median of US adults of 35 years, by gender. A look-up
multiplies both by the median stature of the population asked for ÷ the reference. A cell gives men / women where they differ;
\`·\` means no change, \`—\` no model (decision 0004). The last column gives the numbers of the published rows, which are listed below.

## How rows become shifts

- A dimension that is a sum or another name of others (\`/docs/sources\`) takes the rows of its parts, with their signs.
  For example, LegLength gains the sole and loses the clothing under the buttocks. A formula with sitting parts does not apply to a
  standing posture, nor one with standing parts to sitting.
- A person has one value of a published row, so the shoe cancels in the difference of Stature and LegLength. Different rows are
  independent of each other and of the body. A printed range counts as uniform (SD = width ÷ √12). A single figure, or "up to",
  adds no spread. Correlations between dimensions are those of the nude body.
- **Shoes**, **heels** and **boots** raise all dimensions measured from the floor. \`shoes\` is a flat everyday shoe of 25 to 30 mm for
  everybody, \`heels\` the 40 to 50 mm that Chan gives for women's shoes, for women and men, \`winter\` a boot of 35 mm.
- **Children** have thinner soles. The figures shrink with the median stature: 13 mm at 2 years, 17 mm at 5, 20 mm at 8 and 24 mm at 12.
  So the shoes stay within what is sold: a technical regulation allows heels of 5 mm at 1 to 3 years, 10 mm to 7 and 20 mm to 12.
  The same limit is why heels begin at 12 years.
- **Light** clothing adds the rows of Handbuch der Ergonomie (by KAN-Praxis) and of Chan to the dimensions they name, and to
  similar ones: covered depths, the back of the elbow, and the top of the shoulder. All other dimensions follow Chan's "nothing to
  add indoors". The two sources differ by 5 mm.
- **Winter** clothing puts one layer of 10 mm under the buttocks, which raises every height above the seat, and TrunkLength. Depths
  take the "up to 40" in full, because it equals the 40 mm read for clearance breadths; Chan prints it for the chest, and that
  the abdomen has it too is our own assumption. KAN-Praxis's 8–10 mm for heavy clothing are for indoor work and are used only for
  lengths.
- **Our own assumptions** are also what shoes add to the length of the foot, and winter clothes to \`ButtockKneeLength\`. They follow
  Pheasant's Bodyspace, which was not read; other figures that are said to be his agree with what Chan prints.
- **Girths** of the trunk grow by π × the mean growth of the breadth and the depth at the same place.
- **Posture** changes heights on the trunk. The head moves with the seventh cervical vertebra (C7) and loses the whole figure. A
  landmark below C7 loses its share: its height above the seat ÷ that of C7 (means of ANSUR 1988, by gender), as if the trunk tilted
  in one piece. The shoulder loses 35 of 40 mm. An arm that hangs moves with the shoulder, so the elbow also loses 35 mm, unless the
  arm is held forward or rests on a support. Legs and head keep their size. Breadths, depths, girths and surface lengths have no
  published figure for a slump and stay unchanged.
- **Relaxed standing** lowers the head by 1–1.5 % of stature; lower landmarks take their share in the same way.
- A check of the slump that was not fitted: in the US survey of 1960–62 (\`data/raw/world\`) the normal sitting height is 37 and 41 mm
  lower than the erect one in two samples of men, and 30 mm lower in one of women. So 40 mm suits men, and is about 10 mm too much
  for women.
`;

function referenceStatures(tables: SourceTables): PerGender<number> {
  const covariates = fitUsCovariates(tables, fitHeightLoss(tables));
  return perGender((gender) => Math.exp(covariates(gender, 35).lnStature));
}

const mm = (value: number) => String(Number(value.toFixed(1)));

function amountText({ shift, sd }: Allowance): string {
  if (Math.abs(shift) < 0.05 && sd < 0.05) return '·';
  const text = `${shift > 0 ? '+' : ''}${mm(shift)}`.replace('-', '−');
  return sd < 0.05 ? text : `${text} ± ${mm(sd)}`;
}

/** Returns the text of `/docs/clothing-and-posture`. */
export function profilesPage(sources: SourceTables): string {
  const statureMm = referenceStatures(sources);
  const allowances = perGender(
    (gender) => new ProfileAllowances(sources, gender, statureMm[gender]),
  );
  const numbers = new Map(sources.allowances.map((row, i) => [rowKey(row), i + 1]));
  const used = new Set<string>();
  const table = MEASUREMENTS.map((dimension) => dimensionRow(dimension, allowances, numbers, used));
  const header = ['dimension', ...PROFILES.map(([, id]) => `\`${id}\``), 'rows'];
  return [
    INTRODUCTION,
    '## Dimensions that clothing does not change\n',
    ...UNTOUCHED_BY_CLOTHING.map(({ why, names }) => `- ${why}: ${names.join(', ')}.`),
    `\n## Dimensions\n\n| ${header.join(' | ')} |\n|${'---|'.repeat(header.length)}`,
    ...table,
    `\n## Published rows\n\n| | kind | condition | dimensions | men | women | source | read | used |\n|${'---|'.repeat(9)}`,
    ...sources.allowances.map((row, i) => allowanceRow(row, i + 1, used)),
    '',
  ].join('\n');
}

/** Returns the table row of one dimension, and adds the keys of its published rows to `used`. */
function dimensionRow(
  { name, genders, postures }: Measurement,
  allowances: ByGender,
  numbers: ReadonlyMap<string, number>,
  used: Set<string>,
): string {
  const rows = new Set<number>();
  const cells = PROFILES.map(([kind, id]) => {
    if (kind === 'posture' && !postures.includes(id)) return '—';
    const texts = GENDERS.filter((gender) => genders.includes(gender)).map((gender) => {
      const shares: Shares = allowances[gender][kind](name, id);
      for (const key of shares.keys()) {
        rows.add(numbers.get(`${kind}|${key}`) as number);
        used.add(`${kind}|${key}`);
      }
      return amountText(allowances[gender].amount(kind, shares));
    });
    return [...new Set(texts)].join(' / ');
  });
  const numbered = [...rows].sort((a, b) => a - b).join(', ');
  return `| ${[name, ...cells, numbered].join(' | ')} |`;
}

const rowKey = (row: Record<string, CellValue>) =>
  `${row.kind}|${keyOf({ condition: String(row.condition), dimensions: String(row.dimensions) })}`;

function allowanceRow(row: Record<string, CellValue>, number: number, used: Set<string>): string {
  const key = rowKey(row);
  const left = UNUSED_ALLOWANCES.find((unused) => key.endsWith(`|${keyOf(unused)}`));
  const use = used.has(key) ? 'yes' : `no: ${left?.why}`;
  const read = row.trust === 'low' ? '**no: our own assumption**' : 'read';
  const texts = [row.kind, row.condition, row.dimensions, row.male, row.female, row.citation];
  return `| ${[number, ...texts, read, use].join(' | ')} |`;
}
