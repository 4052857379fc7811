import { cpus } from 'node:os';
import { Command, Option } from 'commander';
import { ATTACKS, type AttackName } from './attackers.js';
import type { Finding } from './finding.js';
import { ITEMS, ORDER } from './items.js';
import { startAttacked } from './service.js';

// Attacks a service on loopback and prints what held. It takes about half an hour.

const ATTACK_NAMES = Object.keys(ATTACKS) as AttackName[];

const options = new Command('attack')
  .description('Starts a service on loopback, attacks it, and prints what held.')
  .option('--attackers <n>', 'attackers at once, at most 20', '10')
  .option('--seconds <n>', 'seconds of each measurement, at most 60', '10')
  .option('--workers <n>', 'processes that serve, at most 8; more than one on Redis', '1')
  .option('--minutes <n>', 'minutes of the item memory, at most 60', '10')
  .addOption(new Option('--only <item>', 'attack only one item').choices(ORDER))
  .addOption(new Option('--attack <name>', 'of item 2 only this attack').choices(ATTACK_NAMES))
  .parse()
  .opts<{
    attackers: string;
    seconds: string;
    workers: string;
    minutes: string;
    only?: string;
    attack?: AttackName;
  }>();

const bounded = (text: string, most: number): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new RangeError(`must be a whole number from 1 to ${most}, not ${text}`);
};
const plan = {
  attackers: bounded(options.attackers, 20),
  seconds: bounded(options.seconds, 60),
  minutes: bounded(options.minutes, 60),
  attacks: options.attack === undefined ? ATTACK_NAMES : [options.attack],
};

const workers = bounded(options.workers, 8);
// Several processes share no file, and each has memory of its own.
const order = workers === 1 ? ORDER : ORDER.filter((item) => item !== '8');

const write = (line: string) => process.stdout.write(`${line}\n`);
const line = ({ item, what, seen, held }: Finding): string => {
  const verdict = held === undefined ? '' : held ? 'held' : 'FELL';
  return `${item}  ${verdict.padEnd(5)} ${what}: ${seen}`;
};

write(`${cpus().length} processors, ${plan.attackers} attackers, ${plan.seconds} s each`);
const findings: Finding[] = [];
for (const item of options.only === undefined ? order : [options.only]) {
  // A new service for each item, so that none pays for the one before it.
  const service = await startAttacked(plan.attackers * ATTACK_NAMES.length, workers);
  try {
    for await (const finding of ITEMS[item]?.(service, plan) ?? []) {
      findings.push(finding);
      write(line(finding));
    }
  } catch (error) {
    const finding = { item, what: 'the item itself', seen: String(error), held: false };
    findings.push(finding);
    write(line(finding));
  } finally {
    await service.stop();
  }
}
const judged = findings.filter(({ held }) => held !== undefined);
const fell = judged.filter(({ held }) => held === false).length;
write(`${judged.length - fell} of ${judged.length} held`);
if (fell > 0) process.exitCode = 1;
