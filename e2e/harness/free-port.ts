import { connect, createServer } from 'node:net';
import { eventually } from './eventually.ts';

/** A port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no port is free');
  return address.port;
}

/** Resolves when a program of this machine takes connections at a port. Sends it nothing. */
export async function untilListening(port: number): Promise<void> {
  await eventually(`port ${port} to be listened at`, () => {
    return new Promise<true | null>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(null));
    });
  });
}
