import type pg from 'pg';
import { isDatabaseTimeout } from './database-unavailable.ts';

/** "Cannot connect now": the error code on which the job queue retries without limit. */
const CANNOT_CONNECT_NOW = '57P03';

/**
 * A pool for the job queue that reports every kind of unavailable database, and statements whose time was up, with the one code on which
 * the queue retries. The queue handles only some of those errors by itself and ends its process on the others. A statement that is tried
 * again after the pool was ended stays without an answer: the queue does not wait for the last of them when it is stopped, and a job
 * whose end is not recorded runs again.
 */
export function retryingPool(pool: pg.Pool): pg.Pool {
  return wrap(pool, {
    // By a callback the queue takes the connection that it listens on, and connects again by itself after an error.
    connect: (...callback) =>
      callback.length > 0
        ? Reflect.apply(pool.connect, pool, callback)
        : pool.ending
          ? new Promise(() => undefined)
          : pool.connect().then(retryingClient, cannotConnectNow),
  });
}

function retryingClient(client: pg.PoolClient): pg.PoolClient {
  return wrap(client, {
    query: (...args) => {
      const answer: unknown = Reflect.apply(client.query, client, args);
      return answer instanceof Promise ? answer.catch(cannotConnectNow) : answer;
    },
  });
}

/** The target with these methods replaced. */
function wrap<T extends object>(target: T, methods: Readonly<Record<string, (...args: readonly unknown[]) => unknown>>): T {
  return new Proxy(target, {
    get(_, name) {
      const own = typeof name === 'string' ? methods[name] : undefined;
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function cannotConnectNow(error: unknown): never {
  if (!isDatabaseTimeout(error)) throw error;
  throw Object.assign(new Error('The database is unavailable.', { cause: error }), { code: CANNOT_CONNECT_NOW });
}
