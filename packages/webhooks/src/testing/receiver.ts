import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { TestCertificate } from './certificates.ts';

/** One received message. */
export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A receiver's response to a message. */
export type Answer = (received: Received, response: ServerResponse, count: number) => void;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** In the order of arrival. */
  readonly received: Received[];
  /** Connections opened at all. */
  connections: number;
  answer: Answer;
  /** Shows another certificate to connections from now on, and closes the present ones. */
  renew(certificate: TestCertificate): void;
  close(): Promise<void>;
}

const accept: Answer = (_received, response) => void response.end('ok');

/** A merchant's server on this machine, over https with a certificate. By default it answers 200. */
export async function openReceiver(answer: Answer = accept, certificate: TestCertificate | null = null): Promise<Receiver> {
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    void readBody(request).then((body) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const received = { path: request.url ?? '', headers, body };
      receiver.received.push(received);
      receiver.answer(received, response, receiver.received.length);
    });
  };
  const server = certificate === null ? createServer(receive) : createTlsServer(certificate, receive);
  server.on('connection', () => receiver.connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  const receiver: Receiver = {
    url: `${certificate === null ? 'http' : 'https'}://127.0.0.1:${address.port}`,
    port: address.port,
    received: [],
    connections: 0,
    answer,
    renew(next) {
      if (!(server instanceof TlsServer)) throw new Error('the receiver has no certificate');
      server.setSecureContext(next);
      server.closeAllConnections();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return receiver;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** Against tests that hang: a machine that is busy takes several times as long as one that is not. */
const WAIT_TIMEOUT_MS = 120_000;
const LOOK_EVERY_MS = 20;

/** Waits for a condition; fails when it does not become true. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_TIMEOUT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`it never came to pass: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
