/** The most common words in lists of leaked passwords; letters only, in lower case. */
const COMMON_WORDS = new Set(
  `password passwort motdepasse contrasena passphrase passwordpassword pass word secret secrets
  letmein letmeinplease welcome welcomeback welcometo hello helloworld hellohello admin administrator
  adminadmin root superuser superman batman master login guest user default changeme changemenow
  changemeplease iloveyou iloveyousomuch iloveme ilovehim iloveher iloveu lovelove loveyou love
  princess sunshine monkey dragon football baseball basketball soccer hockey shadow michael jordan
  charlie ashley jessica computer internet samsung google facebook linkedin starwars pokemon
  trustno trustnoone whatever freedom qwerty qwertyuiop qwertyqwerty azerty azertyuiop asdf asdfgh
  asdfghjkl asdfasdf zxcvbn zxcvbnm qazwsx qazwsxedc qwertyuiopasdf abc abcabc abcd abcdef abcdefg
  test testtest testing testpassword mypassword newpassword yourpassword thisismypassword
  nopassword onetwothree summer winter spring autumn january february march april june july august
  september october november december monday friday company business vitruvia vitruvius
  vitruvianman`.split(/\s+/),
);

/** Sequences on the keyboard and in the alphabet. */
const RUNS = [
  '01234567890123456789012345678901234567890',
  'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnmqwertyuiopasdfghjklzxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgbyhnujmikolp',
  'zaq12wsxcde34rfvbgt56yhnmju78ik',
  '!@#$%^&*()_+',
].flatMap((run) => [run, [...run].reverse().join('')]);

const DISTINCT_MIN = 5;
const LONGEST_UNIT = 6;
const DISGUISES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/**
 * Whether a password is easy to guess: a common word with digits and signs around it, a few repeated
 * characters, or a keyboard sequence.
 *
 * @param password normalised, of any length
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  const plain = lower.replaceAll(/\s/g, '');
  if (new Set(plain).size < DISTINCT_MIN) return true;
  if (RUNS.some((run) => run.includes(plain))) return true;
  if (isRepeated(plain)) return true;
  return [plain, trimmed(plain)].some(isCommonWord);
}

/** The text without digits and signs at both ends. */
function trimmed(text: string): string {
  return text.replaceAll(/^[^a-z]+|(?<![^a-z])[^a-z]+$/g, '');
}

function isCommonWord(text: string): boolean {
  const undisguised = text.replaceAll(/[^a-z]/g, (sign) => DISGUISES[sign] ?? '');
  return COMMON_WORDS.has(text) || COMMON_WORDS.has(undisguised);
}

/** Whether a text repeats a short piece, such as `abc123abc123abc123`. The last piece may be cut off. */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= LONGEST_UNIT; length++) {
    const unit = text.slice(0, length);
    if (unit.repeat(Math.ceil(text.length / length)).slice(0, text.length) === text) return true;
  }
  return false;
}
