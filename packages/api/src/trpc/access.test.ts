import { NO_MAPPING } from '@switchyard/accounting/journal';
import { newId } from '@switchyard/db';
import { issueKey } from '@switchyard/merchants/console/api-keys';
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
import { CALLERS, hasRight, linesOf } from '../testing/rights.ts';
import { isProcedure, sampleInput } from '../testing/sample-input.ts';
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
let statement: Awaited<ReturnType<typeof snapshotStatement>>;

beforeAll(async () => {
  dashboard = await openTestDashboard();
  own = await createTarget('Balogun Books');
  other = await createTarget('Ade Fabrics');
  // Calls to a gateway fail at once, on any machine.
  await dashboard.database.pool.query(`UPDATE gateway_account SET base_url = 'http://127.0.0.1:9'`);
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
  const key = await issueKey(switchyard, { merchantId, mode: 'test', name, expiresAt: null, actor });
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
  return {
    name,
    ids: {
      merchantId,
      accountId: paystack,
      fromAccountId: paystack,
      toAccountId: flutterwave,
      paymentId,
      staffId: person.staffId,
      apiRequestId,
      scheduleId,
      ...(sentNow.kind === 'queued' && { runId: sentNow.runId }),
      ...(draft.kind === 'created' && { draftId: draft.draft.draftId }),
      ...(key.kind === 'issued' && { keyId: key.key.id }),
      ...(sent.kind === 'queued' && { endpointId, deliveryId: sent.deliveryId }),
    },
  };
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

/** Every record of the other merchant and of staff users that a call could have changed. */
async function snapshot(): Promise<string> {
  const values = [other.ids.merchantId, own.ids.staffId];
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

function withText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
