import { firstIdAt, newId } from '@switchyard/db';
import { packEventBody } from '@switchyard/webhooks/events/packed';
import type { Switchyard } from '../process.ts';
import { AUDITED, drawWorld, type World } from './world.ts';

/** Zones whose days begin at different moments; in New York they are of another length in November. */
export const ZONES = ['Africa/Lagos', 'UTC', 'America/New_York'] as const;

/** The first millisecond of a month and of another in each zone, and the last one before each. */
export const EDGES: readonly string[] = [
  '2026-09-30T22:59:59.999Z',
  '2026-09-30T23:00:00.000Z',
  '2026-09-30T23:59:59.999Z',
  '2026-10-01T00:00:00.000Z',
  '2026-10-01T03:59:59.999Z',
  '2026-10-01T04:00:00.000Z',
  '2026-10-31T22:59:59.999Z',
  '2026-10-31T23:00:00.000Z',
  '2026-10-31T23:59:59.999Z',
  '2026-11-01T00:00:00.000Z',
  '2026-11-01T03:59:59.999Z',
];

const DAYS = ['2026-09-29', '2026-09-30', '2026-10-01', '2026-10-31', '2026-11-01'];

/** Tables of lists, with the moment by which each is sorted and filtered. */
const TIMED: readonly (readonly [table: string, column: string])[] = [
  ['payment', 'created_at'],
  ['refund', 'created_at'],
  ['refund_approval', 'created_at'],
  ['duplicate_charge', 'created_at'],
  ['reconciliation_discrepancy', 'created_at'],
  ['dispute', 'created_at'],
  ['settlement', 'created_at'],
  ['settlement_line', 'created_at'],
  ['settlement_discrepancy', 'created_at'],
  ['webhook_delivery', 'created_at'],
  ['merchant_event', 'created_at'],
  ['payment_fee', 'paid_at'],
  ['payment_fee', 'created_at'],
  ['gateway_webhook', 'received_at'],
  ['bank_statement', 'taken_at'],
  ['settlement_file', 'taken_at'],
  ['dispute', 'due_at'],
  ['payment', 'paid_at'],
];

/** Sets columns of a table; `at` is the place of the row among all, in the order in which they were drawn. */
const shape = (table: string, set: string, key = 'id') => `
  WITH numbered AS (SELECT merchant_id, ${key} AS key, (row_number() OVER (ORDER BY ctid))::int AS at FROM ${table})
  UPDATE ${table} AS p SET ${set} FROM numbered WHERE numbered.merchant_id = p.merchant_id AND numbered.key = p.${key}`;

const oneOf = (values: readonly (string | null)[], at: string, type: string) =>
  `(ARRAY[${values.map((value) => (value === null ? 'NULL' : `'${value}'`)).join(', ')}]::${type}[])[1 + ${at} % ${values.length}]`;

/** Every 5th or so where the column is not null, so that nothing stays of what is drawn bare. */
const atEdge = (column: string, step: number) =>
  `${column} = CASE WHEN p.${column} IS NULL THEN NULL ELSE ${oneOf(EDGES, `(at * ${step})`, 'timestamptz')} END`;

const keyOf = (table: string) => (table === 'payment_fee' ? 'payment_id' : 'id');

/** Values that several rows have in common, in no order of theirs, so that filters by one or two of them leave some rows. */
const SHAPES: readonly string[] = [
  'UPDATE audit_head SET position = (SELECT max(position) FROM audit_entry WHERE audit_entry.tenant_id = audit_head.tenant_id)',
  ...TIMED.map(([table, column], place) => shape(table, atEdge(column, [5, 7, 3, 4][place % 4] ?? 5), keyOf(table))),
  shape(
    'payment',
    `amount = CASE WHEN at % 3 = 0 THEN 2500 ELSE p.amount END,
    rule_id = ${oneOf(['cards', 'large', null], '(at / 2)', 'text')},
    recommended_gateway = CASE WHEN at % 7 = 0 THEN '' ELSE p.recommended_gateway END,
    payment_method = ${oneOf(['CARD', 'USSD', null], '(at / 3)', 'text')},
    paid_method = ${oneOf(['TRANSFER', null], '(at / 4)', 'text')},
    review = ${oneOf(['OPEN', null, 'OPEN', 'RESOLVED'], '(at / 5)', 'review_state')},
    unusual_status = CASE WHEN p.status IN ('FAILED', 'REFUNDED') THEN p.status END,
    failure_reason = CASE WHEN p.status = 'FAILED' THEN ${oneOf(['session_expired', 'declined', 'every_gateway_failed'], '(at / 6)', 'text')} END,
    customer_email = 'Buyer' || at % 4 || '@Example.com', customer_id = ${oneOf(['buyer-1', 'buyer-2', null], 'at', 'text')},
    late = (at % 5 = 1)`,
  ),
  `INSERT INTO payment_check SELECT merchant_id, id, now() + interval '1 day', false, 0 FROM payment WHERE status IN ('INITIATED', 'PENDING')
    AND review IS DISTINCT FROM 'OPEN'`,
  shape(
    'attempt',
    `failure_class = CASE WHEN p.position > 0 AND at % 3 > 0 THEN NULL WHEN at % 4 < 2 THEN 'provider_fault' ELSE p.failure_class END`,
  ),
  `UPDATE attempt SET created_at = payment.created_at + attempt.position * interval '1 second' FROM payment
    WHERE payment.merchant_id = attempt.merchant_id AND payment.id = attempt.payment_id`,
  ...['refund', 'refund_approval'].map((table) => shape(table, `amount = CASE WHEN at % 3 = 0 THEN 700 ELSE p.amount END`)),
  shape(
    'settlement',
    `settled_on = CASE WHEN at % 6 = 0 THEN NULL ELSE ${oneOf(DAYS, 'at', 'date')} END,
    unexplained = CASE WHEN at % 2 = 0 THEN 0 ELSE p.unexplained END`,
  ),
  shape('settlement_line', `linked_by = CASE WHEN at % 3 = 0 THEN NULL ELSE 'REFERENCE'::settlement_linked_by END`),
  shape(
    'payment_fee',
    `settled_on = CASE WHEN at % 6 = 0 THEN NULL ELSE ${oneOf(DAYS, 'at', 'date')} END,
    excess = ${oneOf(['0', '2.5', '-1.25'], 'at', 'numeric')}`,
    'payment_id',
  ),
  shape(
    'reconciliation_discrepancy',
    `day = ${oneOf(DAYS, 'at', 'date')},
    owner_id = CASE WHEN at % 3 = 0 THEN NULL ELSE ${oneOf(['0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10', '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11'], 'at', 'uuid')} END,
    ledger = CASE WHEN at % 6 = 0 THEN NULL ELSE json_build_object('amount', ${oneOf(['2500', '99.5', '2000', '31'], 'at', 'text')}, 'currency', 'NGN') END,
    statement = CASE WHEN at % 6 = 3 THEN NULL ELSE json_build_object('amount', ${oneOf(['2500', '98', '2000.25'], 'at', 'text')}, 'currency', 'NGN') END`,
  ),
  shape(
    'settlement_discrepancy',
    `owner_id = CASE WHEN at % 3 = 0 THEN NULL
      ELSE ${oneOf(['0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10', '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11'], 'at', 'uuid')} END,
    expected = CASE WHEN at % 4 = 0 THEN 2500 ELSE p.expected END, settled = CASE WHEN at % 4 = 0 THEN NULL ELSE p.settled END,
    note = ${oneOf([null, 'Asked the bank', 'asked SUPPORT'], 'at', 'text')},
    subject = CASE WHEN p.line_id IS NULL THEN p.subject ELSE ${oneOf(['payment', 'refund', 'fee', 'duplicate'], 'at', 'text')} || '/' || p.payment_id END`,
  ),
  shape(
    'webhook_delivery',
    `type = ${oneOf(['payment.succeeded', 'payment.failed', 'refund.failed'], 'at', 'text')}, attempts = at % 4,
    settled_attempts = CASE WHEN p.state <> 'PENDING' AND at % 4 <> 1 THEN at % 4 END,
    next_attempt_at = CASE WHEN p.state = 'PENDING' THEN ${oneOf(EDGES.slice(0, 2), '(at / 24)', 'timestamptz')} END`,
  ),
  `INSERT INTO due_delivery SELECT merchant_id, endpoint_id, next_attempt_at, id FROM webhook_delivery WHERE state = 'PENDING'`,
  shape('merchant_event', `type = ${oneOf(['payment.succeeded', 'payment.failed', 'refund.failed'], 'at', 'text')}`),
  `UPDATE timeline_event SET id = event.id FROM merchant_event AS event
    WHERE event.merchant_id = timeline_event.merchant_id AND event.payment_id = timeline_event.payment_id`,
  `INSERT INTO bank_match SELECT line.merchant_id, line.id, settlement.id, 'reference', now() FROM bank_line AS line
    JOIN LATERAL (SELECT id FROM settlement WHERE settlement.merchant_id = line.merchant_id AND settlement.mode = line.mode LIMIT 1)
      AS settlement ON line.bank_account = '0123456789'`,
  `INSERT INTO reconciliation_run SELECT account.merchant_id, gen_random_uuid(), account.mode, account.id, account.gateway, each.day,
    'Africa/Lagos', 'DONE', 1, 7, NULL, now(), now(), now(), NULL, '[]'
    FROM gateway_account AS account CROSS JOIN unnest(ARRAY['${DAYS.join("', '")}']::date[]) AS each (day)`,
  `INSERT INTO webhook_follow_up SELECT merchant_id, id, now(), 0, '{}' FROM gateway_webhook WHERE state = 'PROCESSED'
    AND (reference IS NULL OR hashtext(reference) % 2 = 0)`,
  `INSERT INTO incident_account SELECT incident.merchant_id, incident.id, account.id,
    incident.since, incident.since + interval '40 days' FROM incident JOIN gateway_account AS account
      ON account.merchant_id = incident.merchant_id AND account.mode = incident.mode`,
  shape('bank_statement', `format = ${oneOf(['csv', 'mt940', 'camt.053'], 'at', 'text')}`),
];

/**
 * Draws a world in which filters tell rows apart: three merchants, whose rows of each list have their moments at the edges of days and
 * months in {@link ZONES}, so that several have the same, and values in common.
 */
export async function drawFilterWorld(switchyard: Switchyard): Promise<World> {
  const world = await drawWorld(switchyard, { merchants: 3, rounds: 2 });
  const { pool } = switchyard.resources.database;
  const { rows } = await pool.query<OwnAccount>(`SELECT merchant_id, id AS account_id, mode, gateway FROM gateway_account`);
  for (const merchantId of [...world.merchantIds, ...world.otherIds]) drawUnlisted(world, merchantId);
  for (const account of rows) drawPayout(world, account);
  await world.drawing.store();
  for (const text of SHAPES) {
    try {
      await pool.query(text);
    } catch (error) {
      throw new Error(`cannot shape rows by ${text}`, { cause: error });
    }
  }
  await packEvents(switchyard);
  await switchyard.resources.configuration.refresh();
  return world;
}

/** A moment of {@link EDGES}, whatever the number. */
const edgeAt = (at: number): Date => new Date(EDGES[at % EDGES.length] ?? '');

interface OwnAccount {
  readonly merchant_id: string;
  readonly account_id: string;
  readonly mode: string;
  readonly gateway: string;
}

const KINDS = ['PAYMENT', 'FEE', 'REFUND'];

/** A settlement of many lines. */
function drawPayout({ drawing }: World, { mode, gateway, ...own }: OwnAccount): void {
  const settlement = drawing.draw('settlement', { ...own, mode, gateway, currency: 'NGN' });
  const line = { ...own, settlement_id: settlement.id, currency: 'NGN', file_id: null, refund_id: null, dispute_id: null };
  for (let at = 0; at < 9; at += 1) {
    const kind = KINDS[at % KINDS.length];
    drawing.draw('settlement_line', { ...line, payment_id: null, subjects: [], kind, position: at });
  }
}

const PATHS = ['/v1/payments', '/v1/payments/verify', '/v1/refunds'];
const STATUSES = [200, 302, 399, 400, 404, 499, 500, 503, null];

/** Rows of lists that are about no payment: settings, the audit log, alerts and messages, requests, reconciled days. */
function drawUnlisted({ drawing }: World, merchantId: string): void {
  const own = { merchant_id: merchantId };
  drawing.draw('reconciliation_setting', { ...own, tolerance: '1.5' });
  for (let at = 0; at < 24; at += 1) {
    drawing.draw('audit_entry', {
      tenant_id: merchantId,
      position: AUDITED + 1 + at,
      actor: `staff:${at % 3}`,
      action: `rules.${['published', 'drafted'][at % 2]}`,
      object_type: ['rule_set', 'draft'][(at >> 1) % 2],
      object_id: String(at % 4),
      created_at: edgeAt(at * 5),
      key_id: 'k1',
    });
  }
  for (const mode of ['test', 'live'] as const) {
    const statements = [0, 1].map(() => String(drawing.draw('bank_statement', { ...own, mode }).id));
    for (let at = 0; at < 15; at += 1) {
      const booked_on = DAYS[at % DAYS.length];
      const bank_account = ['0123456789', '9876543210'][(at >> 1) % 2];
      const about = { mode, statement_id: statements[at % 2], booked_on, bank_account, currency: 'NGN' };
      drawing.draw('bank_line', { ...own, ...about, ...(at % 4 === 3 && { amount: '-52.5' }) });
    }
  }
  const channels = [0, 1].map(() => newId());
  for (let at = 0; at < 24; at += 1) {
    const mode = at % 3 === 2 ? 'live' : 'test';
    const incident = drawing.draw('incident', {
      ...own,
      mode,
      kind: 'payment_review',
      severity: ['critical', 'warning', 'info'][at % 3],
      facts: { kind: 'payment_review', count: 1 },
      since: edgeAt(at * 5),
      opened_at: edgeAt(at * 5),
      closed_at: at % 8 === 0 ? null : new Date(edgeAt(at * 5).getTime() + (at % 4) * 60_000),
      closed_reason: at % 8 === 0 ? null : 'ended',
    });
    drawing.draw('notification', {
      ...own,
      channel_merchant_id: merchantId,
      channel_id: channels[at % 2],
      incident_id: at % 3 === 0 ? null : incident.id,
      event: at % 3 === 0 ? 'test' : 'opened',
      next_attempt_at: (at >> 1) % 4 === 0 ? edgeAt(at) : null,
      state: ['PENDING', 'SENT', 'FAILED', 'SKIPPED'][(at >> 1) % 4],
    });
  }
  const keys = [0, 1].map(() => String(drawing.draw('api_key', { ...own, mode: 'test' }).id));
  for (let at = 0; at < 24; at += 1) {
    const endedAt = edgeAt(at);
    drawing.draw('api_request', {
      ...own,
      mode: at % 4 === 3 ? 'live' : 'test',
      // Its first part is the time, by which requests are found.
      id: `${firstIdAt(endedAt.getTime()).slice(0, -12)}${merchantId.slice(-8)}${String(at).padStart(4, '0')}`,
      key_id: keys[at % 2],
      method: at % 3 === 0 ? 'POST' : 'GET',
      path: PATHS[at % PATHS.length],
      status: STATUSES[at % STATUSES.length],
      ended_at: endedAt,
      payment_id: at % 5 === 0 ? `${firstIdAt(endedAt.getTime() - 599_999 - (at % 2)).slice(0, -4)}${1000 + at}` : null,
    });
  }
}

/** Events whose bodies name them. */
async function packEvents({ resources }: Switchyard): Promise<void> {
  const { pool } = resources.database;
  const { rows } = await pool.query<{ id: string; paymentId: string }>(
    'SELECT id, payment_id AS "paymentId" FROM merchant_event',
  );
  const bodies = rows.map((event) => packEventBody(event, JSON.stringify({ id: event.id })));
  await pool.query(
    `UPDATE merchant_event SET packed_body = each.body FROM unnest($1::uuid[], $2::bytea[]) AS each (id, body)
    WHERE merchant_event.id = each.id`,
    [rows.map(({ id }) => id), bodies],
  );
}
