import { once } from 'node:events';
import { connect } from 'node:net';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/**
 * Sends a POST request without the end of its body. Resolves when the server has begun to handle it: the server then
 * answers `Expect: 100-continue`.
 *
 * @returns a function that sends the rest and resolves to the whole answer
 */
export async function sendHalf(
  url: string,
  authorization: string,
  body: string,
): Promise<() => Promise<string>> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const ended = once(socket, 'close');
  let text = '';
  const accepted = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      text += String(chunk);
      if (text.startsWith(CONTINUE)) resolve();
    });
  });
  const head = [
    `POST ${pathname} HTTP/1.1`,
    'Host: x',
    `Authorization: ${authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`);
  await accepted;
  return async () => {
    socket.write(body.slice(10));
    await ended;
    return text.slice(CONTINUE.length);
  };
}
