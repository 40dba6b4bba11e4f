import type { Rng } from '../../../world/plan/rng.ts';
import type { Owner, Scheduler } from '../../kernel/scheduler.ts';
import { type Call, openClient, type RunStatement } from './client.ts';
import type { Tables } from './rows.ts';
import { type Result, runStatement } from './statements.ts';

/** How the server and the way to it are at present. */
export interface ServerConditions {
  /** No statement begins. */
  isAway: boolean;
  /** Most milliseconds from a statement's beginning to its answer. */
  latencyMs: number;
  /** Share of the statements whose connection is lost, before they ran or after. */
  loss: number;
}

/** How long a transaction may take, as Prisma has it. */
const TRANSACTION_MAX_MS = 5_000;
/** Milliseconds for which one stays open that its process does not end then: it is paused, and all others wait meanwhile. */
const IDLE_MAX_MS = 1_000;
const AWAY_MS = 20;
const COMMIT: Call = { table: null, method: 'COMMIT', given: [] };

/** A prepared statement. */
interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A statement that was committed, with what it answered. */
export interface Committed {
  readonly call: Call;
  readonly now: Date;
  readonly result: unknown;
}

interface Transaction {
  readonly done: Committed[];
  readonly owner: Owner;
  readonly begunAt: number;
  isOver: boolean;
}

/**
 * A database server in memory. A statement happens at one moment, whole, between its beginning and its answer; while a transaction is open,
 * all other statements wait.
 */
export class MemoryServer {
  readonly tables: Tables;
  readonly conditions: ServerConditions = { isAway: false, latencyMs: 2, loss: 0 };
  statements = 0;
  /** Committed statements, in their order; null where that is not recorded. */
  committed: Committed[] | null = null;
  private readonly scheduler: Scheduler;
  private readonly draws: Rng;
  private readonly world: Owner;
  private open: Transaction | null = null;
  private waiting: (() => void)[] = [];

  constructor(tables: Tables, scheduler: Scheduler, draws: Rng, world: Owner) {
    this.tables = tables;
    this.scheduler = scheduler;
    this.draws = draws;
    this.world = world;
  }

  /** The database as a process sees it. */
  connect(owner: Owner) {
    const { tables } = this;
    const run: RunStatement = (call, statement) => this.run(owner, null, call, statement);
    const query = (prepared: Prepared): Promise<Result> =>
      run({ table: null, method: 'query', given: [prepared] }, (now) =>
        runStatement(tables, prepared.name, prepared.values, now),
      );
    const pool = { query, options: { connectionTimeoutMillis: 2_000 } };
    const client = openClient(tables, run);
    return {
      prisma: {
        ...client,
        $transaction: <T>(work: (transaction: object) => Promise<T>): Promise<T> => this.transact(owner, work),
      },
      pool,
      batches: pool,
      rowsShareANode: () => true,
      packsTexts: () => true,
      beforeClose: () => undefined,
      close: () => Promise.resolve(),
    };
  }

  /** Does something that needs all rows as they were committed: at once, or when the open transaction has ended. */
  betweenTransactions(task: () => void): void {
    this.whenFree(null, task);
  }

  /** Rolls back what a process has begun: its connection is lost. */
  abandon(owner: Owner): void {
    if (this.open?.owner === owner) this.end(this.open, false);
  }

  private run<T>(owner: Owner, transaction: Transaction | null, call: Call, statement: (now: Date) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.statements += 1;
      this.later(() => {
        const { isAway, loss } = this.conditions;
        if (transaction?.isOver === true) return this.answer(owner, () => reject(lostConnection()));
        const isLost = isAway || (loss > 0 && this.draws.chance(loss));
        if (isLost && (isAway || this.draws.chance(0.5))) {
          if (transaction !== null) this.end(transaction, false);
          return this.answer(owner, () => reject(lostConnection()));
        }
        this.whenFree(transaction, () => {
          if (transaction?.isOver === true) return this.answer(owner, () => reject(lostConnection()));
          const now = new Date(this.scheduler.now);
          const done = attempt(() => statement(now));
          if ('value' in done) (transaction?.done ?? this.committed)?.push({ call, now, result: done.value });
          if (isLost && transaction?.isOver === false) this.end(transaction, false);
          this.answer(owner, () => {
            if (isLost) reject(lostConnection());
            else if ('error' in done) reject(done.error);
            else resolve(done.value);
          });
        });
      });
    });
  }

  private async transact<T>(owner: Owner, work: (transaction: object) => Promise<T>): Promise<T> {
    const transaction = await this.begin(owner);
    const client = openClient(this.tables, (call, statement) => this.run(owner, transaction, call, statement));
    let result: T;
    try {
      result = await work(client);
    } catch (error) {
      if (!transaction.isOver) this.end(transaction, false);
      throw error;
    }
    await this.run(owner, transaction, COMMIT, () => {
      const isLate = this.scheduler.now - transaction.begunAt > TRANSACTION_MAX_MS;
      this.end(transaction, !isLate);
      if (isLate) throw Object.assign(new Error('Transaction already closed'), { code: 'P2028' });
    });
    return result;
  }

  private begin(owner: Owner): Promise<Transaction> {
    return new Promise((resolve, reject) => {
      this.later(() => {
        if (this.conditions.isAway) return this.answer(owner, () => reject(lostConnection()));
        this.whenFree(null, () => {
          if (!owner.alive) return;
          const transaction: Transaction = { owner, begunAt: this.scheduler.now, isOver: false, done: [] };
          this.open = transaction;
          this.tables.undoLog.begin();
          // One that its process does not go on with is ended by the server.
          this.scheduler.after(TRANSACTION_MAX_MS + IDLE_MAX_MS, this.world, () => {
            if (!transaction.isOver) this.end(transaction, false);
          });
          this.answer(owner, () => resolve(transaction));
        });
      });
    });
  }

  private end(transaction: Transaction, commits: boolean): void {
    transaction.isOver = true;
    this.open = null;
    if (commits) {
      this.tables.undoLog.commit();
      this.committed?.push(...transaction.done);
    } else this.tables.undoLog.rollBack();
    const waiting = this.waiting;
    this.waiting = [];
    for (const go of waiting) go();
  }

  private later(task: () => void): void {
    const { latencyMs, isAway } = this.conditions;
    this.scheduler.after(isAway ? AWAY_MS : this.draws.between(1, latencyMs * 1_000) / 1_000, this.world, task);
  }

  private whenFree(transaction: Transaction | null, go: () => void): void {
    if (this.open === null || this.open === transaction) go();
    else this.waiting.push(() => this.whenFree(transaction, go));
  }

  /** Answers a process that still runs; one that is paused gets the answer later. */
  private answer(owner: Owner, give: () => void): void {
    if (!owner.alive) return;
    if (owner.pausedUntil > this.scheduler.now) this.scheduler.after(0, owner, give);
    else give();
  }
}

type Done<T> = { readonly value: T } | { readonly error: unknown };

function attempt<T>(statement: () => T): Done<T> {
  try {
    return { value: statement() };
  } catch (error) {
    return { error };
  }
}

function lostConnection(): Error {
  return Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
}
