import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readEmail } from '../../src/accounts/email-address.js';
import { hashesAtOnce, Passwords, readNewPassword } from '../../src/accounts/passwords.js';
import { networkOf } from '../../src/core/network.js';
import { quickPasswords } from '../support/quick-passwords.js';

describe('a password', () => {
  const refused = (text: string) => () => readNewPassword(text, 'countess.ada@example.com');

  it.each([
    ['too short', 'gravel-lamp'],
    ['too long', 'otter '.repeat(34)],
    ['short in characters, long in bytes', '🦦'.repeat(11)],
    ['few different characters', 'aabbaabbaabbccdd'],
    ['a repeat', 'abc123abc123abc'],
    ['a keyboard sequence', 'qwertyuiopasd'],
    ['a sequence backwards', '987654321098'],
    ['a common password', 'Password1234!'],
    ['a common password, disguised', 'P@ssw0rd!2024'],
    ['a common password, with spaces', 'i love you 2024'],
    ['the name of the service', 'Vitruvia2026!'],
    ['the name of the user', 'Countess.Ada99'],
  ])('is refused: %s', (_why, text) => {
    expect(refused(text)).toThrowError(
      expect.objectContaining({ reason: 'invalid_field', field: 'password' }),
    );
  });

  it.each(['correct horse battery', 'gravel-otter-lamp-7', 'dfk3jf9sk2ma', 'ключ от квартиры'])(
    'is accepted: %s',
    (text) => {
      expect(readNewPassword(text, 'ada@example.com')).toBe(text);
    },
  );

  it('is the same on keyboards that compose characters differently', async () => {
    const passwords = new Passwords();
    const hashed = await passwords.hash(
      readNewPassword('Cafe\u0301 des Me\u0301saventures', 'a@b'),
      'ada',
    );
    expect(await passwords.verify(hashed, 'Café des Mésaventures', 'ada')).toBe(true);
    expect(await passwords.verify(hashed, 'Cafe des Mesaventures', 'ada')).toBe(false);
  });

  it('is hashed by Argon2id with OWASP’s minimum cost and a salt', async () => {
    const passwords = new Passwords();
    const [one, two] = await Promise.all([passwords.hash('x', 'ada'), passwords.hash('x', 'ada')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
  });

  it('never matches if there is no hash', async () => {
    const passwords = new Passwords();
    expect(await passwords.verify(undefined, '', 'ada')).toBe(false);
    expect(passwords.hashes).toBe(1);
  });
});

describe('hashing', () => {
  it('runs few at a time, refuses what exceeds the queue, and does not block the event loop', async () => {
    const passwords = new Passwords(1);
    const hashed = await passwords.hash('x', 'ada');
    let turns = 0;
    let hashing = true;
    const crowd = Array.from({ length: 40 }, () => passwords.verify(hashed, 'x', 'ada'));
    const counting = (async () => {
      for (; hashing; turns++) await setImmediate();
    })();
    const done = await Promise.allSettled(crowd);
    hashing = false;
    await counting;
    // One running and 32 in the queue.
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(33);
    const refused = done.filter((one) => one.status === 'rejected');
    expect(refused.map(({ reason }) => reason.reason)).toEqual(Array(7).fill('busy'));
    // If a hash ran in the event loop, there would be only one turn between two hashes.
    expect(turns).toBeGreaterThan(10 * 33);
    expect(await passwords.verify(hashed, 'x', 'ada')).toBe(true);
  });

  it('takes turns among those who ask, so that nobody is refused because of another one', async () => {
    const passwords = quickPasswords(1);
    const hashed = await passwords.hash('x', 'eve');
    const ended: string[] = [];
    const ask = (who: string) =>
      passwords.verify(hashed, 'x', who).then(
        () => void ended.push(who),
        () => void ended.push(`${who} refused`),
      );
    const crowd = Array.from({ length: 40 }, () => ask('eve'));
    await Promise.all(['ada', 'bob', 'ada'].map(ask));
    // The hash that already runs ends first. After that, at most one turn of eve comes before each other person.
    const served = ended.filter((who) => !who.endsWith('refused'));
    expect(served.slice(0, 6)).toEqual(['eve', 'eve', 'ada', 'bob', 'eve', 'ada']);
    await Promise.all(crowd);
    expect(ended.filter((who) => who === 'eve refused')).toHaveLength(7 + 3);
    expect(ended).toHaveLength(43);
  });

  it('leaves threads of the pool to files and flushes, and half of the processors to others', () => {
    const cases = [[1], [2], [4], [64], [4, 2], [8, 8], [64, 8]] as const;
    expect(cases.map(([cores, processes]) => hashesAtOnce(cores, processes))).toEqual([
      ...[1, 1, 2, 2, 1, 1, 2],
    ]);
  });
});

describe('an e-mail address', () => {
  it.each(['', 'ada', '@x.example', 'ada@', 'a b@x.example', 'ada@x..example', 'ada@-x.example'])(
    'is refused: "%s"',
    (text) => {
      expect(() => readEmail(text)).toThrowError(expect.objectContaining({ field: 'email' }));
    },
  );

  it.each([
    ['a line break', 'ada@x.example\r\nBcc: all@x.example'],
    ['two addresses', 'ada@x.example,eve@x.example'],
    ['a name', 'Ada <ada@x.example>'],
    ['255 characters', `${'a'.repeat(60)}@${'b.'.repeat(96)}cd`],
    ['a local part of 65', `${'a'.repeat(65)}@x.example`],
  ])('is refused: %s', (_why, text) => {
    expect(() => readEmail(text)).toThrowError(expect.objectContaining({ field: 'email' }));
  });

  it('keeps its spelling and is compared in lower case', () => {
    const read = readEmail(' Ada.O+tag@X.Example ');
    expect(read).toEqual({ email: 'Ada.O+tag@X.Example', emailKey: 'ada.o+tag@x.example' });
  });
});

describe('an IP address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['0:0:0:0:0:FFFF:7F00:1', '127.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:1:2::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['unknown', 'unknown'],
  ])('%s belongs to the network %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
