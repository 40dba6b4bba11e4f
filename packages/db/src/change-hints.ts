import { Socket } from 'node:net';
import pg from 'pg';

/** Listens to one channel of PostgreSQL on a connection of its own. */
export interface ChangeHints {
  close(): void;
}

export interface ChangeHintsOptions {
  readonly url: string;
  readonly channel: 'configuration';
  /** Told of each notice; null after every time the connection was made, since nobody knows what was missed before. */
  readonly onHint: (payload: string | null) => void;
  /** Told once each time the connection is lost or cannot be made, not of every try to make it again. */
  readonly onError: (error: unknown) => void;
}

const RETRY_FIRST_MS = 200;
const RETRY_MOST_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Opens the connection and makes it again for as long as it takes. Notices are hints: one can be lost at any time, so whoever
 * listens must also ask now and then. Keeps no process alive.
 */
export function listenForHints(options: ChangeHintsOptions): ChangeHints {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let retryMs = RETRY_FIRST_MS;
  let closed = false;
  let troubled = false;

  function connect(): void {
    const mine = openClient(options.url);
    client = mine;
    const lost = (error: unknown) => {
      if (client !== mine) return;
      client = null;
      mine.end().catch(() => undefined);
      if (closed) return;
      if (!troubled) options.onError(error);
      troubled = true;
      // Several processes lose their connections together; they need not all come back at once.
      timer = setTimeout(connect, retryMs * (0.5 + Math.random() / 2));
      timer.unref();
      retryMs = Math.min(retryMs * 2, RETRY_MOST_MS);
    };
    mine.on('error', lost);
    mine.on('end', () => lost(new Error('the connection that listens was closed')));
    mine.on('notification', ({ payload }) => options.onHint(payload ?? null));
    mine
      .connect()
      .then(() => mine.query(`LISTEN ${options.channel}`))
      .then(() => {
        troubled = false;
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
