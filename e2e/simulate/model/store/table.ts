/** Changes of a transaction, newest last, to be undone where it does not commit; null outside of one. */
export class UndoLog {
  private undos: (() => void)[] | null = null;

  get isOpen(): boolean {
    return this.undos !== null;
  }

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

/** Rows of a table by their key. Rows are never changed in place. */
export class Table<Row extends object> {
  private readonly rows = new Map<string, Row>();
  private readonly indexes = new Map<string, Map<string, Set<string>>>();
  private readonly log: UndoLog;
  readonly keyOf: (row: Row) => string;
  private readonly indexed: Indexes<Row>;
  /** Called after a row was inserted or changed. */
  onWrite: ((row: Row, before: Row | null) => void) | null = null;

  constructor(log: UndoLog, keyOf: (row: Row) => string, indexed: Indexes<Row> = {}) {
    this.log = log;
    this.keyOf = keyOf;
    this.indexed = indexed;
    for (const name of Object.keys(indexed)) this.indexes.set(name, new Map());
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
    for (const key of this.indexes.get(index)?.get(value) ?? []) {
      const row = this.rows.get(key);
      if (row !== undefined) found.push(row);
    }
    return found;
  }

  /** Values of an index that rows have. */
  valuesOf(index: string): string[] {
    return Array.from(this.indexes.get(index) ?? []).flatMap(([value, keys]) => (keys.size === 0 ? [] : [value]));
  }

  /** The value of a row in an index. */
  valueIn(index: string, row: Row): string | null {
    return this.indexed[index]?.(row) ?? null;
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
    for (const [name, columnOf] of Object.entries(this.indexed)) {
      const [left, entered] = [columnOf(before), columnOf(after)];
      if (left === entered) continue;
      this.leave(name, left, key);
      this.enter(name, entered, key);
    }
  }

  private add(key: string, row: Row): void {
    this.rows.set(key, row);
    for (const [name, columnOf] of Object.entries(this.indexed)) this.enter(name, columnOf(row), key);
  }

  private remove(key: string, row: Row): void {
    this.rows.delete(key);
    for (const [name, columnOf] of Object.entries(this.indexed)) this.leave(name, columnOf(row), key);
  }

  private enter(name: string, value: string | null, key: string): void {
    const index = this.indexes.get(name);
    if (value === null || index === undefined) return;
    const keys = index.get(value);
    if (keys === undefined) index.set(value, new Set([key]));
    else keys.add(key);
  }

  private leave(name: string, value: string | null, key: string): void {
    if (value !== null) this.indexes.get(name)?.get(value)?.delete(key);
  }
}
