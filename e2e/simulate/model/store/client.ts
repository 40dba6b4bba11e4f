import { addDecimals } from '@switchyard/db/decimals';
import { Numeric } from './numeric.ts';
import type { Tables } from './rows.ts';
import { addJob, changePayments, Parameters } from './statements.ts';
import type { Table } from './table.ts';

/*
 * As much of Prisma's client as the life cycle of a payment uses. Each call is one statement, which `run` lets happen when its time has come.
 */

/** A statement as the product asked for it: a method of the client or of one of its tables, and what it was given. */
export interface Call {
  readonly table: string | null;
  readonly method: string;
  readonly given: readonly unknown[];
}

/** Lets a statement happen, and answers with its result. */
export type RunStatement = <Result>(call: Call, statement: (now: Date) => Result) => Promise<Result>;

type Where = Readonly<Record<string, unknown>>;

interface Query {
  readonly where?: Where;
  readonly orderBy?: Readonly<Record<string, 'asc' | 'desc'>> | readonly Readonly<Record<string, 'asc' | 'desc'>>[];
  readonly take?: number;
}

/** A table as the client offers it. */
class Delegate<Row extends object> {
  private readonly name: string;
  private readonly table: Table<Row>;
  private readonly runStatement: RunStatement;
  private readonly options: DelegateOptions;

  constructor(name: string, table: Table<Row>, run: RunStatement, options: DelegateOptions = {}) {
    this.name = name;
    this.table = table;
    this.runStatement = run;
    this.options = options;
  }

  findUnique(query: { readonly where: Where }): Promise<object | null> {
    // Of a key of several columns the client takes an object under their joined names.
    const [columns] = Object.values(query.where);
    const key: Where = typeof columns === 'object' && columns !== null ? { ...columns } : query.where;
    return this.run('findUnique', query, () => this.read(this.find({ where: key })[0]));
  }

  findFirst(query: Query): Promise<object | null> {
    return this.run('findFirst', query, () => this.read(this.find(query)[0]));
  }

  findMany(query: Query): Promise<object[]> {
    return this.run('findMany', query, () => this.find(query).flatMap((row) => this.read(row) ?? []));
  }

  count(query: Query): Promise<number> {
    return this.run('count', query, () => this.find({ where: query.where ?? {} }).length);
  }

  aggregate(query: Query & { readonly _sum: Readonly<Record<string, true>> }): Promise<object> {
    return this.run('aggregate', query, () => {
      const { where, _sum } = query;
      const rows = this.find({ where: where ?? {} });
      const sums = Object.keys(_sum).map((column) => {
        return [column, sumOf(rows.map((row) => columnOf(row, column)))];
      });
      return { _sum: Object.fromEntries(sums) };
    });
  }

  create(query: { readonly data: object }): Promise<object> {
    return this.run('create', query, () => {
      const row = this.complete(query.data);
      this.table.insert(row);
      return this.read(row) ?? {};
    });
  }

  createMany(query: { readonly data: object | readonly object[]; readonly skipDuplicates?: boolean }) {
    return this.run('createMany', query, () => {
      const { data, skipDuplicates } = query;
      let count = 0;
      for (const one of Array.isArray(data) ? data : [data]) {
        const row = this.complete(one);
        const { unique } = this.options;
        const isKnown =
          this.table.get(this.table.keyOf(row)) !== undefined || (unique !== undefined && this.isTaken(unique, row));
        if (isKnown && skipDuplicates === true) continue;
        this.table.insert(row);
        count += 1;
      }
      return { count };
    });
  }

  updateMany(query: { readonly where: Where; readonly data: object }): Promise<{ count: number }> {
    return this.run('updateMany', query, () => {
      const { where, data } = query;
      const rows = this.find({ where });
      for (const row of rows) this.table.update(row, changesOf<Row>(row, data, this.options.numeric ?? []));
      return { count: rows.length };
    });
  }

  private run<Result>(method: string, query: object, statement: () => Result): Promise<Result> {
    return this.runStatement({ table: this.name, method, given: [query] }, statement);
  }

  private isTaken(index: string, row: Row): boolean {
    const value = this.table.valueIn(index, row);
    return value !== null && this.table.by(index, value).length > 0;
  }

  private complete(data: object): Row {
    const row: Record<string, unknown> = { ...this.options.defaults };
    for (const [column, value] of Object.entries(data)) if (value !== undefined) row[column] = value;
    return asRow<Row>(row);
  }

  private find({ where = {}, orderBy = [], take }: Query): Row[] {
    const rows = this.candidates(where).filter((row) => matches(row, where));
    const orders = Array.isArray(orderBy) ? orderBy : [orderBy];
    const sorted = orders.length === 0 ? rows : rows.sort((one, other) => compareBy(orders, one, other));
    return take === undefined ? sorted : sorted.slice(0, take);
  }

  private candidates(where: Where): Row[] {
    const { paymentId, id } = where;
    if (typeof id === 'string') {
      const row = this.table.get(id);
      if (row !== undefined) return [row];
    }
    if (typeof paymentId === 'string' && this.options.byPayment === true) return this.table.by('payment', paymentId);
    return [...this.table.all()];
  }

  private read(row: Row | undefined): object | null {
    if (row === undefined) return null;
    const { numeric = [] } = this.options;
    if (numeric.length === 0) return row;
    const amounts = numeric.map((column) => {
      const text = columnOf(row, column);
      return [column, typeof text === 'string' ? new Numeric(text) : null];
    });
    return { ...row, ...Object.fromEntries(amounts) };
  }
}

interface DelegateOptions {
  /** Values of columns that a new row may leave out. */
  readonly defaults?: object;
  readonly numeric?: readonly string[];
  /** True if the table has an index by payment. */
  readonly byPayment?: boolean;
  /** Index of a unique key beside the primary one. */
  readonly unique?: string;
}

/** A complete row: the client's types say so of what it is given. */
function asRow<Row extends object>(row: object): Row {
  return row as Row;
}

/** Sum of a column; null without values. */
function sumOf(values: readonly unknown[]): bigint | Numeric | null {
  const amounts = values.filter((value) => typeof value === 'bigint');
  if (amounts.length > 0) return amounts.reduce((sum, value) => sum + value, 0n);
  const decimals = values.filter((value) => typeof value === 'string');
  return decimals.length === 0 ? null : new Numeric(addDecimals(...decimals));
}

function changesOf<Row extends object>(row: Row, data: object, numeric: readonly string[]): Partial<Row> {
  const changes: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(data)) {
    if (value === undefined) continue;
    const before = columnOf(row, column);
    const isIncrement = typeof value === 'object' && value !== null && 'increment' in value;
    if (isIncrement) changes[column] = Number(before) + Number(value.increment);
    else changes[column] = numeric.includes(column) && value !== null ? String(value) : value;
  }
  return asRow<Row>(changes);
}

function columnOf(row: object, column: string): unknown {
  return Reflect.get(row, column);
}

/** True if a row is one that a condition of the client's names. */
function matches(row: object, where: Where): boolean {
  return Object.entries(where).every(([column, condition]) => {
    if (condition === undefined) return true;
    if (column === 'OR') return Array.isArray(condition) && condition.some((one: Where) => matches(row, one));
    return fits(columnOf(row, column), condition);
  });
}

function fits(value: unknown, condition: unknown): boolean {
  if (condition === null || typeof condition !== 'object' || condition instanceof Date) return isSame(value, condition);
  return Object.entries(condition).every(([operator, operand]) => {
    switch (operator) {
      case 'in':
        return Array.isArray(operand) && operand.some((one) => isSame(value, one));
      case 'not':
        // As in SQL, null is unlike nothing but null.
        return operand === null ? value !== null : value !== null && !isSame(value, operand);
      case 'lt':
        return value !== null && compare(value, operand) < 0;
      case 'lte':
        return value !== null && compare(value, operand) <= 0;
      case 'gt':
        return value !== null && compare(value, operand) > 0;
      default:
        throw new Error(`the model has no condition ${operator}`);
    }
  });
}

function isSame(one: unknown, other: unknown): boolean {
  return one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other;
}

function compare(one: unknown, other: unknown): number {
  if (one instanceof Date && other instanceof Date) return one.getTime() - other.getTime();
  if (typeof one === 'bigint' && typeof other === 'bigint') return one < other ? -1 : Number(one > other);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [first, second] = [String(one), String(other)];
  return first < second ? -1 : Number(first > second);
}

function compareBy(orders: readonly Readonly<Record<string, 'asc' | 'desc'>>[], one: object, other: object): number {
  for (const order of orders) {
    for (const [column, direction] of Object.entries(order)) {
      const difference = compare(columnOf(one, column), columnOf(other, column));
      if (difference !== 0) return direction === 'asc' ? difference : -difference;
    }
  }
  return 0;
}

const REFUND_DEFAULTS = {
  gatewayRefundId: null,
  failureMessage: null,
  sentAt: null,
  sendCount: 0,
  checkCount: 0,
  version: 1,
  note: null,
  resolvedBy: null,
  resolvedAt: null,
};
const CHARGE_DEFAULTS = { refundId: null, note: null, resolvedBy: null, resolvedAt: null };

/** The client, on these tables. */
export function openClient(tables: Tables, run: RunStatement) {
  return {
    payment: new Delegate('payment', tables.payments, run),
    attempt: new Delegate('attempt', tables.attempts, run, { numeric: ['receivedAmount'], byPayment: true }),
    refund: new Delegate('refund', tables.refunds, run, { defaults: REFUND_DEFAULTS, byPayment: true }),
    duplicateCharge: new Delegate('duplicateCharge', tables.duplicateCharges, run, {
      defaults: CHARGE_DEFAULTS,
      numeric: ['amount'],
      byPayment: true,
      unique: 'money',
    }),
    dispute: new Delegate('dispute', tables.disputes, run, {
      defaults: { takenBack: '0' },
      numeric: ['amount', 'takenBack', 'fee'],
      byPayment: true,
    }),
    disputeEvent: new Delegate('disputeEvent', tables.disputeEvents, run),
    timelineEvent: new Delegate('timelineEvent', tables.timeline, run, { byPayment: true }),
    accountSnapshot: new Delegate('accountSnapshot', tables.snapshots, run),
    $queryRaw: (parts: readonly string[], ...values: unknown[]) =>
      run({ table: null, method: '$queryRaw', given: [parts, ...values] }, () => queryRaw(tables, parts.join(' ? '), values)),
    $queryRawUnsafe: (text: string, ...values: unknown[]) =>
      run({ table: null, method: '$queryRawUnsafe', given: [text, ...values] }, () => queryUnsafe(tables, text, values)),
    $executeRaw: (parts: readonly string[], ...values: unknown[]) =>
      run({ table: null, method: '$executeRaw', given: [parts, ...values] }, () => executeRaw(tables, parts.join(' ? '), values)),
  };
}

function queryRaw(tables: Tables, text: string, values: readonly unknown[]): object[] {
  const given = new Parameters(values);
  if (/SELECT version FROM payment .* FOR UPDATE/.test(text)) {
    const payment = tables.payments.get(given.text(1));
    return payment === undefined || payment.merchantId !== given.text(0) ? [] : [{ version: payment.version }];
  }
  if (!text.includes('FROM payment WHERE merchant_id')) throw new Error(`the model has no such statement: ${text}`);
  const merchantId = given.text(0);
  return [...given.texts(1)].sort().flatMap((id) => {
    const payment = tables.payments.get(id ?? '');
    if (payment === undefined || payment.merchantId !== merchantId) return [];
    return [
      {
        merchantId,
        paymentId: payment.id,
        mode: payment.mode,
        merchantOrderId: payment.merchantOrderId,
        status: payment.status,
        amount: payment.amount,
        currency: payment.currency,
        gatewayReference: payment.gatewayReference,
        expiresAt: payment.expiresAt,
        version: payment.version,
        review: payment.review,
        reviewReason: payment.reviewReason,
        refundedAmount: payment.refundedAmount,
        reversedAmount: payment.reversedAmount,
        reversedAt: payment.reversedAt,
        reversalCause: payment.reversalCause,
      },
    ];
  });
}

function queryUnsafe(tables: Tables, text: string, values: readonly unknown[]): object[] {
  if (text.includes('change_payments(')) return changePayments(tables, new Parameters(values));
  throw new Error(`the model has no such statement: ${text}`);
}

function executeRaw(tables: Tables, text: string, values: readonly unknown[]): number {
  if (!text.includes('graphile_worker.add_job')) throw new Error(`the model has no such statement: ${text}`);
  const given = new Parameters(values);
  addJob(tables, given.text(0), JSON.parse(given.text(1)), true);
  return 1;
}
