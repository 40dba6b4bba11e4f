import { connect } from 'node:net';
import { eventually } from './eventually.ts';

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
