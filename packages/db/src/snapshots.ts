import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from './generated/client.ts';

/** Models and statements on one connection, in one read-only transaction: all that they read is of one moment. */
export interface Snapshot {
  readonly prisma: PrismaClient;
  /** Holds that one connection: a caller that keeps a client of it must not wait for another. */
  readonly pool: pg.Pool;
}

/** Runs reads in a snapshot each. */
export interface Snapshots {
  /**
   * Runs reads on one connection, in one read-only snapshot of the database. They run one after the other, and one that fails makes all
   * later ones fail. Throws when the connection is lost meanwhile. Not to be called within itself: each call takes a connection.
   */
  inSnapshot<T>(read: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Snapshots at the same time; more wait. */
const CONNECTIONS = 4;

interface Slot extends Snapshot {
  /** The connection of the transaction; null before it began. */
  connection: pg.PoolClient | null;
  /** True once another connection took its place: what that reads is outside of the transaction. */
  isLost: boolean;
}

/** Opens snapshots over pools of one connection each, which are made on first use. */
export function openSnapshots(openPool: (max: 1) => pg.Pool): Snapshots {
  const slots: Slot[] = [];
  const free: Slot[] = [];
  const waiting: ((slot: Slot) => void)[] = [];

  function openSlot(): Slot {
    const pool = openPool(1);
    const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: false }), errorFormat: 'minimal' });
    const slot: Slot = { pool, prisma, connection: null, isLost: false };
    pool.on('acquire', (connection) => {
      slot.connection ??= connection;
      slot.isLost ||= slot.connection !== connection;
    });
    slots.push(slot);
    return slot;
  }

  function take(): Slot | Promise<Slot> {
    const slot = free.pop();
    if (slot !== undefined) return slot;
    return slots.length < CONNECTIONS ? openSlot() : new Promise((resolve) => waiting.push(resolve));
  }

  function release(slot: Slot): void {
    const next = waiting.shift();
    if (next === undefined) free.push(slot);
    else next(slot);
  }

  return {
    async inSnapshot(read) {
      const slot = await take();
      try {
        Object.assign(slot, { connection: null, isLost: false });
        await slot.pool.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        const answer = await read(slot);
        if (slot.isLost) throw new Error('the connection of a snapshot was lost while it was read');
        return answer;
      } finally {
        // Ends it after a failure too. A connection that is lost has ended it already.
        await slot.pool.query('COMMIT').catch(() => undefined);
        release(slot);
      }
    },
    async close() {
      await Promise.all(slots.map(({ prisma }) => prisma.$disconnect()));
      await Promise.all(slots.map(({ pool }) => pool.end()));
    },
  };
}
