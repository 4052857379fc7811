import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { EmailQueue } from '../../src/email/email-queue.js';
import { resetEmail } from '../../src/email/emails.js';
import { droppingMailer, logMailer, type Mailer } from '../../src/email/mailer.js';
import { smtpMailer } from '../../src/email/smtp.js';

const LINK = 'https://vitruvia.example/account/reset?token=secret';

/** A minimal SMTP server (RFC 5321) that accepts e-mails. It refuses recipients at `refused.example`. */
async function smtpServer(): Promise<{ url: string; lines: string[]; server: Server }> {
  const lines: string[] = [];
  const server = createServer((socket) => {
    let inData = false;
    let rest = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    const answer = (line: string) => {
      lines.push(line);
      if (inData) {
        if (line === '.') say('250 taken');
        inData = line !== '.';
      } else if (/^DATA/i.test(line)) {
        inData = true;
        say('354 go on');
      } else if (/refused\.example/.test(line)) say('550 no such ada@refused.example');
      else say('250 fine');
    };
    socket.on('data', (chunk) => {
      const parts = (rest + String(chunk)).split('\r\n');
      rest = parts.pop() ?? '';
      parts.forEach(answer);
    });
    say('220 test');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, lines, server };
}

let server: Server | undefined;
let mailer: Mailer | undefined;
afterEach(() => {
  mailer?.close();
  server?.close();
});

function collectingLog() {
  const lines: string[] = [];
  return { lines, log: pino({}, { write: (line: string) => void lines.push(line) }) };
}

describe('e-mails', () => {
  it('reach a mail server as plain text from the configured sender', async () => {
    const smtp = await smtpServer();
    ({ server } = smtp);
    mailer = await smtpMailer(smtp.url, 'Vitruvia <no-reply@vitruvia.example>');
    await mailer.send(resetEmail('ada@example.com', LINK));
    const sent = smtp.lines.join('\n');
    expect(sent).toContain('MAIL FROM:<no-reply@vitruvia.example>');
    expect(sent).toContain('RCPT TO:<ada@example.com>');
    expect(sent).toContain('From: Vitruvia <no-reply@vitruvia.example>');
    expect(sent).toContain('Subject: Choose a new password');
    expect(sent).toMatch(/content-type: text\/plain/i);
    expect(sent.replaceAll(/=\n/g, '').replaceAll('=3D', '=')).toContain(LINK);
  });

  it('that a server refuses are logged without address and link', async () => {
    const smtp = await smtpServer();
    ({ server } = smtp);
    const { lines, log } = collectingLog();
    const queue = new EmailQueue(await smtpMailer(smtp.url, 'no-reply@vitruvia.example'), log);
    queue.send(async () => resetEmail('ada@refused.example', LINK));
    await queue.close();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 50, responseCode: 550 });
    expect(lines.join('')).not.toMatch(/ada@|token/);
  });

  it('wait in bounded number and time for a silent mail server, and a stop names those that are not sent', async () => {
    const refusals: ((error: Error) => void)[] = [];
    const send = () => new Promise<void>((_, reject) => void refusals.push(reject));
    const silent: Mailer = { destination: 'recipients', send, close: () => undefined };
    const { lines, log } = collectingLog();
    let nowMs = 0;
    const limits = { waiting: 3, closeMs: 0 };
    const queue = new EmailQueue(silent, log, undefined, limits, () => nowMs);
    const lost = () => lines.map((line) => [JSON.parse(line).request_id, JSON.parse(line).msg]);
    const post = (id: string) => queue.send(async () => resetEmail('ada@example.com', LINK), id);
    for (const id of ['1', '2', '3', '4', '5', '6']) post(id);
    // Two are under way and three wait.
    expect(lost()).toEqual([['6', 'an e-mail is lost, because too many wait for the mail server']]);
    await expect.poll(() => refusals.length).toBe(2);
    nowMs = 60_001;
    refusals[0]?.(new Error('ada@example.com is gone'));
    await expect.poll(() => queue.waiting).toBe(1);
    expect(lost().slice(2)).toEqual(
      ['3', '4', '5'].map((id) => [id, 'an e-mail is lost, because it waited too long']),
    );
    post('7');
    await queue.close();
    const stopped = 'an e-mail is not known to be sent, because the service stops';
    expect(lost().slice(-2)).toEqual([expect.anything(), ['7', stopped]]);
    expect(lines.join('')).not.toMatch(/ada@|token/);
  });

  it('go to the log in preview; in production, no link is logged', async () => {
    const { lines, log } = collectingLog();
    await logMailer(log).send(resetEmail('ada@example.com', LINK));
    expect(JSON.parse(lines.splice(0)[0] ?? '')).toMatchObject({
      to: 'ada@example.com',
      link: LINK,
    });
    await droppingMailer(log).send(resetEmail('ada@example.com', LINK));
    expect(lines).toHaveLength(1);
    expect(lines.join('')).not.toMatch(/ada@|token/);
  });
});
