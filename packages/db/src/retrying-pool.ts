import type pg from 'pg';
import { isDatabaseUnavailable } from './database-unavailable.ts';

/** "Cannot connect now": what the job queue waits for and tries again, for as long as it takes. */
const CANNOT_CONNECT_NOW = '57P03';

/**
 * A pool as the job queue needs it: whatever says that the database is away says so in the one way on which the queue is patient.
 * By itself it knows a few of them, and ends its process over the others.
 */
export function retryingPool(pool: pg.Pool): pg.Pool {
  return wrap(pool, {
    connect: async () => patientClient(await pool.connect().catch(cannotConnectNow)),
  });
}

function patientClient(client: pg.PoolClient): pg.PoolClient {
  return wrap(client, {
    query: (...args) => {
      const answer: unknown = Reflect.apply(client.query, client, args);
      return answer instanceof Promise ? answer.catch(cannotConnectNow) : answer;
    },
  });
}

/** The same thing, but for these methods. */
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
  if (!isDatabaseUnavailable(error)) throw error;
  throw Object.assign(new Error('The database is away.', { cause: error }), { code: CANNOT_CONNECT_NOW });
}
