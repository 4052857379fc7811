import type { Mailer } from './mailer.js';

/** Time limit for each answer of the mail server. After this time the e-mail counts as lost. */
const TIMEOUT_MS = 20_000;
const CONNECTIONS = 2;

/**
 * Sends e-mails through a mail server.
 *
 * @param smtpUrl `smtp://user:password@host:587` (with STARTTLS if the server offers it) or `smtps://…`
 * @param from the sender, such as `Vitruvia <no-reply@example.com>`
 */
export async function smtpMailer(smtpUrl: string, from: string): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: CONNECTIONS,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // Tells mail programs not to send automatic replies (RFC 3834).
    { from, headers: { 'auto-submitted': 'auto-generated' } },
  );
  return {
    destination: 'recipients',
    async send({ to, subject, text }) {
      await transport.sendMail({ to: { name: '', address: to }, subject, text });
    },
    close: () => transport.close(),
  };
}
