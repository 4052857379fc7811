import type { FastifyReply } from 'fastify';
import { seemsSignedIn } from './headers.js';
import { Layout, renderPage } from './layout.js';

/** A page with a single message. */
export interface Message {
  readonly title: string;
  readonly text: string;
  /** Links to continue with. */
  readonly links?: readonly { readonly href: string; readonly label: string }[];
  /** After this number of seconds, the browser loads the page again, also without scripts. */
  readonly refreshSeconds?: number | undefined;
}

/** Sends HTML. Browsers revalidate pages each time, because pages change. Scripts do not change. */
export function sendHtml(reply: FastifyReply, html: string, status = 200): FastifyReply {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
  return reply.code(status).type('text/html; charset=utf-8').send(html);
}

/** Sends a page with a single message. */
export function sendMessage(reply: FastifyReply, status: number, message: Message): FastifyReply {
  const { title, text, links = [], refreshSeconds } = message;
  const signedIn = reply.request.user != null || seemsSignedIn(reply.request);
  const section = reply.request.url.startsWith('/account') ? 'account' : undefined;
  const page = (
    <Layout {...{ title, signedIn, section }}>
      <div class="prose">
        <h1>{title}</h1>
        <p>{text}</p>
        {links.map(({ href, label }) => (
          <p key={href}>
            <a href={href}>{label}</a>
          </p>
        ))}
      </div>
    </Layout>
  );
  if (refreshSeconds !== undefined) reply.header('refresh', String(refreshSeconds));
  return sendHtml(reply, renderPage(page), status);
}
