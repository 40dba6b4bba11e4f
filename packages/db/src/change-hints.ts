import { Socket } from 'node:net';
import pg from 'pg';

/** Listens to one channel of PostgreSQL on a connection of its own. */
export interface ChangeHints {
  close(): void;
}

/** The channel to `LISTEN` on, on a connection of its own. */
export interface ChangeHintsOptions {
  readonly url: string;
  readonly channel: 'configuration' | 'work';
  /** Called with each notification's payload, and with null after every (re)connect, because notifications may have been missed. */
  readonly onHint: (payload: string | null) => void;
  /** Called once per outage, not for every failed reconnect. */
  readonly onError: (error: unknown) => void;
}

const RETRY_FIRST_MS = 200;
const RETRY_MAX_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens the connection and reconnects with back-off until closed. Notifications are hints: one can be lost at any time, so a
 * listener must also poll. Does not keep the process alive.
 */
export function listenForHints(options: ChangeHintsOptions): ChangeHints {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let retryMs = RETRY_FIRST_MS;
  let closed = false;
  let isDisconnected = false;

  function connect(): void {
    const opened = openClient(options.url);
    client = opened;
    const lost = (error: unknown) => {
      if (client !== opened) return;
      client = null;
      opened.end().catch(() => undefined);
      if (closed) return;
      if (!isDisconnected) options.onError(error);
      isDisconnected = true;
      // Processes lose their connections together; jitter spreads the reconnects.
      timer = setTimeout(connect, retryMs * (0.5 + Math.random() / 2));
      timer.unref();
      retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
    };
    opened.on('error', lost);
    opened.on('end', () => lost(new Error('the listening connection was closed')));
    opened.on('notification', ({ payload }) => options.onHint(payload ?? null));
    opened
      .connect()
      .then(() => opened.query(`LISTEN ${options.channel}`))
      .then(() => {
        isDisconnected = false;
        retryMs = RETRY_FIRST_MS;
        options.onHint(null);
      })
      .catch(lost);
  }

  connect();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      const last = client;
      client = null;
      last?.end().catch(() => undefined);
    },
  };
}

function openClient(url: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    application_name: 'switchyard-listen',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    stream: () => {
      const socket = new Socket();
      socket.unref();
      return socket;
    },
  });
}
