import { type Database, enqueueJob } from '@switchyard/db';
import type { Prisma, SettlementSource } from '@switchyard/db/client';
import type { AccountKey, SettlementContext } from './context.ts';

const LEASE_MS = 5 * 60_000;

/** The account has been taken over: the lease ran out. */
export class LostLease extends Error {}

/** The parts of a lease that matching an account needs. */
export interface AccountLease {
  readonly key: AccountKey;
  /** The account's source, which only the lease's process changes. */
  read(): Promise<SettlementSource>;
  /** Throws {@link LostLease} when another process has taken the account. */
  renew(): Promise<void>;
  /** Changes the source. Throws {@link LostLease} when another process has taken the account. */
  write(
    client: Pick<Prisma.TransactionClient, 'settlementSource'>,
    data: Prisma.SettlementSourceUpdateManyMutationInput,
  ): Promise<void>;
  /** Locks the source until the transaction ends. Throws {@link LostLease} when another process has taken the account. */
  confirm(transaction: Prisma.TransactionClient): Promise<void>;
  /**
   * The same, and throws {@link LostLease} where something came since `lastIntakeAt` as well: it is not linked yet, so that what seems open may not
   * be, and it has requested to be matched.
   */
  confirmQuiet(transaction: Prisma.TransactionClient, lastIntakeAt: Date | null): Promise<void>;
}

/** The lease of one process on an account, to read and match it. Every write checks it, so that an expired one writes nothing. */
export class SourceLease implements AccountLease {
  readonly key: AccountKey;
  private readonly context: SettlementContext;
  private until: Date;

  private constructor(context: SettlementContext, key: AccountKey, until: Date) {
    this.context = context;
    this.key = key;
    this.until = until;
  }

  /** Null while another process has the account. */
  static async take(context: SettlementContext, key: AccountKey): Promise<SourceLease | null> {
    const { prisma } = context.resources.database;
    const now = context.now();
    const leasedUntil = new Date(now.getTime() + LEASE_MS);
    await createSource(context.resources.database, key);
    const isFree = { OR: [{ leasedUntil: null }, { leasedUntil: { lt: now } }] };
    const { count } = await prisma.settlementSource.updateMany({ where: { ...key, ...isFree }, data: { leasedUntil } });
    return count === 0 ? null : new SourceLease(context, key, leasedUntil);
  }

  read(): Promise<SettlementSource> {
    return this.context.resources.database.prisma.settlementSource.findUniqueOrThrow({
      where: { merchantId_accountId: this.key },
    });
  }

  async renew(): Promise<void> {
    const leasedUntil = new Date(this.context.now().getTime() + LEASE_MS);
    await this.write(this.context.resources.database.prisma, { leasedUntil });
    this.until = leasedUntil;
  }

  async write(
    client: Pick<Prisma.TransactionClient, 'settlementSource'>,
    data: Prisma.SettlementSourceUpdateManyMutationInput,
  ): Promise<void> {
    const { count } = await client.settlementSource.updateMany({ where: { ...this.key, leasedUntil: this.until }, data });
    if (count === 0) throw new LostLease();
  }

  async confirm(transaction: Prisma.TransactionClient): Promise<void> {
    await this.write(transaction, { leasedUntil: this.until });
  }

  async confirmQuiet(transaction: Prisma.TransactionClient, lastIntakeAt: Date | null): Promise<void> {
    await this.confirm(transaction);
    if ((await transaction.settlementSource.count({ where: { ...this.key, lastIntakeAt } })) === 0) throw new LostLease();
  }

  async release(): Promise<void> {
    const { prisma } = this.context.resources.database;
    await prisma.settlementSource.updateMany({ where: { ...this.key, leasedUntil: this.until }, data: { leasedUntil: null } });
  }
}

/** Creates an account's source where there is none. */
export async function createSource({ prisma }: Pick<Database, 'prisma'>, key: AccountKey): Promise<void> {
  await prisma.settlementSource.createMany({ data: [{ ...key }], skipDuplicates: true });
}

/**
 * How long nothing more has to come of an account before what is open is judged: the next file, statement or announcement of a batch may be what
 * lacks.
 */
export const QUIET_MS = 30_000;

/** True if nothing more came for {@link QUIET_MS}. */
export function isQuiet(lastIntakeAt: Date | null, now: Date): boolean {
  return lastIntakeAt === null || lastIntakeAt.getTime() + QUIET_MS <= now.getTime();
}

/** The moment from which on it is quiet, unless more comes. */
export function quietAt(lastIntakeAt: Date): Date {
  return new Date(lastIntakeAt.getTime() + QUIET_MS);
}

/**
 * Records in the transaction of an intake that something of an account came by file or webhook, and requests matching: at once, so that what came is
 * linked, and again to judge what is open once it is quiet.
 */
export async function noteIntake(transaction: Prisma.TransactionClient, key: AccountKey, now: Date): Promise<void> {
  const { merchantId, accountId } = key;
  const job = { merchantId, accountId };
  await transaction.settlementSource.updateMany({ where: job, data: { lastIntakeAt: now, matchedAt: null } });
  await enqueueJob(transaction, 'read-settlements', job, { key: `read-settlements:${accountId}`, keepsJob: true });
  await enqueueJob(transaction, 'read-settlements', job, { key: `judge-settlements:${accountId}`, runAt: quietAt(now) });
}

/** How many rows a statement reads or writes of what many columns are sent for. */
export const BATCH = 1_000;
/** How many rows a statement reads, or writes a few columns of: a payout of 100,000 payments is tens of statements, not hundreds. */
export const LARGE_BATCH = 10_000;

/** A list in parts, of {@link BATCH} unless another size is given. */
export function batches<T>(all: readonly T[], size = BATCH): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}
