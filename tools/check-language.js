// Refuses phrases that slow a reader down, and a dictionary that is not sorted. cspell refuses single words
// (`flagWords` in cspell.config.yaml). `npm run check` runs this program.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Phrases to avoid, and what to write instead. */
const PHRASES = {
  'are had': 'name the actor: "you get", "the service sells"',
  'at it already': '"already does it"',
  'be it': '"whether it is"',
  'is had': 'name the actor: "you get", "the service sells"',
  'none other': '"no other"',
  'of nobody': '"of no one", or name the reason',
  'of old': '"earlier", "previous"',
  'save for': '"except"',
  'taken otherwise': 'say how: "measured differently"',
};

const DICTIONARY = 'tools/dictionary.txt';
const faults = [];

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter((file) => /\.(css|js|lua|md|mjs|tsx?|ya?ml)$/.test(file))
  .filter((file) => file !== 'tools/check-language.js' && existsSync(file));

// Matches the space between words. A phrase may be broken over two lines, also in a comment.
const BREAK = String.raw`(?:\s|\s(?://|--|\*|#)\s)+`;
const patterns = Object.entries(PHRASES).map(([phrase, instead]) => ({
  pattern: new RegExp(`\\b${phrase.replaceAll(' ', BREAK)}\\b`, 'gi'),
  message: `"${phrase}": write ${instead}`,
}));
for (const file of tracked) {
  const text = readFileSync(file, 'utf8');
  for (const { pattern, message } of patterns) {
    for (const { index } of text.matchAll(pattern)) {
      faults.push(`${file}:${text.slice(0, index).split('\n').length} ${message}`);
    }
  }
}

const words = readFileSync(DICTIONARY, 'utf8').trim().split('\n');
const sorted = words.toSorted(new Intl.Collator('en').compare);
const unsorted = words.findIndex((word, index) => word !== sorted[index]);
if (unsorted >= 0) faults.push(`${DICTIONARY}:${unsorted + 1} not sorted: ${words[unsorted]}`);

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}
