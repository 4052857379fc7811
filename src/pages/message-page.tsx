import type { FastifyReply } from 'fastify';
import { Layout, renderPage } from './layout.js';
import { sendHtml } from './send-html.js';

/** A page that says one thing. */
export interface Message {
  readonly title: string;
  readonly text: string;
  /** Where to go on. */
  readonly links?: readonly { readonly href: string; readonly label: string }[];
}

/** Sends a page that says one thing. */
export function sendMessage(reply: FastifyReply, status: number, message: Message): FastifyReply {
  const { title, text, links = [] } = message;
  const signedIn = reply.request.visitor != null;
  const page = (
    <Layout title={title} section="account" signedIn={signedIn}>
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
  return sendHtml(reply, renderPage(page), status);
}
