import type { Mailer } from './mailer.js';

/** How long a mail server may take to answer before a letter counts as lost. */
const TIMEOUT_MS = 20_000;
const CONNECTIONS = 2;

/**
 * Sends through a mail server.
 *
 * @param smtpUrl `smtp://user:password@host:587` (STARTTLS where offered) or `smtps://…`
 * @param from the sender, as `Vitruvia <no-reply@example.com>`
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
    // Answers by machines (RFC 3834) to such letters are of use to nobody.
    { from, headers: { 'auto-submitted': 'auto-generated' } },
  );
  return {
    destination: 'readers',
    async send({ to, subject, text }) {
      await transport.sendMail({ to: { name: '', address: to }, subject, text });
    },
    close: () => transport.close(),
  };
}
