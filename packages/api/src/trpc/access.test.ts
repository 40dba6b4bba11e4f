import { NO_MAPPING } from '@switchyard/accounting/journal';
import { newId, toPrismaJson } from '@switchyard/db';
import { issueKey } from '@switchyard/merchants/console/api-keys';
import { NO_UNITS } from '@switchyard/routing/canary';
import { createDraft } from '@switchyard/rule-sets/drafts';
import { createSchedule, sendNow } from '@switchyard/scheduled-reports/console';
import { PERMISSIONS, type StaffSession } from '@switchyard/staff/permissions';
import { createStaffUser } from '@switchyard/staff/users';
import { createEndpoint, sendTestEvent } from '@switchyard/webhooks/endpoints';
import { callTRPCProcedure, type ProcedureType, TRPCError } from '@trpc/server';
import superjson from 'superjson';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestMerchant, openTestDashboard, sessionOf, type TestDashboard } from '../testing/dashboard.ts';
import { isProcedure, sampleInput } from '../testing/input-fields.ts';
import { CALLERS, hasRight, isTestOnly, linesOf } from '../testing/rights.ts';
import { recordPayment } from '../testing/switchyard.ts';
import { appRouter } from './router.ts';

/*
 * Calls every procedure of the router as every role, and compares with the table of rights: a new one without a line fails here. Inputs
 * are generated from the procedures' schemas; exceptions are in `INPUTS`.
 */

const ROLES = CALLERS.filter((caller) => caller !== null);
const metaSchema = z.object({ permission: z.enum([...PERMISSIONS, 'signed_in']) });
const PROCEDURES = Object.entries(appRouter._def.procedures).map(([path, procedure]) => {
  // The type also covers nested routers, which this list does not contain.
  if (!isProcedure(procedure)) throw new Error(`${path} is no procedure`);
  return [path, procedure._def] as const;
});

/** A merchant with one record of every kind. */
type Target = Awaited<ReturnType<typeof createTarget>>;

let dashboard: TestDashboard;
let own: Target;
let other: Target;
/** A merchant whose records are all of live mode. */
let live: Target;
let statement: Awaited<ReturnType<typeof snapshotStatement>>;

beforeAll(async () => {
  dashboard = await openTestDashboard();
  own = await createTarget('Balogun Books');
  other = await createTarget('Ade Fabrics');
  live = await createLiveTarget('Chidi Shoes');
  // Calls to a gateway fail at once, on any machine.
  await dashboard.database.pool.query(`UPDATE gateway_account SET base_url = 'http://127.0.0.1:9' WHERE mode = 'test'`);
  await dashboard.database.prisma.configurationRevision.updateMany({ data: { revision: { increment: 1 } } });
  await dashboard.switchyard.resources.configuration.refresh();
  statement = await snapshotStatement();
});
afterAll(() => dashboard.close());

async function createTarget(name: string) {
  const { switchyard } = dashboard;
  const actor = 'system:test';
  const { merchantId, paystack, flutterwave } = await createTestMerchant(dashboard);
  await dashboard.database.pool.query('UPDATE merchant SET name = $1 WHERE id = $2', [name, merchantId]);
  const draft = await createDraft(switchyard, { merchantId, mode: 'test', from: { kind: 'published' }, name, actor });
  const key = await issueKey(switchyard, { merchantId, mode: 'test', name, expiresAt: null, scopes: ['full_access'], actor });
  const hook = { merchantId, mode: 'test', url: 'http://127.0.0.1:9/hooks', description: '', types: [], actor } as const;
  const apiRequestId = newId();
  const ended = { keyId: newId(), requestId: newId(), method: 'GET', path: `/v1/${merchantId}`, status: 404, durationMs: 1 };
  await dashboard.database.prisma.apiRequest.create({
    data: { merchantId, mode: 'test', id: apiRequestId, ...ended, endedAt: new Date(), responseBody: name },
  });
  const endpoint = await createEndpoint(switchyard, hook);
  const endpointId = endpoint.kind === 'created' ? endpoint.endpoint.id : '';
  const sent = await sendTestEvent(switchyard, { merchantId, endpointId, actor });
  const grants = [{ merchantId, role: 'viewer' as const }];
  const email = `${name.replace(/\W/g, '')}@example.com`.toLowerCase();
  const person = await createStaffUser(switchyard, {
    email,
    name: `Of ${name}`,
    password: 'correct horse battery',
    grants,
  });
  const paymentId = await recordPayment(switchyard, merchantId, 'order-1');
  const report = { merchantId, mode: 'test', list: 'payments', filter: {}, fields: REPORT } as const;
  const scheduled = await createSchedule(switchyard, { ...report, staffId: person.staffId });
  if (scheduled.kind !== 'created') throw new Error(scheduled.kind);
  const { scheduleId } = scheduled;
  const sentNow = await sendNow(switchyard, { merchantId, scheduleId, staffId: person.staffId });
  const canary = { merchantId, mode: 'test', id: newId(), ruleSetId: newId(), version: 1, liveVersion: 0, salt: 'salt' } as const;
  const { id: canaryId } = await dashboard.database.prisma.ruleCanary.create({
    data: {
      ...canary,
      percent: 10,
      toleratedLoss: 100,
      horizonMinutes: 60,
      startedBy: 'system:test',
      startedAt: ENDED,
      endsAt: ENDED,
      endedAt: ENDED,
      ended: 'STOPPED',
      scannedTo: ENDED,
      scannedId: newId(),
      sums: toPrismaJson(NO_UNITS),
    },
  });
  return {
    name,
    ids: {
      merchantId,
      canaryId,
      accountId: paystack,
      fromAccountId: paystack,
      toAccountId: flutterwave,
      paymentId,
      staffId: person.staffId,
      ...(await recordMoney(merchantId, paymentId, paystack, person.staffId)),
      apiRequestId,
      scheduleId,
      ...(sentNow.kind === 'queued' && { runId: sentNow.runId }),
      ...(draft.kind === 'created' && { draftId: draft.draft.draftId }),
      ...(key.kind === 'issued' && { keyId: key.key.id }),
      ...(sent.kind === 'queued' && { endpointId, deliveryId: sent.deliveryId }),
    },
  };
}

const ENDED = new Date('2026-11-20T10:00:00Z');

async function createLiveTarget(name: string): Promise<Target> {
  const target = await createTarget(name);
  await dashboard.database.pool.query(`UPDATE gateway_account SET base_url = NULL WHERE merchant_id = $1`, [
    target.ids.merchantId,
  ]);
  for (const table of [
    'gateway_account',
    'payment',
    'refund',
    'duplicate_charge',
    'refund_approval',
    'rule_set_version',
    'rule_canary',
  ]) {
    await dashboard.database.pool.query(`UPDATE ${table} SET mode = 'live' WHERE merchant_id = $1`, [target.ids.merchantId]);
  }
  return target;
}

/** A refund, a duplicate charge, an approval and an override about a payment. Returns their ids. */
async function recordMoney(merchantId: string, paymentId: string, accountId: string, staffId: string) {
  const { prisma } = dashboard.database;
  const key = { merchantId, mode: 'test', paymentId, gateway: 'paystack', currency: 'NGN' } as const;
  const createdAt = new Date();
  const times = { createdAt, updatedAt: createdAt };
  const ids = { refundId: newId(), duplicateChargeId: newId(), approvalId: newId(), overrideId: newId() };
  const received = { attemptId: newId(), accountId, transactionId: 't-1', reference: 'r-1' };
  const refund = { id: ids.refundId, amount: 5n, requestedBy: 'api', reason: null, state: 'FAILED' } as const;
  await prisma.refund.create({ data: { ...key, ...received, ...times, ...refund } });
  const charge = { id: ids.duplicateChargeId, amount: 5, state: 'OPEN' } as const;
  await prisma.duplicateCharge.create({ data: { ...key, ...received, ...times, ...charge } });
  const approval = { id: ids.approvalId, kind: 'own', amount: 5n, state: 'WAITING', requestedBy: `staff:${staffId}` } as const;
  const expiresAt = new Date(createdAt.getTime() + 86_400_000);
  await prisma.refundApproval.create({ data: { ...key, ...approval, createdAt, expiresAt } });
  const override = { action: 'drain', reason: 'Maintenance', actor: 'staff:ada', createdAt, expiresAt } as const;
  await prisma.routingOverride.create({ data: { merchantId, id: ids.overrideId, accountId, ...override } });
  return ids;
}

const REPORT = { name: 'Report', format: 'csv', frequency: 'daily', hour: 6, timeZone: 'UTC', recipients: [] } as const;

/** Inputs that cannot be generated from the schema. */
const INPUTS: Readonly<Record<string, (target: Target) => unknown>> = {
  'scheduledReports.create': ({ ids: { merchantId } }) => ({
    merchantId,
    mode: 'test',
    list: 'payments',
    filter: {},
    fields: REPORT,
  }),
  'scheduledReports.update': ({ ids: { scheduleId } }) => ({ scheduleId, fields: REPORT }),
  'scheduledReports.preview': () => ({ frequency: 'daily', hour: 6, timeZone: 'UTC' }),
  'routing.validate': ({ ids: { merchantId } }) => ({ merchantId, mode: 'test', rules: { kind: 'published' } }),
  'journal.changeSetting': ({ ids: { merchantId } }) => ({
    merchantId,
    mode: 'test',
    timeZone: 'Africa/Lagos',
    mapping: NO_MAPPING,
  }),
  'settlements.files.preview': ({ ids }) => settlementFile(ids),
  'settlements.files.effect': ({ ids }) => settlementFile(ids),
  'settlements.files.take': ({ ids }) => ({ ...settlementFile(ids), hash: 'unknown' }),
};

/** A file of one payout, of a merchant's account. */
function settlementFile({ merchantId, accountId }: Target['ids']) {
  const none = { transactionId: null, kind: null, fee: null, net: null, currency: null, occurredAt: null, description: null };
  const columns = { ...none, settlement: 'Payout', settledOn: 'Day', reference: 'Reference', amount: 'Amount' };
  const format = { currency: 'NGN', unit: 'main', decimalMark: '.', dates: 'day_first', zone: 'Africa/Lagos' };
  return {
    merchantId,
    accountId,
    name: 'payouts.csv',
    content: Buffer.from('Payout,Day,Reference,Amount\nS-1,25/11/2026,a,1').toString('base64'),
    mapping: { columns, kinds: {}, ...format },
    entered: { reference: null, settledOn: null },
  };
}

/** Procedures with the same response for every caller, which may therefore contain names of others. */
const NAMES_FOR_ALL = new Set(['health.people']);

interface Ending {
  /** `ok`, or the error code of the call. */
  readonly code: string;
  readonly badInput: boolean;
  readonly output: string;
}

/** Some subscriptions send nothing in this time. */
const SUBSCRIPTION_MS = 3_000;

function isSubscription(type: ProcedureType): boolean {
  return type === 'subscription';
}

async function call(path: string, session: StaffSession | null, input: unknown): Promise<Ending> {
  const type = PROCEDURES.find(([known]) => known === path)?.[1].type ?? 'query';
  const stop = new AbortController();
  const timer = isSubscription(type) ? setTimeout(() => stop.abort(), SUBSCRIPTION_MS) : undefined;
  try {
    const ctx = { switchyard: dashboard.switchyard, session };
    const options = { path, type, ctx, getRawInput: async () => input, signal: stop.signal, batchIndex: 0 };
    let answer: unknown = await callTRPCProcedure({ router: appRouter, ...options });
    if (isIterable(answer)) {
      const events: unknown[] = [];
      for await (const event of answer) {
        events.push(event);
        stop.abort();
      }
      answer = events;
    }
    return { code: 'ok', badInput: false, output: superjson.stringify(answer) };
  } catch (error) {
    if (!(error instanceof TRPCError)) return { code: String(error), badInput: false, output: '' };
    const badInput = error.code === 'BAD_REQUEST' && error.cause instanceof z.ZodError;
    return { code: error.code, badInput, output: error.message };
  } finally {
    clearTimeout(timer);
  }
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The statement of `snapshot`. Prepared, because it is asked for twice with every call, and planned longer than it runs. */
async function snapshotStatement(): Promise<{ readonly name: string; readonly text: string }> {
  const { rows: tables } = await dashboard.database.pool.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name IN ('merchant_id', 'tenant_id') ORDER BY 1`,
  );
  const parts = tables.map(
    ({ table, column }) => `SELECT '${table}' || t::text AS row FROM "${table}" AS t WHERE ${column} = $1`,
  );
  const people = ['staff_session', 'staff_two_factor', 'staff_credential', 'staff_link'];
  const whole = people.map((table) => `SELECT '${table}' || t::text FROM "${table}" AS t`);
  // Callers may change the time zone in which they read themselves.
  const users = `SELECT 'staff_user' || CASE WHEN t.id = $2 THEN (to_jsonb(t) - 'time_zone' - 'updated_at')::text ELSE t::text END
    FROM staff_user AS t`;
  const merchant = `SELECT 'merchant' || t::text FROM merchant AS t WHERE id = $1`;
  const rows = [...parts, ...whole, users, merchant].join(' UNION ALL ');
  return { name: 'snapshot', text: `SELECT md5(string_agg(row, '|' ORDER BY row)) AS sum FROM (${rows}) AS rows` };
}

/** Every record of a merchant, unless said of the other, and of staff users that a call could have changed. */
async function snapshot({ ids: { merchantId } }: Target = other): Promise<string> {
  const values = [merchantId, own.ids.staffId];
  const { rows } = await dashboard.database.pool.query<{ sum: string }>({ ...statement, values });
  return String(rows[0]?.sum);
}

test('the table of rights has a line for every procedure, and no other', () => {
  expect(linesOf('trpc').toSorted()).toEqual(PROCEDURES.map(([path]) => path).toSorted());
});

describe.each(PROCEDURES)('%s', (path, procedure) => {
  const allows = (role: (typeof CALLERS)[number]) => hasRight(role, `trpc ${path}`);
  const inputFor = (target: Target) => INPUTS[path]?.(target) ?? sampleInput(procedure, target.ids);

  test('declares its permission', () => {
    expect(metaSchema.safeParse(procedure.meta).success).toBe(true);
  });

  test('is refused without a session, and without a role unless a session is enough', async () => {
    expect((await call(path, null, undefined)).code).toBe('UNAUTHORIZED');
    const without = { ...sessionOf('owner', null), grants: [] };
    expect((await call(path, without, undefined)).code === 'FORBIDDEN').toBe(!allows(null));
  });

  test.each(ROLES)('allows a(n) %s what the table of rights permits, and nothing else', async (role) => {
    expect((await call(path, sessionOf(role, own.ids.merchantId, own.ids.staffId), undefined)).code === 'FORBIDDEN').toBe(
      !allows(role),
    );
  });

  test.each(ROLES.filter(allows))('does not let a(n) %s reach another merchant with any input', async (role) => {
    const session = sessionOf(role, own.ids.merchantId, own.ids.staffId);
    const input = inputFor(other);
    const before = await snapshot();
    const ending = await call(path, session, input);
    expect(await snapshot()).toBe(before);
    expect(ending.badInput, `add an input for ${path} to INPUTS: ${ending.output}`).toBe(false);
    if (JSON.stringify(input ?? null, withText).includes(other.ids.merchantId)) {
      expect(ending.code).toMatch(/^(FORBIDDEN|NOT_FOUND)$/);
    }
    const output = NAMES_FOR_ALL.has(path) ? '' : ending.output;
    for (const secret of [other.name, ...Object.values(other.ids)]) expect(output).not.toContain(secret);
  });

  test('accepts the same input about the caller’s own merchant', async () => {
    const { code, output } = await call(path, sessionOf('owner', own.ids.merchantId, own.ids.staffId), inputFor(own));
    expect(code, output).not.toMatch(/INTERNAL_SERVER_ERROR|UNAUTHORIZED|Error/);
  });
});

const TEST_ONLY = PROCEDURES.flatMap(([path, procedure]) =>
  ROLES.filter((role) => isTestOnly(role, `trpc ${path}`)).map((role) => [path, role, procedure] as const),
);

describe.each(TEST_ONLY)('%s, which a(n) %s may use in test mode alone,', (path, role, procedure) => {
  test('changes nothing in live mode, and is refused', async () => {
    const sample: unknown = INPUTS[path]?.(live) ?? sampleInput(procedure, live.ids);
    const input = typeof sample === 'object' && sample !== null && 'mode' in sample ? { ...sample, mode: 'live' } : sample;
    const before = await snapshot(live);
    for (const merchantId of [live.ids.merchantId, null]) {
      const { code, output } = await call(path, sessionOf(role, merchantId, own.ids.staffId), input);
      expect(code, output).toBe('FORBIDDEN');
    }
    expect(await snapshot(live)).toBe(before);
  });

  // An override of a gateway that there is not is one of no mode.
  test.skipIf(path === 'health.endGatewayDrain')('is not refused in test mode', async () => {
    const { code, output } = await call(
      path,
      sessionOf(role, null, own.ids.staffId),
      INPUTS[path]?.(own) ?? sampleInput(procedure, own.ids),
    );
    expect(code, output).not.toBe('FORBIDDEN');
  });
});

function withText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
