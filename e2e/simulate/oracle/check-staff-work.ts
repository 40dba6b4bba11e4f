import { z } from 'zod';
import { type Violation, violation } from '../../world/checker/violation.ts';
import { EXPORTED_LISTS, type ExportedList, type ExportedRow, type RowsOfLists } from '../product/exported-lists.ts';
import type { ForbiddenAttempt } from '../product/try-as-staff.ts';

/** Tables of exported lists, and the columns of a file that have another name in the table. */
const TABLES: Readonly<Record<ExportedList, { readonly table: string; readonly id: string }>> = {
  payments: { table: 'payment', id: 'payment_id' },
  refunds: { table: 'refund', id: 'refund_id' },
  'duplicate-charges': { table: 'duplicate_charge', id: 'duplicate_charge_id' },
  'webhook-deliveries': { table: 'webhook_delivery', id: 'delivery_id' },
};
/** Columns that an erasure may change, by table. Every other column of every row stays. */
const ERASABLE: Readonly<Record<string, readonly string[]>> = {
  payment: [
    'customer_email',
    'customer_id',
    'customer_phone',
    'metadata',
    'redirect_url',
    'packed_session',
    'customer_erased_at',
    'updated_at',
    'version',
  ],
  attempt: ['packed_call', 'failure_message'],
  timeline_event: ['detail'],
  refund: ['reason', 'note', 'failure_message'],
  duplicate_charge: ['note'],
  merchant_event: [],
  webhook_delivery: ['answer'],
  gateway_webhook: ['packed_body'],
};
/** Tables in which nothing of an erased customer may be left. */
const SEARCHED = [
  ...Object.keys(ERASABLE),
  'webhook_delivery_attempt',
  'payment_note',
  'idempotency_record',
  'audit_entry',
  'api_request',
];
/** Columns that an erasure empties, by table. They are packed, so that no text is found in them. */
const EMPTIED: Readonly<Record<string, string>> = { attempt: 'packed_call', gateway_webhook: 'packed_body' };

/** Work of staff on the records of a world, and the tables around it. */
export interface StaffWork {
  readonly exported: RowsOfLists;
  /** Rows of the exported tables, by list. */
  readonly stored: RowsOfLists;
  readonly erasure: Erasure | null;
  readonly forbidden: readonly ForbiddenAttempt[];
}

/** An erasure of the customer of one payment. */
export interface Erasure {
  readonly paymentId: string;
  /** False where it was refused, because something was unfinished. */
  readonly isDone: boolean;
  readonly before: readonly RecordedRow[];
  readonly after: readonly RecordedRow[];
  /** Tables in which the customer's address was left, or a packed text of the payment, with the number of rows. */
  readonly left: readonly { readonly table: string; readonly rows: number }[];
}

const recordedSchema = z.object({
  table: z.string(),
  id: z.string(),
  payment_id: z.string().nullable(),
  /** Digest of the columns that an erasure leaves. */
  kept: z.string(),
  whole: z.string(),
});
type RecordedRow = z.output<typeof recordedSchema>;
const leftSchema = z.object({ table: z.string(), rows: z.int() });
const storedSchema = z.object({ stored: z.record(z.string(), z.unknown()) });

interface ErasedCustomer {
  readonly paymentId: string;
  /** In lower case. */
  readonly email: string;
}

type RowsOf = (statement: string) => Promise<readonly unknown[]>;

/** Rows of the table of an exported list. */
export async function readStored(rows: RowsOf, list: ExportedList): Promise<ExportedRow[]> {
  const { table } = TABLES[list];
  const large = `ARRAY['packed_decision', 'packed_session', 'metadata']`;
  return (await rows(`SELECT to_jsonb(own) - ${large} AS stored FROM ${table} AS own`)).map(
    (each) => storedSchema.parse(each).stored,
  );
}

/** A digest of each row that an erasure could change. */
export async function recordRows(rows: RowsOf): Promise<RecordedRow[]> {
  const parts = Object.entries(ERASABLE).map(([table, columns]) => {
    const left = `ARRAY[${columns.map((column) => `'${column}'`).join(', ')}]::text[]`;
    return `SELECT '${table}' AS table, own.id::text AS id, (${paymentOf(table)})::text AS payment_id,
      md5((to_jsonb(own) - ${left})::text) AS kept, md5(own::text) AS whole FROM ${table} AS own`;
  });
  return (await rows(parts.join(' UNION ALL '))).map((row) => recordedSchema.parse(row));
}

function paymentOf(table: string): string {
  if (table === 'payment') return 'own.id';
  if (table !== 'gateway_webhook') return 'own.payment_id';
  return 'SELECT a.payment_id FROM attempt AS a WHERE a.account_id = own.account_id AND a.reference = own.reference LIMIT 1';
}

/** Tables that have the address of the customer of an erased payment, or a packed text of this payment, which may hold it. */
export async function searchTables(rows: RowsOf, { paymentId, email }: ErasedCustomer): Promise<Erasure['left']> {
  const parts = SEARCHED.map((table) => {
    const emptied = EMPTIED[table];
    const isPacked = emptied === undefined ? 'false' : `own.${emptied} IS NOT NULL AND (${paymentOf(table)}) = '${paymentId}'`;
    return `SELECT '${table}' AS table, count(*)::int AS rows FROM ${table} AS own
      WHERE position('${email}' IN lower(own::text)) > 0 OR ${isPacked}`;
  });
  const found = (await rows(parts.join(' UNION ALL '))).map((row) => leftSchema.parse(row));
  return found.filter(({ rows: count }) => count > 0);
}

/**
 * Checks that files have each row of their table once and as it is, that an erasure removed what it should and nothing else, and that what staff may
 * not do was refused.
 */
export function checkStaffWork({ exported, stored, erasure, forbidden }: StaffWork): Violation[] {
  const granted = forbidden.filter(({ refusedAs, answer }) => !refusedAs.includes(answer));
  return [
    ...EXPORTED_LISTS.flatMap((list) => [...checkExport(list, exported[list], stored[list])]),
    ...(erasure === null ? [] : checkErasure(erasure)),
    ...granted.map(({ what, refusedAs, answer }) =>
      violation('not_refused', `${what}, and is answered ${answer} and not ${refusedAs.join(' or ')}`),
    ),
  ];
}

function* checkExport(
  list: ExportedList,
  exported: readonly ExportedRow[],
  stored: readonly ExportedRow[],
): Generator<Violation> {
  const { id } = TABLES[list];
  const found = Map.groupBy(exported, (row) => String(row[id]));
  for (const row of stored) {
    const own = found.get(String(row.id)) ?? [];
    if (own.length !== 1) yield violation('export_differs', `${list}: row ${String(row.id)} is in the file ${own.length} times`);
    for (const [column, value] of Object.entries(row)) {
      const [written] = own;
      // Times are written in another form.
      if (written === undefined || column === 'id' || column.endsWith('_at') || !Object.hasOwn(written, column)) continue;
      if (asText(written[column]) === asText(value)) continue;
      const both = `${asText(written[column])} in the file and ${asText(value)} on record`;
      yield violation('export_differs', `${list}: ${column} of row ${String(row.id)} is ${both}`);
    }
  }
  if (exported.length > stored.length) {
    yield violation('export_differs', `${list}: the file has ${exported.length} rows, and the table ${stored.length}`);
  }
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /^-?\d+\.\d+$/.test(text) ? String(Number(text)) : text;
}

function* checkErasure({ paymentId, isDone, before, after, left }: Erasure): Generator<Violation> {
  const keyOf = ({ table, id }: RecordedRow): string => `${table} ${id}`;
  const now = new Map(after.map((row) => [keyOf(row), row]));
  for (const row of before) {
    const own = now.get(keyOf(row));
    const isOfCustomer = isDone && row.payment_id === paymentId;
    const isSame = own !== undefined && (isOfCustomer ? own.kept === row.kept : own.whole === row.whole);
    if (isSame) continue;
    const whose = row.payment_id === paymentId ? 'of the erased payment' : `of payment ${row.payment_id ?? 'none'}`;
    const what = `${keyOf(row)} ${whose} ${own === undefined ? 'is gone' : 'has changed'} by the erasure of the customer of ${paymentId}`;
    yield violation('erased_too_much', what);
  }
  if (!isDone) return;
  for (const { table, rows } of left) {
    yield violation('erased_too_little', `${rows} rows of ${table} have data of the erased customer of ${paymentId}`);
  }
}
