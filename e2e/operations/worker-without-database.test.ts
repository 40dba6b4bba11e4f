import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { spawnWorker } from './processes.ts';

/** One start, on a machine that is busy with other suites. */
const TIMEOUT_MS = 240_000;

const opened: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];
afterEach(() => {
  for (const { server, sockets } of opened.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

/** Listens where the worker looks for its database; resolves with the address, and with the first connection that was tried. */
async function listen(onConnection: (socket: Socket) => void): Promise<{ url: string; tried: Promise<unknown> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  opened.push({ server, sockets });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `postgresql://nobody@127.0.0.1:${address.port}/none`, tried: once(server, 'connection') };
}

test.each([
  ['ends every connection', (socket: Socket) => void socket.destroy()],
  ['accepts connections and never answers', () => undefined],
])(
  'a worker that waits for a database which %s stops by itself, and has nothing to abandon',
  {
    timeout: TIMEOUT_MS,
  },
  async (_what, onConnection) => {
    const { url, tried } = await listen(onConnection);
    const worker = spawnWorker({
      DATABASE_URL: url,
      SWITCHYARD_PUBLIC_URL: 'http://127.0.0.1:1',
      SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
    });
    await tried;
    // 1 is the code of a worker that was still not ready to stop when its time was up.
    expect(await worker.terminate()).toBe(0);
  },
);
