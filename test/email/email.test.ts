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
