import { createServer } from 'node:http';

/** One message as the merchant's server got it. */
export interface Message {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Byte for byte, as text. */
  readonly body: string;
}

/** The merchant's server, to which events are sent. */
export interface Receiver {
  readonly url: string;
  /** In the order of arrival. */
  readonly messages: readonly Message[];
  /** What it answers from now on. */
  answerWith(status: number, text?: string): void;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const messages: Message[] = [];
  let answer = { status: 200, text: 'thanks' };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    messages.push({ id: headers['webhook-id'] ?? '', headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(answer.status).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    messages,
    answerWith(status, text = '') {
      answer = { status, text };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
