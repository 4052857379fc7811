import { GENDERS, type Gender } from '../src/core/genders.js';
import { MEASUREMENTS, type Measurement } from '../src/core/measurements.js';
import { CLOTHING_IDS, POSTURE_IDS } from '../src/core/profiles.js';
import { fitHeightLoss } from './fit/height-loss.js';
import {
  type Allowance,
  keyOf,
  ProfileAllowances,
  readProfileSources,
  type Shares,
} from './fit/profiles.js';
import { fitUsDrivers } from './fit/us-drivers.js';
import { UNTOUCHED_BY_CLOTHING, UNUSED_ALLOWANCES } from './model/untouched.js';
import { type Cell, RawTables } from './tables/database.js';
import { readSurvey } from './tables/surveys.js';

type Kind = 'clothing' | 'posture';
type ByGender = Record<Gender, ProfileAllowances>;

const WORN = CLOTHING_IDS.filter((id) => id !== 'nude');
const HELD = POSTURE_IDS.filter((id) => id !== 'standing_erect');
const PROFILES = [
  ...WORN.map((id) => ['clothing', id] as const),
  ...HELD.map((id) => ['posture', id] as const),
];

const INTRODUCTION = `# Clothing and posture

Made by \`npm run docs\` from \`data/raw/allowances\`, \`pipeline/model/profile-rules.ts\` and \`untouched.ts\`; do not edit.

Shift ± added SD in mm, at the reference stature (the median US adult of 35, by gender); at look-up both are multiplied by the
median stature of the population asked for ÷ the reference. Men / women where they differ; \`·\` is no change, \`—\` no model
(decision 0004). The last column names the published rows by their number below.

## How rows become shifts

- A dimension that is a sum or another name of others (\`docs/measurements.md\`) takes its parts' rows, with their signs, so that
  Stature = SittingHeight + LegLength, LegRoom = ButtockKneeLength − AbdominalDepth and the design names hold in every profile. So
  LegLength gains the sole and loses what is under the buttocks. A formula of sitting parts says nothing of a standing posture, and the reverse.
- One published row is one draw a person: it is the same shoe in Stature and in LegLength, and cancels in their difference. Different rows
  are independent, and all are independent of the body. A printed range is read as uniform (SD = width ÷ √12); a single figure, or "up to", adds no
  spread. Correlations between dimensions are those of the bare body.
- **Shoes** and **boots** raise all that is measured from the floor. Women's 40–50 mm is a heeled street shoe; flat ones add 20–29 (rows not used).
- **Light** clothing adds what the rows of Handbuch der Ergonomie (by KAN-Praxis) and Chan name, and to near dimensions of the same kind: covered depths, the
  back of the elbow, the top of the shoulder (so ShoulderHeight moves with SittingShoulderHeight). Chan's "nothing to add indoors" stands for the rest;
  the two sources differ by 5 mm.
- **Winter**: 10 mm are read for SittingShoulderHeight and recalled for SittingHeight: one layer under the buttocks, which raises
  every height above the seat, TrunkLength too. Depths take the recalled "up to 40" in full: it equals the 40 read for breadths of clearance, 20 a side.
  KAN-Praxis's 8–10 for heavy clothing, of indoor work, is used only for lengths. ButtockKneeLength has no heavier row than the one for medium clothing.
- **Girths** of the trunk grow by π × the mean of what the breadth and the depth there grow by.
- **Posture** changes heights on the trunk. The head rides on the seventh cervical vertebra and loses all; a landmark below loses the share of its height
  above the seat in C7's (means of ANSUR 1988, by gender), as if the trunk tilted as one; a bend would spare the lower ones more. The
  shoulder loses 35 of 40, within the "up to 40" published for it. An arm that hangs moves with the shoulder, for the humerus keeps its length: so
  the elbow loses the shoulder's 35 too, not 14 as its own height would have it, unless the arm is put forward or on a rest. Legs and head keep their
  size; breadths, depths, girths and surface lengths have no published figure for a slump and keep theirs, though bellies do deepen.
- Relaxed standing: 1–1.5 % of stature at the head, shared out in the same way. Read literally ("stature-dependent heights") the fingertip would lose 8 mm
  and the arm grow shorter by 10.
- Check of the slump, not fitted: the US survey of 1960–62 (\`data/raw/world\`) has normal against erect sitting height, 37 and 41 mm lower in
  two samples of men and 30 in one of women. So 40 suits men and is some 10 too much for women.
`;

async function referenceStatures(tables: RawTables): Promise<Record<Gender, number>> {
  const nhanes = await readSurvey(tables, 'nhanes');
  const drivers = await fitUsDrivers(tables, nhanes, await fitHeightLoss(tables));
  const at = (gender: Gender) => Math.exp(drivers(gender, 35).lnStature);
  return { Male: at('Male'), Female: at('Female') };
}

const mm = (value: number) => String(Number(value.toFixed(1)));

function amountText({ shift, sd }: Allowance): string {
  if (Math.abs(shift) < 0.05 && sd < 0.05) return '·';
  const text = `${shift > 0 ? '+' : ''}${mm(shift)}`.replace('-', '−');
  return sd < 0.05 ? text : `${text} ± ${mm(sd)}`;
}

/** The text of `docs/clothing-and-posture.md`; reads `data/raw`. */
export async function profilesPage(rawDir: string): Promise<string> {
  const tables = await RawTables.open(rawDir, []);
  try {
    const sources = await readProfileSources(tables);
    const statureMm = await referenceStatures(tables);
    const of = (gender: Gender) => new ProfileAllowances(sources, gender, statureMm[gender]);
    const allowances = { Male: of('Male'), Female: of('Female') };
    const numbers = new Map(sources.rows.map((row, i) => [rowKey(row), i + 1]));
    const used = new Set<string>();
    const table = MEASUREMENTS.map((dimension) =>
      dimensionRow(dimension, allowances, numbers, used),
    );
    const header = ['dimension', ...PROFILES.map(([, id]) => `\`${id}\``), 'rows'];
    return [
      INTRODUCTION,
      '## Left alone by clothing\n',
      ...UNTOUCHED_BY_CLOTHING.map(({ why, names }) => `- ${why}: ${names.join(', ')}.`),
      `\n## Dimensions\n\n| ${header.join(' | ')} |\n|${'---|'.repeat(header.length)}`,
      ...table,
      `\n## Published rows\n\n| | kind | condition | dimensions | men | women | source | read | used |\n|${'---|'.repeat(9)}`,
      ...sources.rows.map((row, i) => allowanceRow(row, i + 1, used)),
      '',
    ].join('\n');
  } finally {
    tables.close();
  }
}

/** Row of one dimension; adds the keys of the published rows it rests on to `used`. */
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

const rowKey = (row: Record<string, Cell>, kind = row.kind as Kind) =>
  `${kind}|${keyOf({ condition: String(row.condition), dimensions: String(row.dimensions) })}`;

function allowanceRow(row: Record<string, Cell>, number: number, used: Set<string>): string {
  const key = rowKey(row);
  const left = UNUSED_ALLOWANCES.find((unused) => key.endsWith(`|${keyOf(unused)}`));
  const use = used.has(key) ? 'yes' : `no: ${left?.why}`;
  const read = row.trust === 'low' ? '**recalled**' : 'read';
  const texts = [row.kind, row.condition, row.dimensions, row.male, row.female, row.citation];
  return `| ${[number, ...texts, read, use].join(' | ')} |`;
}
