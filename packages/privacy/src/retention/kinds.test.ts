import { NIL_ID } from '@switchyard/db';
import { packCall } from '@switchyard/payments/attempts';
import { openTestPayments, recordPayment, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertRow } from '../testing/customer-fixture.ts';
import { ageOut } from './age-out.ts';
import { changeRetention } from './change-retention.ts';
import { RETENTION_KINDS, RETENTION_LIMITS, type RetentionKind } from './kinds.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOW = new Date('2026-11-20T14:00:00Z');

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
  context.setClock(NOW);
});
// Each run looks through every kind of data of every merchant.
beforeEach(async () => {
  await context.database.prisma.merchant.deleteMany();
});
afterAll(() => context.close());

/** An id that begins with an instant, as the application makes them at that time. */
function idAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-${context.newId().slice(14)}`;
}

/** SQL that counts the rows with an id, and the id. */
type Written = readonly [count: string, id: unknown];

/** Writes a row, by SQL, that counts as being from an instant. */
type Write = (merchantId: string, at: Date) => Promise<Written>;

function rowOf(table: string, row: (at: Date) => Readonly<Record<string, unknown>>, key = 'id'): Write {
  return async (merchantId, at) => {
    const values = { merchant_id: merchantId, ...row(at) };
    const id = Reflect.get(values, key);
    await insertRow(context, table, values);
    return [`SELECT count(*)::int AS count FROM ${table} WHERE ${key} = $1`, id];
  };
}

/** A row of a thing that counts as being from an instant: as long as that is there, so is the row. */
function rowOfIts(whole: Write, table: string, key: string, more: Readonly<Record<string, unknown>> = {}): Write {
  return async (merchantId, at) => {
    const [, id] = await whole(merchantId, at);
    await insertRow(context, table, { merchant_id: merchantId, [key]: id, ...more });
    return [`SELECT count(*)::int AS count FROM ${table} WHERE ${key} = $1`, id];
  };
}

async function endpointOf(merchantId: string): Promise<string> {
  const id = context.newId();
  await insertRow(context, 'webhook_endpoint', { merchant_id: merchantId, id, enabled: true });
  return id;
}

const delivery: Write = async (merchantId, at) => {
  const of = { endpoint_id: await endpointOf(merchantId), state: 'DELIVERED', created_at: at, updated_at: at };
  return rowOf('webhook_delivery', () => ({ ...of, id: idAt(at) }))(merchantId, at);
};
const incidentOf = (kind: string) =>
  rowOf('incident', (at) => ({
    id: idAt(at),
    kind,
    subject: idAt(at),
    opened_at: at,
    since: at,
    closed_at: at,
    closed_reason: 'ended',
  }));
const incident = incidentOf('backlog');
/** Rows about an incident. */
const ofIncident = (whole: Write) => ({
  incident_note: rowOfIts(whole, 'incident_note', 'incident_id'),
  incident_post_mortem: rowOfIts(whole, 'incident_post_mortem', 'incident_id'),
  notification: rowOfIts(whole, 'notification', 'incident_id', { state: 'SENT' }),
});
const canary = rowOf('rule_canary', (at) => ({ id: idAt(at), ended_at: at, ended: 'TIME' }));
const shadowRun = rowOf('shadow_run', (at) => ({ id: idAt(at), ended_at: at, ended: 'TIME' }));

/** How a row of each kind of data is written, by what the kind says that it is stored in. */
const WRITE: Readonly<Record<string, Write>> = {
  'attempt.call': async (merchantId, at) => {
    const { paymentId } = await recordPayment(context, merchantId, { createdAt: at, paymentId: idAt(at), status: 'SUCCESS' });
    await context.database.prisma.paymentCheck.deleteMany({ where: { paymentId } });
    const id = idAt(at);
    const values = [paymentId, id, at, packCall({ request: 'a' })];
    await context.database.pool.query(
      'UPDATE attempt SET id = $2, created_at = $3, packed_call = $4 WHERE payment_id = $1',
      values,
    );
    return ['SELECT count(*)::int AS count FROM attempt WHERE id = $1 AND packed_call IS NOT NULL', id];
  },
  gateway_webhook: rowOf('gateway_webhook', (at) => ({ id: idAt(at), received_at: at })),
  refused_webhook: rowOf('refused_webhook', (at) => ({ account_id: idAt(at), hour_at: at }), 'account_id'),
  merchant_event: rowOf('merchant_event', (at) => ({ id: idAt(at), created_at: at })),
  webhook_delivery: delivery,
  webhook_delivery_attempt: rowOfIts((...of) => delivery(...of), 'webhook_delivery_attempt', 'delivery_id'),
  webhook_resend: rowOf('webhook_resend', (at) => ({ id: idAt(at), finished_at: at })),
  health_bucket: rowOf('health_bucket', (at) => ({ account_id: idAt(at), bucket_at: at }), 'account_id'),
  health_event: rowOf('health_event', (at) => ({ id: idAt(at), created_at: at })),
  incident,
  ...ofIncident(incident),
  shadow_run: shadowRun,
  shadow_decision: rowOfIts(shadowRun, 'shadow_decision', 'run_id'),
  canary_unit: rowOfIts(canary, 'canary_unit', 'canary_id'),
  holdout_customer: rowOf('holdout_customer', (at) => ({ customer: idAt(at), created_at: at }), 'customer'),
  report_file: rowOf('report_file', (at) => ({ run_id: idAt(at), created_at: at }), 'run_id'),
  staff_session: async (merchantId, at) => {
    const id = context.newId();
    await insertRow(context, 'staff_user', { id });
    return rowOf('staff_session', () => ({ id: idAt(at), user_id: id, expires_at: at }))(merchantId, at);
  },
  staff_verification: rowOf('staff_verification', (at) => ({ id: idAt(at), expires_at: at })),
  staff_link: rowOf('staff_link', (at) => ({ id: idAt(at), token_hash: Buffer.from(idAt(at)), expires_at: at })),
  staff_sign_in_limit: rowOf('staff_sign_in_limit', (at) => ({ key: idAt(at), expire: at.getTime() }), 'key'),
  'graphile_worker jobs': async (_, at) => {
    const key = idAt(at);
    await context.database.pool.query(`SELECT graphile_worker.add_job('any', job_key := $1, max_attempts := 1)`, [key]);
    await context.database.pool.query('UPDATE graphile_worker._private_jobs SET attempts = 1, updated_at = $2 WHERE key = $1', [
      key,
      at,
    ]);
    return ['SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE key = $1', key];
  },
  api_request: rowOf('api_request', (at) => ({ id: idAt(at), ended_at: at })),
  idempotency_record: rowOf(
    'idempotency_record',
    (at) => ({ key: idAt(at), expires_at: new Date(at.getTime() + DAY_MS) }),
    'key',
  ),
};

/** Kept a little longer, so that a process whose clock is ahead deletes nothing that others still honour. */
const MARGIN_MS: Partial<Record<RetentionKind, number>> = { idempotency_records: HOUR_MS };

/** Writes a row of everything that is of a kind, one just past its time and one just within it. Returns the names of those that are left. */
async function writeOf(kind: RetentionKind, merchantId: string, days: number): Promise<() => Promise<readonly string[]>> {
  const limit = NOW.getTime() - days * DAY_MS - (MARGIN_MS[kind] ?? 0);
  const rows: { readonly name: string; readonly row: Written }[] = [];
  for (const stored of RETENTION_LIMITS[kind].stored) {
    const write = WRITE[stored];
    if (write === undefined) throw new Error(`say in kinds.test.ts how a row of ${stored} is written, which is of ${kind}`);
    rows.push({ name: `${stored} just past`, row: await write(merchantId, new Date(limit - 1)) });
    rows.push({ name: `${stored} just within`, row: await write(merchantId, new Date(limit + 1)) });
  }
  return async () => {
    const left: string[] = [];
    for (const { name, row } of rows) {
      const { rows: counted } = await context.database.pool.query<{ count: number }>(row[0], [row[1]]);
      if ((counted[0]?.count ?? 0) > 0) left.push(name);
    }
    return left.sort();
  };
}

async function newMerchant(): Promise<string> {
  return (await createTestMerchant(context, { 'paystack-main': {} })).merchantId;
}

/** Looks through everything again, as an hour later. */
async function ageOutAll(): Promise<void> {
  await context.database.prisma.retentionProgress.deleteMany();
  await ageOut(context, { budgetMs: 60_000 });
}

const within = (kind: RetentionKind) => RETENTION_LIMITS[kind].stored.map((stored) => `${stored} just within`).sort();
const both = (kind: RetentionKind) =>
  RETENTION_LIMITS[kind].stored.flatMap((stored) => [`${stored} just past`, `${stored} just within`]).sort();

const actor = 'staff:ada';
const isFixed = (kind: RetentionKind) => RETENTION_LIMITS[kind].minDays === RETENTION_LIMITS[kind].maxDays;

test.each(RETENTION_KINDS)('%s go just past their default, and stay just within it', async (kind) => {
  const left = await writeOf(kind, await newMerchant(), RETENTION_LIMITS[kind].defaultDays);
  await ageOutAll();
  expect(await left()).toEqual(within(kind));
});

test.each(RETENTION_KINDS.filter((kind) => !isFixed(kind)))('%s go by the workspace in place of the default', async (kind) => {
  const days = RETENTION_LIMITS[kind].minDays + 1;
  expect(await changeRetention(context, { merchantId: null, changes: { [kind]: days }, actor })).toEqual({ kind: 'changed' });
  const left = await writeOf(kind, await newMerchant(), days);
  await ageOutAll();
  await changeRetention(context, { merchantId: null, changes: { [kind]: null }, actor });
  expect(await left()).toEqual(within(kind));
});

test.each(RETENTION_KINDS.filter((kind) => RETENTION_LIMITS[kind].of === 'merchant'))(
  '%s go by the merchant in place of the workspace, and by that for all others',
  async (kind) => {
    const { minDays, maxDays } = RETENTION_LIMITS[kind];
    const [own, other] = [await newMerchant(), await newMerchant()];
    const change = (merchantId: string | null, days: number | null) =>
      changeRetention(context, { merchantId, changes: { [kind]: days }, actor });
    expect(await change(null, maxDays)).toEqual({ kind: 'changed' });
    expect(await change(own, minDays)).toEqual({ kind: 'changed' });
    const [left, leftOfOther] = [await writeOf(kind, own, minDays), await writeOf(kind, other, minDays)];
    await ageOutAll();
    await change(null, null);
    await change(own, null);
    expect(await left()).toEqual(within(kind));
    expect(await leftOfOther()).toEqual(both(kind));
  },
);

test('every way to write a row is of a kind', () => {
  const stored = RETENTION_KINDS.flatMap((kind) => RETENTION_LIMITS[kind].stored);
  expect(Object.keys(WRITE).toSorted()).toEqual(stored.toSorted());
});

describe('of alerts', () => {
  test.each(['gateway_degraded', 'gateway_down', 'correlated_outage'])(
    'those of %s are kept, with all that was said',
    async (kind) => {
      const merchantId = await newMerchant();
      const outage = incidentOf(kind);
      const old = new Date(NOW.getTime() - 4_000 * DAY_MS);
      const rows = [await outage(merchantId, old)];
      for (const write of Object.values(ofIncident(outage))) rows.push(await write(merchantId, old));
      await ageOutAll();
      for (const [count, id] of rows) {
        expect((await context.database.pool.query(count, [id])).rows, count).toEqual([{ count: 1 }]);
      }
    },
  );

  test('those of the workspace go by the workspace', async () => {
    const left = await writeOf('alerts', NIL_ID, RETENTION_LIMITS.alerts.defaultDays);
    await ageOutAll();
    expect(await left()).toEqual(within('alerts'));
  });
});
