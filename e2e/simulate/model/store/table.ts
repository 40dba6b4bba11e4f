/** Changes of a transaction, newest last, to be undone where it does not commit; null outside of one. */
export class UndoLog {
  private undos: (() => void)[] | null = null;

  begin(): void {
    this.undos = [];
  }

  add(undo: () => void): void {
    this.undos?.push(undo);
  }

  commit(): void {
    this.undos = null;
  }

  rollBack(): void {
    const undos = this.undos ?? [];
    this.undos = null;
    for (const undo of undos.reverse()) undo();
  }
}

/** Values by which rows are found; null for rows that an index leaves out. */
export type Indexes<Row> = Readonly<Record<string, (row: Row) => string | null>>;

/** When a row is due, where something is to be done with rows of its table; null for one that never is. */
export type DueAt<Row> = (row: Row) => Date | null;

const NEVER = Number.POSITIVE_INFINITY;

/** Rows of a table by their key. Rows are never changed in place. */
export class Table<Row extends object> {
  private readonly rows = new Map<string, Row>();
  private readonly indexes: readonly (readonly [(row: Row) => string | null, Map<string, Set<string>>])[];
  private readonly byName: ReadonlyMap<string, Map<string, Set<string>>>;
  private readonly log: UndoLog;
  readonly keyOf: (row: Row) => string;
  private readonly indexed: Indexes<Row>;
  private readonly dueAtOf: DueAt<Row> | null;
  /** No row is due before. */
  private dueFrom = NEVER;
  /** False if the row that was due first may have changed. */
  private isDueFromExact = true;
  /** Called after a row was inserted or changed. */
  onWrite: ((row: Row, before: Row | null) => void) | null = null;

  constructor(
    log: UndoLog,
    keyOf: (row: Row) => string,
    { indexed = {}, dueAt = null }: { readonly indexed?: Indexes<Row>; readonly dueAt?: DueAt<Row> | null } = {},
  ) {
    this.log = log;
    this.keyOf = keyOf;
    this.indexed = indexed;
    this.dueAtOf = dueAt;
    this.byName = new Map(Object.keys(indexed).map((name) => [name, new Map()]));
    this.indexes = Object.entries(indexed).map(([name, columnOf]) => [columnOf, this.byName.get(name) ?? new Map()]);
  }

  get size(): number {
    return this.rows.size;
  }

  get(key: string): Row | undefined {
    return this.rows.get(key);
  }

  all(): IterableIterator<Row> {
    return this.rows.values();
  }

  /** Rows with a value in an index, in the order in which they were inserted. */
  by(index: string, value: string): Row[] {
    const found: Row[] = [];
    for (const key of this.byName.get(index)?.get(value) ?? []) {
      const row = this.rows.get(key);
      if (row !== undefined) found.push(row);
    }
    return found;
  }

  /** The value of a row in an index. */
  valueIn(index: string, row: Row): string | null {
    return this.indexed[index]?.(row) ?? null;
  }

  /** Rows that are due at a time, the longest overdue first. */
  due(at: number): Row[] {
    if (this.firstDueAt() > at) return [];
    const due: (readonly [at: number, row: Row])[] = [];
    for (const row of this.rows.values()) {
      const dueAt = this.dueAt(row);
      if (dueAt <= at) due.push([dueAt, row]);
    }
    return due.sort(([one], [other]) => one - other).map(([, row]) => row);
  }

  /** When the first row is due; infinite for none. */
  firstDueAt(): number {
    if (!this.isDueFromExact) {
      this.dueFrom = NEVER;
      for (const row of this.rows.values()) this.dueFrom = Math.min(this.dueFrom, this.dueAt(row));
      this.isDueFromExact = true;
    }
    return this.dueFrom;
  }

  insert(row: Row): void {
    const key = this.keyOf(row);
    if (this.rows.has(key)) throw new Error(`there is a row with the key ${key}`);
    this.add(key, row);
    this.log.add(() => this.remove(key, row));
    this.onWrite?.(row, null);
  }

  update(row: Row, changes: Partial<Row>): Row {
    const key = this.keyOf(row);
    const changed = { ...row, ...changes };
    this.replace(key, row, changed);
    this.log.add(() => this.replace(key, changed, row));
    this.onWrite?.(changed, row);
    return changed;
  }

  delete(row: Row): void {
    const key = this.keyOf(row);
    this.remove(key, row);
    this.log.add(() => this.add(key, row));
  }

  private replace(key: string, before: Row, after: Row): void {
    this.rows.set(key, after);
    for (const [columnOf, index] of this.indexes) {
      const [left, entered] = [columnOf(before), columnOf(after)];
      if (left === entered) continue;
      leave(index, left, key);
      enter(index, entered, key);
    }
    this.noteDue(before, after);
  }

  private add(key: string, row: Row): void {
    this.rows.set(key, row);
    for (const [columnOf, index] of this.indexes) enter(index, columnOf(row), key);
    this.noteDue(null, row);
  }

  private remove(key: string, row: Row): void {
    this.rows.delete(key);
    for (const [columnOf, index] of this.indexes) leave(index, columnOf(row), key);
    this.noteDue(row, null);
  }

  private noteDue(before: Row | null, after: Row | null): void {
    if (this.dueAtOf === null) return;
    if (before !== null && this.dueAt(before) <= this.dueFrom) this.isDueFromExact = false;
    if (after !== null) this.dueFrom = Math.min(this.dueFrom, this.dueAt(after));
  }

  private dueAt(row: Row): number {
    return this.dueAtOf?.(row)?.getTime() ?? NEVER;
  }
}

function enter(index: Map<string, Set<string>>, value: string | null, key: string): void {
  if (value === null) return;
  const keys = index.get(value);
  if (keys === undefined) index.set(value, new Set([key]));
  else keys.add(key);
}

function leave(index: Map<string, Set<string>>, value: string | null, key: string): void {
  if (value === null) return;
  const keys = index.get(value);
  keys?.delete(key);
  if (keys?.size === 0) index.delete(value);
}
