import type { Database } from '../connect.ts';

/** The texts of the statements that some work sends through a database's pool, with those of others meanwhile. */
export async function statementsDuring({ pool }: Pick<Database, 'pool'>, work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const watched = new Set<object>();
  const watch = (connection: object): void => {
    if (watched.has(connection)) return;
    const send: unknown = Reflect.get(connection, 'query');
    if (typeof send !== 'function') throw new Error('a connection has no method `query`');
    watched.add(connection);
    const query = (...args: readonly unknown[]): unknown => {
      const [first] = args;
      texts.push(String(typeof first === 'object' && first !== null ? Reflect.get(first, 'text') : first));
      return Reflect.apply(send, connection, args);
    };
    Object.assign(connection, { query });
  };
  pool.on('acquire', watch);
  try {
    await work();
    return texts;
  } finally {
    pool.off('acquire', watch);
    // The method of the class shows again.
    for (const connection of watched) Reflect.deleteProperty(connection, 'query');
  }
}
