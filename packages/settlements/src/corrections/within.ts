import type { Database } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { SettlementContext } from '../context.ts';

/** A query as features send it past Prisma. */
interface NamedQuery {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * The context of a transaction: use cases that are given it read what the transaction wrote and write into it, whatever connection they would use
 * otherwise. Transactions of theirs are parts of it. It is a rehearsal: nothing of it is audited.
 */
export function contextWithin(context: SettlementContext, transaction: Prisma.TransactionClient): SettlementContext {
  const { database } = context.resources;
  const prisma: Database['prisma'] = new Proxy(database.prisma, {
    get(target, name) {
      if (name === '$transaction') return <T>(work: (within: Prisma.TransactionClient) => Promise<T>) => work(transaction);
      return Reflect.get(name in transaction ? transaction : target, name);
    },
  });
  const pool: Database['pool'] = new Proxy(database.pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return async ({ text, values = [] }: NamedQuery) => {
        return { rows: await transaction.$queryRawUnsafe<unknown[]>(text, ...values) };
      };
    },
  });
  return { ...context, isRehearsal: true, resources: { ...context.resources, database: { ...database, prisma, pool } } };
}
