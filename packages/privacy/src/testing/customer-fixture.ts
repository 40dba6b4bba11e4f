import { gunzipSync, gzipSync } from 'node:zlib';
import type { Vault } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Mode } from '@switchyard/db/client';
import { tables } from '@switchyard/db/testing';
import { packCall, readCall } from '@switchyard/payments/attempts';
import { packBody, readBody } from '@switchyard/payments/gateway-webhooks';
import {
  openPayer,
  packSession,
  recordPayment,
  StoredDocuments,
  sealPayer,
  type TestPayments,
} from '@switchyard/payments/testing';
import { readDecision } from '@switchyard/rule-sets/read-inputs';
import { packDecision } from '@switchyard/rule-sets/store-inputs';
import { packEventBody, readEventBody } from '@switchyard/webhooks/events/packed';
import { CUSTOMER_COLUMNS } from './stored-texts.ts';

export { CUSTOMER_COLUMNS, STORED_TEXTS } from './stored-texts.ts';

/** A customer of one merchant in one mode. */
export interface FixturePerson {
  readonly merchantId: string;
  readonly accountId: string;
  readonly mode: Mode;
  /** In each text about them, and in nothing else. */
  readonly tag: string;
  readonly email: string;
  readonly phone: string;
  readonly customerId: string;
  /** The staff user who saved views and schedules about them. */
  readonly staffId: string;
}

/** The payment and the refund of a person. */
export interface FixtureRows {
  readonly paymentId: string;
  readonly refundId: string;
}

/** Columns of a table, by what its rows need at least. */
interface ColumnOf {
  readonly name: string;
  readonly type: string;
  readonly isNeeded: boolean;
  readonly label: string | null;
}

/** Text that is in a column about a person; where only texts that name them are erased, it does, by the identifier that is given. */
export function textOf({ tag, email }: FixturePerson, column: string, identifier = email): string {
  return CUSTOMER_COLUMNS[column]?.erased === 'named' ? `${tag} in ${column}: ${identifier} is unknown` : `${tag} in ${column}`;
}

/**
 * Writes a finished payment of a person with a text of theirs in each column that can hold one, by SQL: those who write such columns are many,
 * and each has its own suite. A column that is new fails a test until it is filled here.
 */
export async function fillCustomer(context: TestPayments, person: FixturePerson): Promise<FixtureRows> {
  const { prisma } = context.database;
  const { merchantId, accountId, mode, tag, email, phone, customerId, staffId } = person;
  const say = (column: string, identifier?: string) => textOf(person, column, identifier);
  const insert = (table: string, row: Readonly<Record<string, unknown>>) =>
    insertRow(context, table, { merchant_id: merchantId, ...row });
  const id = () => context.newId();

  const { paymentId } = await recordPayment(context, merchantId, { status: 'SUCCESS', customerCountry: 'NG' });
  await prisma.paymentCheck.deleteMany({ where: { paymentId } });
  const { id: attemptId, reference } = await prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  const row = await prisma.payment.findFirstOrThrow({ where: { id: paymentId } });
  const { routing, inputs } = readDecision(row);
  // As the record has it of a gateway that opened no checkout.
  const failed = { code: 'gateway_failed_x', title: 'paystack failed', category: 'fallback', severity: 'warning' };
  const record = JSON.parse(JSON.stringify(routing));
  record.reasons.push({ ...failed, message: say('payment.packed_decision') });
  const url = `https://shop.example/thanks?of=${encodeURIComponent(say('payment.redirect_url'))}#${tag}`;
  const session = {
    raw: { customer: [{ email, note: say('payment.packed_session') }] },
    gateway: 'paystack',
    redirectUrl: 'https://checkout.paystack.com/x',
    metadata: { redirectUrl: `${url}&paymentId=${paymentId}`, callbackUrl: 'http://localhost/return' },
  };
  await prisma.payment.update({
    where: { merchantId_id: { merchantId, id: paymentId } },
    data: {
      mode,
      merchantOrderId: say('payment.merchant_order_id'),
      customerEmail: email,
      customerPhone: phone,
      customerId,
      metadata: { list: [{ deep: { [tag]: say('payment.metadata') } }] },
      redirectUrl: url,
      review: 'RESOLVED',
      reviewReason: say('payment.review_reason', phone),
      packedSession: packSession({ merchantId, paymentId }, session, []),
      packedDecision: packDecision(record, JSON.parse(JSON.stringify(inputs))),
    },
  });
  await prisma.attempt.update({
    where: { merchantId_id: { merchantId, id: attemptId } },
    data: {
      packedCall: packCall({ request: { any: [say('attempt.packed_call')] } }),
      // In groups of digits, as the merchant did not write the number.
      failureMessage: say(
        'attempt.failure_message',
        phone
          .replace(/\D/g, '')
          .slice(-10)
          .replace(/(\d{4})(?=\d)/g, '$1-'),
      ),
    },
  });
  const payer = { bank: null, name: say('payer.sealed'), accountEnd: null };
  await insert('payer', { attempt_id: attemptId, sealed: sealPayer(context.resources.vault, payer, { merchantId, attemptId }) });
  const texts = (table: string, ...columns: string[]) =>
    Object.fromEntries(columns.map((column) => [column, say(`${table}.${column}`)]));
  const of = { payment_id: paymentId, mode, account_id: accountId, gateway: 'paystack', attempt_id: attemptId };
  const details = [
    ['refund.requested', { reason: say('timeline_event.detail'), note: say('timeline_event.detail') }],
    ['payment.failed', { message: say('timeline_event.detail'), failureMessage: say('timeline_event.detail') }],
    ['payment.succeeded', { cardLast4: say('timeline_event.detail') }],
    ['payment.unrecognised_status', { answer: say('timeline_event.detail') }],
    ['payment.review_resolved', { note: say('timeline_event.detail'), reason: `of ${email}, ${tag}` }],
  ] as const;
  for (const [type, detail] of details) await insert('timeline_event', { id: id(), payment_id: paymentId, type, detail });
  await insert('payment_note', { id: id(), payment_id: paymentId, ...texts('payment_note', 'text') });
  await insert('canary_unit', { canary_id: id(), payment_id: paymentId, ...texts('canary_unit', 'customer') });
  await insert('holdout_customer', { payment_id: paymentId, ...texts('holdout_customer', 'customer') });
  const refundId = id();
  await insert('refund', {
    ...of,
    id: refundId,
    state: 'SUCCEEDED',
    ...texts('refund', 'reason', 'note'),
    failure_message: say('refund.failure_message', customerId),
  });
  await insert('refund_approval', {
    id: id(),
    payment_id: paymentId,
    mode,
    state: 'DECLINED',
    ...texts('refund_approval', 'reason', 'note', 'decision_note'),
  });
  await insert('duplicate_charge', { ...of, id: id(), state: 'DISMISSED', ...texts('duplicate_charge', 'note') });
  const found = { id: id(), payment_id: paymentId, mode, account_id: accountId, state: 'RESOLVED', resolved_at: context.now() };
  const resolved = { ...found, resolved_by: 'staff:a' };
  await insert('reconciliation_discrepancy', {
    ...resolved,
    ledger: {},
    ...texts('reconciliation_discrepancy', 'note', 'resolution'),
  });
  await insert('settlement_discrepancy', { ...resolved, ...texts('settlement_discrepancy', 'note', 'resolution') });
  const settled = { settlement_id: id(), payment_id: paymentId, account_id: accountId };
  await insert('settlement_line', { ...settled, id: id(), position: 1, ...texts('settlement_line', 'description') });
  await insert('withdrawn_line', {
    change_id: id(),
    id: id(),
    payment_id: paymentId,
    line: { text: say('withdrawn_line.line') },
  });
  await insert('bank_line', { id: id(), mode, ...texts('bank_line', 'text') });
  const disputeId = id();
  await insert('dispute', { ...of, id: disputeId, state: 'WON' });
  const written = texts('dispute_response', 'message', 'customer_name', 'service', 'failure');
  await insert('dispute_response', { id: id(), dispute_id: disputeId, state: 'SENT', ...written });
  const content = Buffer.from(say('dispute_evidence.content'));
  await insert('dispute_evidence', { id: id(), dispute_id: disputeId, ...texts('dispute_evidence', 'file_name'), content });
  const packedBody = packBody(JSON.stringify({ email, said: say('gateway_webhook.packed_body') }));
  await insert('gateway_webhook', { id: id(), account_id: accountId, reference, state: 'PROCESSED', packed_body: packedBody });
  // A path keeps what is around the person: there is no text of its own in it.
  const request = { mode, key_id: id(), request_id: id(), method: 'POST', status: 400 };
  const bodies = texts('api_request', 'request_body', 'response_body');
  await insert('api_request', { ...request, id: id(), payment_id: paymentId, path: '/v1/payments/initiate', ...bodies });
  // About no payment: found by what they say.
  const path = `/v1/payments/${encodeURIComponent(email)}`;
  await insert('api_request', { ...request, id: id(), path, request_body: `${tag}: {"of":"${customerId.toLowerCase()}"}` });
  const body = JSON.stringify({ data: { reason: say('idempotency_record.body') } });
  await insert('idempotency_record', { mode, key: id(), resource_id: paymentId, status_code: 200, body });
  const repeats = JSON.stringify({ success: true, data: { refundId, reason: say('refund.reason') } });
  await insert('idempotency_record', { mode, key: id(), resource_id: refundId, status_code: 201, body: repeats });
  const eventId = id();
  await insert('timeline_event', { id: eventId, payment_id: paymentId, type: 'refund.failed', detail: { refundId } });
  const refund = { refundId, reason: say('merchant_event.packed_body'), failureReason: say('merchant_event.packed_body') };
  const told = JSON.stringify({ id: eventId, type: 'refund.failed', data: { paymentId, refund } });
  const packed = packEventBody({ id: eventId, paymentId }, told);
  await insert('merchant_event', { id: eventId, mode, payment_id: paymentId, type: 'refund.failed', packed_body: packed });
  const deliveryId = id();
  const sent = { endpoint_id: id(), event_id: eventId, payment_id: paymentId, state: 'DELIVERED' };
  await insert('webhook_delivery', { id: deliveryId, ...sent, ...texts('webhook_delivery', 'body', 'answer') });
  await insert('webhook_delivery_attempt', {
    delivery_id: deliveryId,
    number: 1,
    ...texts('webhook_delivery_attempt', 'answer'),
  });
  const entry = { tenantId: merchantId, entryId: id(), actor: 'staff:a', action: 'refund.requested', objectType: 'refund' };
  const values = { before: { reason: say('audit_entry.before') }, after: { reason: say('audit_entry.after') } };
  await prisma.$transaction((transaction) =>
    appendAuditEntry(transaction, context.resources.auditKeys, { ...entry, objectId: refundId, ...values }, context.now()),
  );
  const query = `search=${encodeURIComponent(email)}&of=${encodeURIComponent(say('saved_view.query'))}`;
  await insertRow(context, 'saved_view', {
    id: id(),
    page: 'payments',
    name: `${say('saved_view.name')} (${paymentId})`,
    query,
    owner_id: staffId,
  });
  const [scheduleId, runId] = [id(), id()];
  const filter = { customer: email, more: [say('report_schedule.filter')] };
  await insert('report_schedule', {
    id: scheduleId,
    mode,
    name: say('report_schedule.name', customerId),
    filter,
    recipients: [],
  });
  await insert('report_run', { id: runId, schedule_id: scheduleId, state: 'SENT', format: 'csv', merchant_ids: [merchantId] });
  await insert('report_file', { run_id: runId, content: gzipSync(`email\n${email},${say('report_file.content')}\n`) });
  return { paymentId, refundId };
}

/** Writes a row with the values that the table has a column for; what else it needs is one, now, empty, or the first of its kind. */
export async function insertRow(
  context: Pick<TestPayments, 'database' | 'now' | 'newId'>,
  table: string,
  given: Readonly<Record<string, unknown>>,
): Promise<void> {
  const columns = await columnsOf(context, table);
  const row: Record<string, unknown> = {};
  for (const column of columns) {
    if (column.name in given) row[column.name] = given[column.name];
    else if (column.isNeeded) row[column.name] = leastOf(context, column);
  }
  const names = Object.keys(row);
  const values = names.map((name) => (isJson(columns, name) ? JSON.stringify(row[name]) : row[name]));
  const places = names.map((_, index) => `$${index + 1}`);
  const quoted = names.map((name) => `"${name}"`);
  await context.database.pool.query(`INSERT INTO "${table}" (${quoted}) VALUES (${places})`, values);
}

function isJson(columns: readonly ColumnOf[], name: string): boolean {
  return columns.some((column) => column.name === name && column.type.startsWith('json'));
}

function leastOf(context: Pick<TestPayments, 'now' | 'newId'>, { type, label }: ColumnOf): unknown {
  if (label !== null) return label;
  if (type === 'uuid') return context.newId();
  if (type.startsWith('timestamp') || type === 'date') return context.now();
  if (type.endsWith('[]')) return '{}';
  if (type.startsWith('json')) return {};
  if (type === 'bytea') return Buffer.from([1]);
  if (type === 'boolean') return false;
  if (type.startsWith('character')) return 'NGN';
  // A value of its own: some are unique.
  return type === 'text' ? context.newId() : 1;
}

async function columnsOf({ database }: Pick<TestPayments, 'database'>, table: string): Promise<readonly ColumnOf[]> {
  const { rows } = await database.pool.query<ColumnOf>(
    `SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type, a.attnotnull AND NOT a.atthasdef AS "isNeeded",
       (SELECT enumlabel FROM pg_enum WHERE enumtypid = a.atttypid ORDER BY enumsortorder LIMIT 1) AS label
     FROM pg_attribute AS a WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped`,
    [table],
  );
  return rows;
}

/** Bytes that hold text in another form, by column. */
const UNPACKED: Readonly<Record<string, (row: Readonly<Record<string, unknown>>, vault: Vault) => unknown>> = {
  'payer.sealed': (row, vault) =>
    openPayer(vault, String(row.sealed), { merchantId: String(row.merchant_id), attemptId: String(row.attempt_id) }),
  'payment.packed_session': (row) => {
    const documents = new StoredDocuments({
      merchantId: String(row.merchant_id),
      paymentId: String(row.id),
      packedSession: bytes(row.packed_session),
      packedDecision: bytes(row.packed_decision),
    });
    return [documents.session, documents.fallbackGateways];
  },
  'payment.packed_decision': (row) => readDecision({ packedDecision: bytes(row.packed_decision) }),
  'attempt.packed_call': (row) => readCall({ packedCall: bytes(row.packed_call) }),
  'gateway_webhook.packed_body': (row) => readBody({ packedBody: bytes(row.packed_body) }),
  'merchant_event.packed_body': (row) =>
    readEventBody({
      id: String(row.id),
      paymentId: typeof row.payment_id === 'string' ? row.payment_id : null,
      packedBody: bytes(row.packed_body),
    }),
  'report_file.content': (row) => gunzipSync(bytes(row.content)).toString(),
  'dispute_evidence.content': (row) => bytes(row.content).toString(),
};

/** Columns that this reads in their own form. */
export const UNPACKED_COLUMNS = Object.keys(UNPACKED);

function bytes(value: unknown): Buffer<ArrayBuffer> {
  return Buffer.from(String(value).slice(2), 'hex');
}

/** A row as text: the values of its columns as JSON, with packed ones unpacked. */
export interface StoredRow {
  readonly table: string;
  readonly columns: Readonly<Record<string, string>>;
}

/** Every row of every table, the job queue's included. */
export async function readAllRows({
  database,
  resources,
}: {
  readonly database: Pick<TestPayments['database'], 'pool'>;
  readonly resources: { readonly vault: Vault };
}): Promise<readonly StoredRow[]> {
  const found: StoredRow[] = [];
  for (const name of await tables(database)) {
    const table = name.replace(/^public\./, '');
    const { rows } = await database.pool.query<{ row: Record<string, unknown> }>(`SELECT to_jsonb(t) AS row FROM ${name} AS t`);
    for (const { row } of rows) {
      const columns = Object.entries(row).map(([column, value]) => {
        const unpack = UNPACKED[`${table}.${column}`];
        return [column, JSON.stringify(unpack === undefined || value === null ? value : unpack(row, resources.vault))] as const;
      });
      found.push({ table, columns: Object.fromEntries(columns) });
    }
  }
  return found;
}

/** Columns of these rows that hold one of the texts, in any case, also percent-encoded or within bytes: `table.column`. */
export function columnsWith(rows: readonly StoredRow[], texts: readonly string[]): readonly string[] {
  const forms = texts.flatMap((text) => [text, encodeURIComponent(text), Buffer.from(text).toString('hex')]);
  const needles = [...new Set(forms.map((form) => form.toLowerCase()))];
  const found = rows.flatMap(({ table, columns }) =>
    Object.entries(columns)
      .filter(([, value]) => needles.some((needle) => value.toLowerCase().includes(needle)))
      .map(([column]) => `${table}.${column}`),
  );
  return [...new Set(found)].sort();
}
