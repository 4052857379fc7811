import { join } from 'node:path';
import { Command, Option } from 'commander';
import { projectDir } from '../src/core/project-dir.js';
import { openArtifact } from '../src/lookup/open-artifact.js';
import { besideLines } from './beside.js';
import { bodyLines } from './bodies.js';
import { estimateLines } from './estimates.js';
import { heavyLines } from './heavy.js';
import { httpLines } from './http.js';
import { CONNECTIONS, findLoad } from './load.js';
import { measureLookups } from './lookup.js';
import { manyLines } from './many.js';
import { pageLines } from './pages.js';
import { populationLines } from './population.js';
import { stdioLines } from './stdio.js';
import { type Line, met, printTable } from './table.js';

function lookupLines(artifactsDir: string): Line[] {
  const opened = performance.now();
  const views = openArtifact(artifactsDir);
  const openMs = performance.now() - opened;
  const bytes = Object.values(views.manifest.files).reduce((sum, file) => sum + file.bytes, 0);
  const rates = measureLookups(views);
  return [
    { measure: 'artifacts', value: bytes / 1e6, unit: 'MB', ceiling: 260 },
    { measure: 'opening the artifacts', value: openMs, unit: 'ms', ceiling: 100 },
    { measure: 'predict', value: rates.predictPerSecond, unit: '/s', floor: 2_000_000 },
    { measure: 'invert', value: rates.invertPerSecond, unit: '/s', floor: 1_000_000 },
    { measure: 'condition', value: rates.conditionPerSecond, unit: '/s', floor: 300_000 },
  ];
}

const PARTS = [
  'lookup',
  'population',
  'body',
  'computations',
  'pages',
  'mcp',
  'http',
  'many',
] as const;

interface Options {
  readonly json?: true;
  readonly rounds: string;
  readonly seconds: string;
  readonly only?: (typeof PARTS)[number];
}

const options = new Command('bench')
  .description('Measures speed and size; ratios compare servers within one run.')
  .option('--json', 'print one JSON document')
  .option('--rounds <n>', 'rounds of each comparison', '5')
  .option('--seconds <n>', 'seconds per round and server', '5')
  .addOption(new Option('--only <part>', 'measure only one part').choices(PARTS))
  .parse()
  .opts<Options>();

const load = await findLoad();
const plan = { rounds: Number(options.rounds), seconds: Number(options.seconds) };
const artifactsDir = process.env.ARTIFACTS_DIR || join(projectDir(), 'data/artifacts');
const wanted = (part: (typeof PARTS)[number]) => (options.only ?? part) === part;
const lines = [
  ...(wanted('lookup') ? lookupLines(artifactsDir) : []),
  ...(wanted('population') ? populationLines(artifactsDir) : []),
  ...(wanted('population') ? await besideLines(load, plan) : []),
  ...(wanted('body') ? await bodyLines(artifactsDir) : []),
  ...(wanted('computations') ? await heavyLines(artifactsDir) : []),
  ...(wanted('computations') ? estimateLines(artifactsDir) : []),
  ...(wanted('pages') ? await pageLines() : []),
  ...(wanted('mcp') ? await stdioLines(artifactsDir) : []),
  ...(wanted('http') ? await httpLines(load, plan) : []),
  ...(wanted('many') ? await manyLines(load, plan) : []),
];
if (options.json) {
  const results = lines.map((line) => ({ ...line, met: met(line) }));
  process.stdout.write(`${JSON.stringify({ loadGenerator: load.name, results }, null, 2)}\n`);
} else {
  process.stdout.write(`load generator: ${load.name}, ${CONNECTIONS} connections\n`);
  printTable(lines);
}
// A missed floor fails the run, so that a script notices it.
if (!lines.every(met)) process.exitCode = 1;
