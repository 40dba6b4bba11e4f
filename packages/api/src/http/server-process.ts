import type { Server } from 'node:http';
import { processSwitchyard, type Switchyard } from '../process.ts';

const DRAIN_TIMEOUT_MS = 25_000;
/** Longer than the longest request, a whole initiate: only event streams and slow file downloads are still open after it. */
const STREAM_TIMEOUT_MS = 21_000;

/**
 * Opens the resources of a server process. Exits with a readable message when the environment is invalid; starts without the
 * database, in which case answers are 503 until it is available.
 */
export async function openServerProcess(): Promise<Switchyard> {
  const switchyard = openOrExit();
  await switchyard.resources.configuration
    .ready()
    .catch((error: unknown) => switchyard.log.warn({ error }, 'started without the database'));
  return switchyard;
}

/** Address of a server process, and its name in logs. */
export interface ListenOptions {
  readonly name: string;
  readonly port: number;
  readonly hostname: string;
  /** The environment variable that sets the port. */
  readonly portVariable: string;
}

/** Listens until SIGINT or SIGTERM, which let open requests finish. Exits with a readable message when it cannot listen. */
export async function listen(
  server: Server,
  switchyard: Switchyard,
  { name, port, hostname, portVariable }: ListenOptions,
): Promise<void> {
  server.on('error', (error: NodeJS.ErrnoException) => {
    exit(error.code === 'EADDRINUSE' ? `Port ${port} is taken; choose another with ${portVariable}=…` : error.message);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(server, switchyard));
  await new Promise<void>((listening) => server.listen(port, hostname, listening));
  switchyard.log.info({ port }, `${name} is ready`);
}

function stop(server: Server, switchyard: Switchyard): void {
  server.close(() => {
    switchyard.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  server.closeIdleConnections();
  // Dashboard streams do not end by themselves; browsers reconnect.
  setTimeout(() => server.closeAllConnections(), STREAM_TIMEOUT_MS).unref();
  setTimeout(() => process.exit(0), DRAIN_TIMEOUT_MS).unref();
}

function openOrExit(): Switchyard {
  try {
    return processSwitchyard();
  } catch (error) {
    return exit(error instanceof Error ? error.message : 'The environment cannot be read.');
  }
}

function exit(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
