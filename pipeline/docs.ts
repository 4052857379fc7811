import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COUNTRIES } from '../src/core/countries.js';
import { MEASUREMENTS, type MeasurementName } from '../src/core/measurements.js';
import { levelFigures } from './docs-levels.js';
import { modelFigures, withWorkedExample } from './docs-model.js';
import { fitModel } from './fit/fit-model.js';
import { fitReach } from './fit/reach.js';
import { dimensionsOf } from './import/dimensions.js';
import { DIMENSION_PLAN, PROXY_READINGS } from './plans/dimension-plan.js';
import { SKEWED_SUMS } from './plans/joint-plan.js';
import type { Basis, DimensionPlan } from './plans/plan.js';
import { RawTables } from './raw-tables/raw-tables.js';
import type { Rows } from './raw-tables/source-tables.js';

const EXPRESSIONS = {
  ansur1: new Map(dimensionsOf('ansur1')),
  ansur2: new Map(dimensionsOf('ansur2')),
};
const SURVEY_NAMES = { ansur1: 'ANSUR 1988', ansur2: 'ANSUR II' };

function basisText(name: MeasurementName, basis: Basis): string {
  switch (basis.kind) {
    case 'alias':
      return `same dimension as ${basis.of}`;
    case 'survey': {
      const sql = EXPRESSIONS[basis.survey].get(name);
      const expression = sql?.replaceAll('|', '\\|');
      return `${SURVEY_NAMES[basis.survey]}: ${expression === undefined ? name : `\`${expression}\``}`;
    }
    case 'headboard':
      return `ANSUR 1988 headboard \`${basis.dimension}\`; slopes of ${basis.like}`;
    case 'published':
      return `published mean and SD (${basis.citation}); slopes of ${basis.like}`;
    case 'ratio': {
      const { Male, Female } = basis.ratio;
      const factor = Male === Female ? `${Male}` : `${Male} (men), ${Female} (women)`;
      return `${factor} × ${basis.of} (${basis.citation})`;
    }
  }
}

/** Says how directly surveys measured a dimension: `direct`, `derived`, `ratio` or `proxy`. */
function qualityOf(name: MeasurementName, { basis }: DimensionPlan): string {
  if (PROXY_READINGS.has(name)) return 'proxy';
  if (basis.kind === 'alias') return qualityOf(basis.of, DIMENSION_PLAN[basis.of]);
  if (basis.kind === 'ratio') return 'ratio';
  if (basis.kind !== 'survey') return 'direct';
  const sql = EXPRESSIONS[basis.survey].get(name) ?? '';
  return /^\w+$/.test(sql) ? 'direct' : 'derived';
}

function childText(name: MeasurementName): string {
  const { childhood, identity, basis } = DIMENSION_PLAN[name];
  if (identity !== undefined) {
    return SKEWED_SUMS.has(name) ? `in every person ${identity}` : `median = ${identity}`;
  }
  if (childhood?.kind === 'snyder') {
    if (childhood.variable !== undefined) return `grows as ${childhood.variable} in Snyder 1977`;
    return childhood.offset === 'constant' ? 'Snyder 1977, offset throughout' : 'Snyder 1977';
  }
  if (childhood?.kind === 'like') return `like ${childhood.formula}`;
  return basis.kind === 'alias' ? '' : 'a covariate';
}

/** Returns the text of `src/core/readings.ts`. It lists the readings that are not direct. */
export function readingsModule(): string {
  const lines = MEASUREMENTS.flatMap(({ name }) => {
    const quality = qualityOf(name, DIMENSION_PLAN[name]);
    return quality === 'direct' ? [] : [`  ${name}: '${quality}',`];
  });
  return `// Made by \`npx tsx pipeline/docs.ts\` from \`pipeline/plans/\`; do not edit.
import type { MeasurementName } from './measurements.js';

/** How directly surveys measured a dimension as this service reads it; /docs/sources explains them. */
export type Reading = 'direct' | 'derived' | 'ratio' | 'proxy';

const INDIRECT: Partial<Record<MeasurementName, Reading>> = {
${lines.join('\n')}
};

/** The reading of a measurement; a name that is not in the list is measured directly. */
export function readingOf(measurement: string): Reading {
  return INDIRECT[measurement as MeasurementName] ?? 'direct';
}
`;
}

const INTRODUCTION = `# The ${MEASUREMENTS.length} measurements

The specification gives only names. The table says how this service reads each name, where its adult level comes from, how the
median of a child (under 20) or of an identity is computed, and from which age there is a model. The quality of a reading is one of:

- **direct**: a survey or report measured the dimension as it is read here;
- **derived**: a sum or difference of dimensions measured on each person (the spread of a difference is too wide);
- **ratio**: a published ratio to a measured dimension, the same in all populations; the spread comes from a published CV;
- **proxy**: no survey measured the dimension as read; a similar dimension or a design rule is used instead.

Names of one dimension (aliases) have the same numbers from the age at which both have a model. Design names differ by a constant.
\`docs/model.md\` explains the columns.
`;

/** The text of `/docs/sources`. */
export function measurementsPage(): string {
  const rows = MEASUREMENTS.map(({ name, definition, genders }) => {
    const plan = DIMENSION_PLAN[name];
    const from = plan.ageMinYears ?? 0;
    const limits = genders.length === 1 ? `${from}, ${genders.join()} only` : String(from);
    const cells = [name, definition, qualityOf(name, plan), basisText(name, plan.basis)];
    return `| ${[...cells, childText(name), limits].join(' | ')} |`;
  });
  const aliases = MEASUREMENTS.flatMap(({ name }) => {
    const { basis, identity } = DIMENSION_PLAN[name];
    if (basis.kind !== 'alias') return [];
    return [`- ${name} = ${identity ?? basis.of}`];
  });
  const header = '| name | reading | quality | adult basis | children, identity | from age |';
  const table = [header, '|---|---|---|---|---|---|', ...rows].join('\n');
  return `${INTRODUCTION}\n## Aliases\n\n${aliases.join('\n')}\n\n## Table\n\n${table}\n`;
}

/** Files that say how many measurements and countries there are. */
export const COUNTED_FILES = [
  'README.md',
  'package.json',
  'server.json',
  'docs/tables.md',
] as const;

/** A text with the present numbers of measurements and countries. */
export function withCounts(text: string): string {
  return text
    .replace(/\b\d+(?= (?:dimensions|body measurements)\b)/g, String(MEASUREMENTS.length))
    .replace(/\b\d+(?= countries\b)/g, String(COUNTRIES.length));
}

const REACH_BLOCK = /(<!-- reach: begin -->\n)[\s\S]*(<!-- reach: end -->)/;

/** The text of `docs/reach.md` with the errors of the model of the shoulder on people who were left out. */
export function withReachErrors(text: string, rows: Rows): string {
  const { judged, shares } = fitReach(rows);
  const groups = [...new Set(judged.map(({ what, gender }) => `${what} | ${gender}`))];
  const ages = [...new Set(judged.map(({ ageGroup }) => ageGroup))];
  const lines = groups.map((group) => {
    const cells = judged
      .filter(({ what, gender }) => group === `${what} | ${gender}`)
      .map(({ n, biasMm, sdMm }) => `${biasMm.toFixed(1)} ± ${sdMm.toFixed(1)} (${n})`);
    return [group, ...cells].join(' | ');
  });
  const share = (value: number) => value.toFixed(3);
  const table = [
    `| reach | gender | ${ages.map((ages) => `${ages.replace('-', ' to ')} years`).join(' | ')} |`,
    `| --- | --- |${' --- |'.repeat(ages.length)}`,
    ...lines.map((line) => `| ${line} |`),
  ].join('\n');
  const rules = `Shares: forward ${share(shares.forward)}, sideways ${share(shares.sideways)} and stretched ${share(shares.stretched)} of the biacromial breadth; overhead ${share(shares.overhead)} of \`ShoulderGripLength\`.`;
  return text.replace(REACH_BLOCK, `$1\n${table}\n\n${rules}\n\n$2`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  writeFileSync(join(root, 'src/core/readings.ts'), readingsModule());
  for (const file of COUNTED_FILES) {
    const path = join(root, file);
    writeFileSync(path, withCounts(readFileSync(path, 'utf8')));
  }
  const tables = await RawTables.open(join(root, 'data/raw'), []);
  const fit = await fitModel(tables);
  const figures = [...modelFigures(fit), ...(await levelFigures(fit.model, tables))];
  for (const [name, svg] of figures) {
    writeFileSync(join(root, 'docs/model', name), svg);
  }
  const model = join(root, 'docs/model.md');
  writeFileSync(model, withWorkedExample(readFileSync(model, 'utf8'), fit));
  const reach = join(root, 'docs/reach.md');
  writeFileSync(reach, withReachErrors(readFileSync(reach, 'utf8'), fit.tables.reach));
  tables.close();
}
