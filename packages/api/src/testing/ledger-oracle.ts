import type { Switchyard } from '../process.ts';

/*
 * The books of a merchant by a second reading of the same rows, one after the other, with nothing of the product's SQL: what the sums of months and
 * journals are held to.
 */

type Row = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
type Table =
  | 'payment'
  | 'attempt'
  | 'refund'
  | 'duplicate_charge'
  | 'dispute'
  | 'settlement'
  | 'settlement_line'
  | 'bank_line'
  | 'bank_match';

/** Rows by table. */
export type Rows = Readonly<Record<Table, readonly Row[]>>;

const TABLES: readonly Table[] = [
  'payment',
  'attempt',
  'refund',
  'duplicate_charge',
  'dispute',
  'settlement',
  'settlement_line',
  'bank_line',
  'bank_match',
];

/** All rows of a merchant that its books are made of. */
export async function readRows({ resources }: Switchyard, merchantId: string): Promise<Rows> {
  const read = async (table: Table) => {
    const text = `SELECT to_jsonb(t) AS row FROM ${table} AS t WHERE merchant_id = $1`;
    return (await resources.database.pool.query<{ row: Row }>(text, [merchantId])).rows.map(({ row }) => row);
  };
  const all = await Promise.all(TABLES.map(read));
  const [payment = [], attempt = [], refund = [], duplicate_charge = [], dispute = [], settlement = [], ...rest] = all;
  const [settlement_line = [], bank_line = [], bank_match = []] = rest;
  return { payment, attempt, refund, duplicate_charge, dispute, settlement, settlement_line, bank_line, bank_match };
}

/** An amount of the books in millionths of the main unit. */
export interface Entry {
  readonly kind: string;
  readonly accountId: string;
  readonly currency: string;
  readonly amount: bigint;
  /** `YYYY-MM-DD` by the zone, or the day that a gateway or a bank gives. */
  readonly day: string;
}

const MILLION = 1_000_000;

/** An exact decimal in millionths. */
export function millionths(value: unknown): bigint {
  return BigInt(Math.round(Number(value) * MILLION));
}

/** The calendar day of a moment in a zone. */
export function dayIn(zone: string, moment: unknown): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(String(moment)));
}

/** True if a line of a payout is of this payment's own money. */
function isOwnLine(line: Row, payment: Row): boolean {
  return line.payment_id === payment.id && Array.isArray(line.subjects) && line.subjects.includes(`payment/${payment.id}`);
}

/** Every entry of a merchant's books in a mode, whatever its day. */
export function entriesOf(rows: Rows, mode: 'test' | 'live', zone: string): Entry[] {
  const entries: Entry[] = [];
  const add = (kind: string, of: Row, { currency, amount, day }: { currency: unknown; amount: bigint; day: string }) => {
    if (amount !== 0n) entries.push({ kind, accountId: String(of.account_id), currency: String(currency), amount, day });
  };
  const ofMode = (table: Table) => rows[table].filter((row) => row.mode === mode);
  const paidOut = new Map(ofMode('settlement').flatMap((row) => (row.status === 'PAID' ? [[row.id, row] as const] : [])));
  const paidLines = rows.settlement_line.filter((line) => paidOut.has(line.settlement_id ?? null));

  for (const payment of ofMode('payment')) {
    const own = rows.attempt.filter((row) => row.payment_id === payment.id && row.state === 'PAID' && row.duplicate === false);
    for (const attempt of own) {
      const currency = attempt.received_currency ?? payment.currency;
      const day = dayIn(zone, payment.paid_at ?? attempt.updated_at);
      add('payment', attempt, { currency, day, amount: millionths(attempt.received_amount ?? payment.amount) });
      const lines = paidLines.filter((line) => line.account_id === attempt.account_id && isOwnLine(line, payment));
      const sum = (kind: string) =>
        lines.filter((line) => line.kind === kind).reduce((all, line) => all + millionths(line.amount), 0n);
      const isSettled = lines.some(({ kind }) => kind === 'FEE');
      const reported = payment.account_id === attempt.account_id ? -millionths(payment.fee_amount ?? 0) : 0n;
      add('fee', attempt, { currency, day, amount: isSettled ? sum('FEE') : reported });
      add('stamp_duty', attempt, { currency, day, amount: sum('OTHER') });
    }
    const taken = ofMode('dispute')
      .filter(({ attempt_id }) =>
        rows.attempt.some((row) => row.id === attempt_id && row.payment_id === payment.id && row.duplicate === false),
      )
      .reduce((all, row) => all + millionths(row.taken_back), 0n);
    const rest = millionths(payment.reversed_amount) - taken;
    const day = dayIn(zone, payment.reversed_at ?? payment.paid_at ?? payment.updated_at);
    const currency = payment.received_currency ?? payment.currency;
    if (rest > 0n && payment.account_id !== null) add('reversal', payment, { currency, day, amount: -rest });
  }
  for (const row of ofMode('duplicate_charge')) {
    add('duplicate', row, { currency: row.currency, day: dayIn(zone, row.created_at), amount: millionths(row.amount) });
  }
  for (const row of ofMode('refund').filter(({ state }) => state === 'SUCCEEDED')) {
    add('refund', row, { currency: row.currency, day: dayIn(zone, row.updated_at), amount: -millionths(row.amount) });
  }
  for (const row of ofMode('dispute').filter(({ state }) => ['LOST', 'ACCEPTED', 'EXPIRED'].includes(String(state)))) {
    if (row.payment_id === null) continue;
    const day = dayIn(zone, row.closed_at ?? row.updated_at);
    add('dispute', row, { currency: row.currency, day, amount: -millionths(row.taken_back) });
    const isSettled = paidLines.some(
      (line) => line.dispute_id === row.id && line.payment_id === row.payment_id && line.kind === 'FEE',
    );
    if (!isSettled) add('fee', row, { currency: row.currency, day, amount: -millionths(row.fee ?? 0) });
  }
  for (const line of paidLines) {
    const ofPayment = rows.payment.some((payment) => isOwnLine(line, payment));
    if (line.linked_by !== null && (!['FEE', 'OTHER'].includes(String(line.kind)) || ofPayment)) continue;
    const isDuty = line.kind === 'OTHER' && line.description === 'Stamp duty';
    const kind = line.kind === 'FEE' ? 'fee' : isDuty ? 'stamp_duty' : 'adjustment';
    const settledOn = paidOut.get(line.settlement_id ?? null)?.settled_on;
    if (settledOn) add(kind, line, { currency: line.currency, day: String(settledOn), amount: millionths(line.amount) });
  }
  for (const row of paidOut.values()) {
    if (row.settled_on === null) continue;
    add('payout', row, { currency: row.currency, day: String(row.settled_on), amount: -millionths(row.net) });
  }
  for (const match of rows.bank_match) {
    const line = ofMode('bank_line').find(({ id }) => id === match.bank_line_id);
    const payout = ofMode('settlement').find(({ id }) => id === match.settlement_id);
    if (!line || !payout) continue;
    const at = { currency: line.currency, day: String(line.booked_on) };
    add('bank', payout, { ...at, amount: millionths(line.amount) });
    // The world has one line of a bank for a payout.
    add('bank_difference', payout, { ...at, amount: millionths(line.amount) - millionths(payout.net) });
  }
  return entries;
}
