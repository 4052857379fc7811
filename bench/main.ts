import { cpus } from 'node:os';
import { Command, Option } from 'commander';
import { beside } from './beside.js';
import { bodies } from './bodies.js';
import { computations } from './computations.js';
import { ATTACKS, type AttackName } from './crowd.js';
import { http } from './http.js';
import { ITEMS } from './items.js';
import { CONNECTIONS, type Plan } from './load.js';
import { lookup } from './lookup.js';
import { many } from './many.js';
import { pages } from './pages.js';
import { population } from './population.js';
import { startAttacked, stopAll } from './service.js';
import { stdio } from './stdio.js';
import { type Figure, type Finding, figureLine, findingLine, met } from './table.js';

// Measures or attacks the service, and prints the results. The run fails if a bound is not met.

type Part = (plan: Plan) => Iterable<Figure> | AsyncIterable<Figure>;

/** The parts of the bench, in the order in which they run. */
const PARTS: Readonly<Record<string, readonly Part[]>> = {
  ...{ lookup: [lookup], population: [population, beside], body: [bodies] },
  ...{ computations: [computations], pages: [pages], mcp: [stdio], http: [http], many: [many] },
};
const GENERATOR = 'autocannon';
const ATTACK_NAMES = Object.keys(ATTACKS) as AttackName[];

const write = (line: string) => process.stdout.write(`${line}\n`);
const whole = (most: number) => (text: string) => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new RangeError(`must be a whole number from 1 to ${most}, not ${text}`);
};

interface BenchOptions extends Plan {
  readonly json?: true;
  readonly only?: string;
}

async function bench({ json, only, ...plan }: BenchOptions): Promise<void> {
  if (json === undefined) write(`load generator: ${GENERATOR}, ${CONNECTIONS} connections`);
  const found: Figure[] = [];
  for (const name of only === undefined ? Object.keys(PARTS) : [only]) {
    for (const part of PARTS[name] ?? []) {
      try {
        for await (const one of part(plan)) {
          found.push(one);
          if (json === undefined) write(figureLine(one));
        }
      } finally {
        await stopAll();
      }
    }
  }
  const results = found.map((one) => ({ ...one, met: met(one) }));
  if (json) write(JSON.stringify({ loadGenerator: GENERATOR, results }, null, 2));
  if (!found.every(met)) process.exitCode = 1;
}

interface AttackOptions {
  readonly attackers: number;
  readonly seconds: number;
  readonly minutes: number;
  readonly workers: number;
  readonly only?: string;
  readonly attack?: AttackName;
}

async function attack({ workers, only, attack, ...plan }: AttackOptions): Promise<void> {
  const attacks = attack === undefined ? ATTACK_NAMES : [attack];
  write(`${cpus().length} processors, ${plan.attackers} attackers, ${plan.seconds} s each`);
  const found: Finding[] = [];
  const note = (item: string, finding: Finding): void => {
    found.push(finding);
    write(findingLine(item, finding));
  };
  // Item 8 needs one process: several processes share no database file.
  const all = [...ITEMS.keys()].filter((item) => workers === 1 || item !== '8');
  for (const name of only === undefined ? all : [only]) {
    try {
      // Each item gets a new service, so that no item suffers from the one before.
      const service = await startAttacked(plan.attackers * ATTACK_NAMES.length, workers);
      const findings = ITEMS.get(name)?.(service, { ...plan, attacks }) ?? [];
      for await (const finding of findings) note(name, finding);
    } catch (error) {
      note(name, { what: 'the item itself', seen: String(error), held: false });
    } finally {
      await stopAll();
    }
  }
  const judged = found.filter(({ held }) => held !== undefined);
  const held = judged.filter((finding) => finding.held).length;
  write(`${held} of ${judged.length} held`);
  if (held < judged.length) process.exitCode = 1;
}

const program = new Command();
program
  .command('bench')
  .description('Measures speed and size; ratios compare servers within one run.')
  .option('--json', 'print one JSON document')
  .option('--rounds <n>', 'rounds of each comparison', Number, 5)
  .option('--seconds <n>', 'seconds per round and server', Number, 5)
  .addOption(new Option('--only <part>', 'measure only one part').choices(Object.keys(PARTS)))
  .action(bench);
program
  .command('attack')
  .description('Starts a service on loopback, attacks it, and prints what held.')
  .option('--attackers <n>', 'attackers at once, at most 20', whole(20), 10)
  .option('--seconds <n>', 'seconds of each measurement, at most 60', whole(60), 10)
  .option('--workers <n>', 'processes that serve, at most 8; more than one on Redis', whole(8), 1)
  .option('--minutes <n>', 'minutes of the item memory, at most 60', whole(60), 10)
  .addOption(new Option('--only <item>', 'attack only one item').choices([...ITEMS.keys()]))
  .addOption(new Option('--attack <name>', 'of item 2 only this attack').choices(ATTACK_NAMES))
  .action(attack);
await program.parseAsync();
