import { NIL_ID } from '@switchyard/db';
import { packCall } from '@switchyard/payments/attempts';
import { openTestPayments, recordPayment, type TestPayments } from '@switchyard/payments/testing';
import { findWrongRollups } from '@switchyard/reporting/rollups';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ageOut } from './age-out.ts';
import { changeRetention, describeRetention } from './change-retention.ts';
import { RETENTION_KINDS, RETENTION_LIMITS } from './kinds.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-20T14:00:00Z');
const ago = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

let context: TestPayments;
let merchantId: string;
let accountId: string;
let otherId: string;

beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  context.setClock(NOW);
  // Each run looks through every kind of data of every merchant.
  await context.database.prisma.merchant.deleteMany();
  await context.database.prisma.retentionProgress.deleteMany();
  await context.database.prisma.retentionSetting.deleteMany();
  const own = await createTestMerchant(context, { 'paystack-main': {} });
  merchantId = own.merchantId;
  accountId = own.accounts['paystack-main'] ?? '';
  ({ merchantId: otherId } = await createTestMerchant(context, { 'paystack-main': {} }));
});
afterAll(() => context.close());

/** An id that begins with an instant, as the application makes them at that time. */
function idAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-${context.newId().slice(14)}`;
}

/** A finished payment of some days ago, whose attempt has a call. Returns the ids of both. */
async function paymentOf(days: number, of = merchantId) {
  const { prisma, pool } = context.database;
  const createdAt = ago(days);
  const { paymentId } = await recordPayment(context, of, { createdAt, paymentId: idAt(createdAt), status: 'SUCCESS' });
  await prisma.paymentCheck.deleteMany({ where: { paymentId } });
  const attemptId = idAt(createdAt);
  await pool.query('UPDATE attempt SET id = $2, created_at = $3, packed_call = $4 WHERE payment_id = $1', [
    paymentId,
    attemptId,
    createdAt,
    packCall({ request: { email: 'ada@example.com' } }),
  ]);
  await pool.query('UPDATE payment SET current_attempt_id = $2 WHERE id = $1', [paymentId, attemptId]);
  return { paymentId, attemptId };
}

async function webhookOf(days: number, reference: string | null = null, of = merchantId) {
  const at = ago(days);
  const id = idAt(at);
  const about = { gateway: 'paystack', dedupeKey: id, event: 'charge.success', reference };
  await context.database.prisma.gatewayWebhook.create({
    data: { merchantId: of, id, accountId, ...about, state: 'PROCESSED', receivedAt: at },
  });
  return id;
}

/** An event with a delivery to an endpoint of its own. */
async function deliveryOf(days: number, state: 'PENDING' | 'DELIVERED' | 'FAILED', enabled = true) {
  const { prisma } = context.database;
  const at = ago(days);
  const times = { createdAt: at, updatedAt: at };
  const [endpointId, eventId, deliveryId] = [idAt(at), idAt(at), idAt(at)];
  const endpoint = { url: 'https://merchant.example/hooks', types: [], secrets: [], enabled, mode: 'test' as const };
  await prisma.webhookEndpoint.create({ data: { merchantId, id: endpointId, ...endpoint, ...times } });
  const event = { mode: 'test', position: 1, type: 'payment.succeeded', packedBody: new Uint8Array(), createdAt: at } as const;
  await prisma.merchantEvent.create({ data: { merchantId, id: eventId, ...event } });
  const delivery = { endpointId, eventId, position: 1, type: 'payment.succeeded', state, attempts: 1 };
  await prisma.webhookDelivery.create({ data: { merchantId, id: deliveryId, ...delivery, ...times } });
  const attempt = { number: 1, endpointId, url: endpoint.url, startedAt: at, durationMs: 5, delivered: state === 'DELIVERED' };
  await prisma.webhookDeliveryAttempt.create({ data: { merchantId, deliveryId, ...attempt } });
  return { eventId, deliveryId };
}

async function callsLeft(): Promise<(string | undefined)[]> {
  const rows = await context.database.prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM attempt WHERE merchant_id = ${merchantId}::uuid AND packed_call IS NOT NULL ORDER BY id`;
  return rows.map(({ id }) => id);
}

/** Runs until everything that is due has been looked through. */
async function ageOutAll(batch = 1_000): Promise<number> {
  return ageOut(context, { batch, budgetMs: 60_000 });
}

describe('calls to gateways', () => {
  test('lose their bodies after 90 days, in batches of any size, and the attempts stay', async () => {
    const old = [await paymentOf(200), await paymentOf(120), await paymentOf(91)];
    const recent = await paymentOf(89);
    expect(await ageOutAll(2)).toBeGreaterThanOrEqual(3);
    expect(await callsLeft()).toEqual([recent.attemptId]);
    const kept = await context.database.prisma.attempt.findMany({ where: { merchantId } });
    expect(kept).toHaveLength(4);
    expect(kept.find(({ id }) => id === old[0]?.attemptId)).toMatchObject({ gateway: 'paystack', latencyMs: 120 });
    expect(await findWrongRollups(context.database.url, () => undefined)).toEqual([]);
  });

  test('are continued where a run without time stopped', async () => {
    for (const days of [130, 120, 110, 100]) await paymentOf(days);
    let runs = 0;
    while ((await callsLeft()).length > 0 && runs < 200) {
      await ageOut(context, { batch: 1, budgetMs: 0 });
      runs += 1;
    }
    expect(await callsLeft()).toEqual([]);
    expect(runs).toBeGreaterThanOrEqual(4);
  });

  test.each([
    [
      'is under review',
      `UPDATE payment SET review = 'OPEN' WHERE id = $1`,
      `UPDATE payment SET review = 'RESOLVED' WHERE id = $1`,
    ],
    [
      'is still open',
      `UPDATE payment SET status = 'PENDING' WHERE id = $1`,
      `UPDATE payment SET status = 'FAILED' WHERE id = $1`,
    ],
    [
      'is watched for late money',
      `INSERT INTO payment_check SELECT merchant_id, id, now(), false FROM payment WHERE id = $1`,
      `DELETE FROM payment_check WHERE payment_id = $1`,
    ],
    [
      'has a duplicate charge',
      `INSERT INTO duplicate_charge SELECT merchant_id, id, mode, id, id, id, 'paystack', 'r', 't', 1, 'NGN', 'OPEN', NULL, NULL, NULL, NULL, now(), now() FROM payment WHERE id = $1`,
      `UPDATE duplicate_charge SET state = 'DISMISSED' WHERE payment_id = $1`,
    ],
    [
      'has a failed refund that nobody resolved',
      `INSERT INTO refund (merchant_id, id, mode, payment_id, attempt_id, account_id, gateway, transaction_id, amount, currency, state,
         reference, requested_by, created_at, updated_at)
       SELECT merchant_id, id, mode, id, id, id, 'paystack', 't', 1, 'NGN', 'FAILED', 'r', 'api', now(), now() FROM payment WHERE id = $1`,
      `UPDATE refund SET resolved_at = now() WHERE payment_id = $1`,
    ],
    [
      'has a refund that needs attention',
      `INSERT INTO refund (merchant_id, id, mode, payment_id, attempt_id, account_id, gateway, transaction_id, amount, currency, state,
         reference, requested_by, created_at, updated_at)
       SELECT merchant_id, id, mode, id, id, id, 'paystack', 't', 1, 'NGN', 'NEEDS_ATTENTION', 'r', 'api', now(), now()
       FROM payment WHERE id = $1`,
      `UPDATE refund SET state = 'SUCCEEDED' WHERE payment_id = $1`,
    ],
    ...['NEEDS_RESPONSE', 'UNDER_REVIEW'].map((state) => [
      `has a dispute that is ${state}`,
      `INSERT INTO dispute (merchant_id, id, mode, payment_id, attempt_id, account_id, gateway, gateway_dispute_id, state, amount, currency,
         opened_at, created_at, updated_at)
       SELECT merchant_id, id, mode, id, id, id, 'paystack', 'd', '${state}', 1, 'NGN', now(), now(), now() FROM payment WHERE id = $1`,
      `UPDATE dispute SET state = 'WON' WHERE payment_id = $1`,
    ]),
    [
      'has an open discrepancy',
      `INSERT INTO reconciliation_discrepancy (merchant_id, id, mode, account_id, gateway, day, kind, subject, state, payment_id,
         created_at, ledger)
       SELECT merchant_id, id, mode, id, 'paystack', current_date, 'AMOUNT', 'reference/r', 'OPEN', id, now(), '{}' FROM payment WHERE id = $1`,
      `UPDATE reconciliation_discrepancy SET state = 'RESOLVED', resolved_by = 'staff:ada', resolved_at = now() WHERE payment_id = $1`,
    ],
    [
      'is missing from settlements',
      `INSERT INTO settlement_discrepancy (merchant_id, id, mode, account_id, gateway, kind, subject, state, currency, payment_id, created_at)
       SELECT merchant_id, id, mode, id, 'paystack', 'MISSING', 'payment/p', 'OPEN', 'NGN', id, now() FROM payment WHERE id = $1`,
      `UPDATE settlement_discrepancy SET state = 'RESOLVED', resolved_by = 'staff:ada', resolved_at = now() WHERE payment_id = $1`,
    ],
  ])('and webhooks are kept while the payment %s, until that is closed', async (_, open = '', close = '') => {
    const { paymentId, attemptId } = await paymentOf(200);
    await paymentOf(100);
    const attempt = await context.database.prisma.attempt.findFirstOrThrow({ where: { merchantId, id: attemptId } });
    accountId = attempt.accountId;
    await webhookOf(200, attempt.reference);
    await context.database.pool.query(open, [paymentId]);
    await ageOutAll();
    expect(await callsLeft()).toEqual([attemptId]);
    expect(await context.database.prisma.gatewayWebhook.count({ where: { merchantId } })).toBe(1);
    await context.database.pool.query(close, [paymentId]);
    context.setClock(new Date(NOW.getTime() + 3_600_000));
    await ageOutAll();
    expect(await callsLeft()).toEqual([]);
    expect(await context.database.prisma.gatewayWebhook.count({ where: { merchantId } })).toBe(0);
  });

  test('that another transaction holds are left for later, without waiting', async () => {
    const { attemptId } = await paymentOf(200);
    const client = await context.database.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM attempt WHERE merchant_id = $1 AND id = $2 FOR UPDATE', [merchantId, attemptId]);
      await ageOutAll();
      expect(await callsLeft()).toEqual([attemptId]);
      await client.query('ROLLBACK');
    } finally {
      client.release();
    }
    context.setClock(new Date(NOW.getTime() + 3_600_000));
    await ageOutAll();
    expect(await callsLeft()).toEqual([]);
  });
});

describe('rows', () => {
  test('of gateway webhooks go with what was to be followed up, and those to addresses that were never issued as well', async () => {
    const { prisma } = context.database;
    const [, recent] = [await webhookOf(91), await webhookOf(89)];
    for (const days of [31, 29]) {
      await prisma.refusedWebhook.create({ data: { merchantId: NIL_ID, accountId, why: 'x', hourAt: ago(days), count: 1 } });
    }
    const stored = await prisma.gatewayWebhook.findMany({ where: { merchantId } });
    const due = stored.map(({ id: webhookId }) => ({ merchantId, webhookId, dueAt: ago(0), about: {} }));
    await prisma.webhookFollowUp.createMany({ data: due });
    await ageOutAll();
    expect((await prisma.gatewayWebhook.findMany({ where: { merchantId } })).map(({ id }) => id)).toEqual([recent]);
    const toFollow = await prisma.webhookFollowUp.findMany({ where: { merchantId } });
    expect(toFollow.map(({ webhookId }) => webhookId)).toEqual([recent]);
    expect(await prisma.refusedWebhook.count({ where: { accountId } })).toBe(1);
  });

  test('of deliveries go with their attempts and events, except what is still to be tried', async () => {
    const { prisma } = context.database;
    await deliveryOf(91, 'DELIVERED');
    await deliveryOf(95, 'FAILED');
    await deliveryOf(95, 'PENDING', false);
    const due = await deliveryOf(95, 'PENDING');
    const recent = await deliveryOf(10, 'DELIVERED');
    await ageOutAll(2);
    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();
    expect(ids(await prisma.webhookDelivery.findMany({ where: { merchantId } }))).toEqual(
      [due.deliveryId, recent.deliveryId].sort(),
    );
    expect(ids(await prisma.merchantEvent.findMany({ where: { merchantId } }))).toEqual([due.eventId, recent.eventId].sort());
    expect(await prisma.webhookDeliveryAttempt.count({ where: { merchantId } })).toBe(2);
  });

  test('of requests with API keys go after a week, in both modes', async () => {
    const { prisma } = context.database;
    const requestOf = async (days: number, mode: 'test' | 'live', of = merchantId) => {
      const ids = { merchantId: of, id: idAt(ago(days)), keyId: context.newId(), requestId: context.newId() };
      const answered = { method: 'GET', path: '/v1/payments', status: 200, durationMs: 3, endedAt: ago(days) };
      await prisma.apiRequest.create({ data: { ...ids, mode, ...answered } });
      return ids.id;
    };
    for (const mode of ['test', 'test', 'live'] as const) await requestOf(7.1, mode);
    await requestOf(7.1, 'live', otherId);
    const kept = [await requestOf(6.9, 'test'), await requestOf(6.9, 'live')];
    await changeRetention(context, { merchantId: otherId, changes: { api_requests: 8 }, actor: 'staff:ada' });
    await ageOutAll(2);
    const left = await prisma.apiRequest.findMany({ where: { merchantId } });
    expect(left.map(({ id }) => id).sort()).toEqual(kept.toSorted());
    expect(await prisma.apiRequest.count({ where: { merchantId: otherId } })).toBe(1);
  });

  test('of alerts go with their messages once they ended, of merchants and of the workspace; open ones stay', async () => {
    const { prisma } = context.database;
    const channelId = context.newId();
    const incident = async (of: string, openedDays: number, closedDays: number | null) => {
      const at = ago(openedDays);
      const [id, times] = [idAt(at), { createdAt: at, updatedAt: at }];
      const closed = closedDays === null ? {} : { closedAt: ago(closedDays), closedReason: 'ended' };
      const about = { mode: 'test', kind: 'backlog', severity: 'critical', subject: id, facts: {}, since: at } as const;
      await prisma.incident.create({ data: { merchantId: of, id, ...about, openedAt: at, updatedAt: at, ...closed } });
      const told = { channelMerchantId: NIL_ID, channelId, incidentId: id, event: 'opened', state: 'SENT' } as const;
      await prisma.notification.create({ data: { merchantId: of, id: idAt(at), ...told, ...times } });
      return id;
    };
    const testMessage = async (days: number) => {
      const times = { createdAt: ago(days), updatedAt: ago(days) };
      const told = { channelMerchantId: merchantId, channelId, event: 'test', state: 'FAILED' } as const;
      await prisma.notification.create({ data: { merchantId, id: idAt(ago(days)), ...told, ...times } });
    };
    await incident(merchantId, 450, 401);
    await incident(merchantId, 460, 402);
    await incident(merchantId, 450, 402);
    await incident(NIL_ID, 402, 401);
    const kept = [await incident(merchantId, 450, 399), await incident(merchantId, 450, null), await incident(NIL_ID, 5, 4)];
    for (const days of [401, 399]) await testMessage(days);
    await ageOutAll(2);
    const of = { in: [merchantId, NIL_ID] };
    const incidents = await prisma.incident.findMany({ where: { merchantId: of } });
    expect(incidents.map(({ id }) => id).sort()).toEqual(kept.toSorted());
    const told = await prisma.notification.findMany({ where: { channelId } });
    expect(told.map(({ incidentId }) => incidentId ?? 'test').sort()).toEqual([...kept, 'test'].sort());
    await prisma.incident.deleteMany({ where: { merchantId: NIL_ID } });
  });

  test('of drafts in shadow go from the end of their run; those that run stay', async () => {
    const { prisma } = context.database;
    const runOf = async (startedDays: number, endedDays: number | null) => {
      const id = idAt(ago(startedDays));
      const draft = { draftId: context.newId(), draftRevision: 1, document: {}, startedBy: 'staff:ada' };
      const times = { startedAt: ago(startedDays), endsAt: ago(startedDays - 1), scannedTo: ago(startedDays) };
      const end = endedDays === null ? {} : { endedAt: ago(endedDays), ended: 'TIME' as const };
      await prisma.shadowRun.create({ data: { merchantId, id, mode: 'test', ...draft, ...times, ...end } });
      const decision = { paymentId: context.newId(), createdAt: ago(startedDays), currency: 'NGN', result: 'SAME' as const };
      await prisma.shadowDecision.create({ data: { merchantId, runId: id, ...decision } });
      return id;
    };
    await runOf(100, 95);
    const kept = [await runOf(100, 85), await runOf(100, null)].sort();
    await ageOutAll(2);
    const runs = await prisma.shadowRun.findMany({ where: { merchantId } });
    expect(runs.map(({ id }) => id).sort()).toEqual(kept);
    const decisions = await prisma.shadowDecision.findMany({ where: { merchantId } });
    expect(decisions.map(({ runId }) => runId).sort()).toEqual(kept);
  });

  test('of payments, refunds, timeline and audit log never go', async () => {
    const { paymentId } = await paymentOf(3_640);
    const { prisma } = context.database;
    const count = async () => [
      await prisma.payment.count({ where: { merchantId, id: paymentId } }),
      await prisma.timelineEvent.count({ where: { merchantId } }),
      await prisma.auditEntry.count(),
    ];
    const before = await count();
    await ageOutAll();
    expect(await count()).toEqual(before);
  });
});

describe('settings', () => {
  const actor = 'staff:ada';

  test('apply to one merchant before the workspace, and the page says where they come from', async () => {
    await webhookOf(40);
    await webhookOf(40, null, otherId);
    expect(await changeRetention(context, { merchantId, changes: { gateway_webhooks: 30 }, actor })).toEqual({
      kind: 'changed',
    });
    await ageOutAll();
    expect(await context.database.prisma.gatewayWebhook.count({ where: { merchantId } })).toBe(0);
    expect(await context.database.prisma.gatewayWebhook.count({ where: { merchantId: otherId } })).toBe(1);
    const described = await describeRetention(context, { merchantId, visibleMerchantIds: [merchantId] });
    expect(described.find(({ kind }) => kind === 'gateway_webhooks')).toMatchObject({
      days: 30,
      from: 'merchant',
      otherwiseDays: 90,
      removedLastRun: 1,
      removedInAll: 1,
      lastRunAt: NOW,
    });
    expect(described.some(({ kind }) => kind === 'sign_in_records')).toBe(false);
  });

  test('can be made for every kind that merchants have', async () => {
    for (const kind of RETENTION_KINDS) {
      const { of, maxDays } = RETENTION_LIMITS[kind];
      if (of === 'workspace') continue;
      expect(await changeRetention(context, { merchantId, changes: { [kind]: maxDays }, actor })).toEqual({ kind: 'changed' });
    }
  });

  test('are refused outside the limits, field by field, and nothing is written', async () => {
    const changes = { gateway_calls: 3, webhook_deliveries: 5_000, health_counts: 20, idempotency_records: 2 };
    const outcome = await changeRetention(context, { merchantId, changes, actor });
    expect(outcome).toEqual({
      kind: 'invalid',
      problems: [
        {
          field: 'gateway_calls',
          message: 'must be at least 7 days: late money is watched for 72 hours, and gateways are asked about it for days',
        },
        { field: 'webhook_deliveries', message: 'must be at most 3650 days' },
        { field: 'health_counts', message: 'is set for the whole workspace, not for one merchant' },
        { field: 'idempotency_records', message: 'is fixed' },
      ],
    });
    expect(await context.database.prisma.retentionSetting.count({ where: { merchantId } })).toBe(0);
    const notDays = { gateway_calls: 10.5 };
    expect(await changeRetention(context, { merchantId, changes: notDays, actor })).toMatchObject({ kind: 'invalid' });
  });

  test('are audited with both values, and removing one brings the default back', async () => {
    const change = (days: number | null) => changeRetention(context, { merchantId: null, changes: { failed_jobs: days }, actor });
    expect(await change(60)).toEqual({ kind: 'changed' });
    expect(await change(60)).toEqual({ kind: 'unchanged' });
    expect(await change(null)).toEqual({ kind: 'changed' });
    const entries = await context.database.prisma.auditEntry.findMany({
      where: { tenantId: NIL_ID, action: 'retention.changed' },
      orderBy: { position: 'asc' },
    });
    expect(entries.map(({ before, after, actor: by }) => ({ before, after, by }))).toEqual([
      { before: { failed_jobs: null }, after: { failed_jobs: 60 }, by: actor },
      { before: { failed_jobs: 60 }, after: { failed_jobs: null }, by: actor },
    ]);
  });
});
