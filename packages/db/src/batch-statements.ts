import type { Database } from './connect.ts';
import { isDatabaseUnavailable } from './database-unavailable.ts';

/** How statements of one kind, each about one row, are gathered into statements about many. */
export interface BatchedStatement<Item, Result> {
  /**
   * Runs one statement for all items; the results in the order of the items. At least one item. `merchant` is the one whose rows they all
   * are about, and null where rows of all merchants may be in one statement.
   */
  readonly run: (database: Database, items: readonly [Item, ...Item[]], merchant: string | null) => Promise<readonly Result[]>;
  /**
   * Names the row that an item writes. Items of one key are never in one statement, where the second could not see what the first
   * did; and every statement takes its rows in the order of their keys, so that no two wait for each other's. Left out for reads.
   */
  readonly key?: (item: Item) => string;
  /**
   * Names the merchant whose rows an item reads or writes. In a distributed database, whose nodes have the rows of different merchants, a
   * statement has items of one merchant alone. Left out where no rows of merchants are concerned.
   */
  readonly merchant?: (item: Item) => string;
}

/**
 * Statements of one kind that run at once. The second starts beside a small one at once, because there is little to gather; beside a
 * large one only when that is slow, such as one that waits for a lock.
 */
const STATEMENTS_MAX = 2;
const LARGE = 8;
const SLOW_MS = 50;
const ITEMS_MAX = 64;
interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A read or a write that shares its statement, and so its round trip and its commit, with those of concurrent requests. While none
 * runs, or one of a few items, an item waits no longer than the current turn of the event loop; while a large one runs, items gather
 * and go together into the next, which starts when the first ends, is slow, or when there are as many as one statement takes.
 *
 * Resolves once the statement is committed, so that a caller may rely on its row as if it had written it alone. A row that the
 * database refuses fails its own caller only: the statement, which has then written nothing, is repeated row by row. When the
 * database cannot be reached, every caller of the statement gets that error, and may find its row written or not, as with a
 * statement of its own. An item that waits for longer than callers of the pool do is refused as when the pool has no connection.
 *
 * Rows of all merchants are gathered together where one server has them, else those of each merchant.
 */
export function batched<Item, Result>(
  statement: BatchedStatement<Item, Result>,
): (database: Database, item: Item) => Promise<Result> {
  const gatherings = new WeakMap<Database, Gathering<Item, Result>>();
  return (database, item) => {
    const gathering = gatherings.get(database) ?? new Gathering(database, statement);
    gatherings.set(database, gathering);
    return gathering.add(item);
  };
}

/** Queues of one kind of statement: one of all merchants, or one of each that has items waiting or running. */
class Gathering<Item, Result> {
  private readonly database: Database;
  private readonly statement: BatchedStatement<Item, Result>;
  private readonly queues = new Map<string | null, Queue<Item, Result>>();

  constructor(database: Database, statement: BatchedStatement<Item, Result>) {
    this.database = database;
    this.statement = statement;
    database.beforeClose(async () => {
      await Promise.all([...this.queues.values()].map((queue) => queue.finish()));
    });
  }

  add(item: Item): Promise<Result> {
    const { merchant: merchantOf } = this.statement;
    const merchant = merchantOf === undefined || this.database.rowsShareANode() ? null : merchantOf(item);
    let queue = this.queues.get(merchant);
    if (queue === undefined) {
      queue = new Queue(this.database, this.statement, merchant, () => this.queues.delete(merchant));
      this.queues.set(merchant, queue);
    }
    return queue.add(item);
  }
}

class Queue<Item, Result> {
  private readonly database: Database;
  private readonly statement: BatchedStatement<Item, Result>;
  private readonly merchant: string | null;
  /** As long as a caller of the pool waits for a connection. */
  private readonly waitMaxMs: number;
  /** Called whenever nothing waits and nothing runs. */
  private readonly onEmpty: () => void;
  /** Oldest first. */
  private readonly waiting: Waiting<Item, Result>[] = [];
  private readonly running = new Set<Promise<void>>();
  /** Items of the statement that was started last. */
  private lastSize = 0;
  private scheduled = false;
  private slowTimer: NodeJS.Timeout | undefined;
  private refusalTimer: NodeJS.Timeout | undefined;

  constructor(database: Database, statement: BatchedStatement<Item, Result>, merchant: string | null, onEmpty: () => void) {
    this.database = database;
    this.statement = statement;
    this.merchant = merchant;
    this.onEmpty = onEmpty;
    this.waitMaxMs = database.pool.options.connectionTimeoutMillis ?? Number.POSITIVE_INFINITY;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, since: performance.now(), resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.waiting.length === 0 || this.scheduled) return;
    if (this.running.size >= STATEMENTS_MAX) {
      this.refusalTimer ??= setTimeout(() => this.refuseLate(), this.waitMaxMs);
    } else if (this.running.size > 0 && this.lastSize >= LARGE && this.waiting.length < ITEMS_MAX) {
      this.slowTimer ??= setTimeout(() => this.startSoon(), SLOW_MS);
    } else {
      this.startSoon();
    }
  }

  /** After the requests that arrived in this turn of the event loop. */
  private startSoon(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.start();
    });
  }

  private start(): void {
    clearTimeout(this.slowTimer);
    this.slowTimer = undefined;
    const batch = this.take();
    this.lastSize = batch.length;
    const running = this.write(batch).finally(() => {
      this.running.delete(running);
      clearTimeout(this.slowTimer);
      this.slowTimer = undefined;
      if (this.waiting.length === 0 && this.running.size === 0) this.onEmpty();
      this.schedule();
    });
    this.running.add(running);
    this.schedule();
  }

  /** Takes the oldest items off the queue, of each key only the first; sorted by key. */
  private take(): Waiting<Item, Result>[] {
    const { key } = this.statement;
    if (key === undefined) return this.waiting.splice(0, ITEMS_MAX);
    const taken = new Map<string, Waiting<Item, Result>>();
    const left: Waiting<Item, Result>[] = [];
    for (const one of this.waiting.splice(0)) {
      const name = key(one.item);
      if (taken.size < ITEMS_MAX && !taken.has(name)) taken.set(name, one);
      else left.push(one);
    }
    this.waiting.push(...left);
    return [...taken].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
  }

  /** The statements that run may take long, and a caller of the pool would not have waited any longer either. */
  private refuseLate(): void {
    this.refusalTimer = undefined;
    const oldest = performance.now() - this.waitMaxMs;
    while (this.waiting[0] !== undefined && this.waiting[0].since <= oldest) {
      this.waiting.shift()?.reject(new Error('timeout exceeded when trying to connect to the database'));
    }
    this.schedule();
  }

  /** Resolves when nothing waits and nothing runs. */
  async finish(): Promise<void> {
    while (this.waiting.length > 0 || this.running.size > 0) {
      await (this.running.size > 0 ? Promise.race(this.running) : new Promise(setImmediate));
    }
    clearTimeout(this.refusalTimer);
  }

  /** Never rejects. */
  private async write(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const [first, ...rest] = batch;
    if (first === undefined) return;
    try {
      const items = [first.item, ...rest.map(({ item }) => item)] as const;
      const results = await this.statement.run(this.database, items, this.merchant);
      if (results.length !== items.length) throw new Error(`${items.length} items gave ${results.length} results`);
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      if (batch.length === 1 || !isRolledBack(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await this.write([one]);
    }
  }
}

/** Data exceptions, violated constraints and deadlocks: the statement was rolled back because of one of its rows. */
const REFUSED_ROW = /^(22|23|40)...$/;

function isRolledBack(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || isDatabaseUnavailable(error)) return false;
  return typeof error.code === 'string' && REFUSED_ROW.test(error.code);
}
