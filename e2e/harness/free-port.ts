import { connect, createServer } from 'node:net';
import { eventually } from './eventually.ts';

/** Below the ports that systems give to connections, and to servers that ask for any: Linux begins at 32768, others at 49152. */
const PORT_MIN = 12_000;
const PORTS_OF_A_PROCESS = 64;
const PROCESSES = 300;

let given = 0;

/**
 * A port of this machine for a program that is yet to start. Suites that run beside this one open servers and connections all the time;
 * none of them takes it meanwhile, as it is no port that the system chooses, and two processes of a run choose from the same ports only
 * where their ids differ by a multiple of 300.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS_OF_A_PROCESS; tried += 1) {
    const port = PORT_MIN + (process.pid % PROCESSES) * PORTS_OF_A_PROCESS + (given % PORTS_OF_A_PROCESS);
    given += 1;
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
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
