import { may, PERMISSIONS, type Permission } from '@switchyard/merchants';
import { type AnyTRPCProcedure, callTRPCProcedure, TRPCError } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { StaffSession } from '../staff/session.ts';
import { type DeskMerchant, openTestDesk, sessionOf, type TestDesk, takeInMerchant } from '../testing/desk.ts';
import { appRouter } from './router.ts';

/** What is of no merchant. */
const FOR_ALL: ReadonlySet<string> = new Set(['routing.versions.fileSchema']);
/** Asks for a permission, and is of no merchant either. */
const OF_NOBODY: ReadonlySet<string> = new Set(['gateways.kinds', 'gateways.feeExamples', 'health.people']);
const ROLES = ['owner', 'operator', 'finance', 'viewer'] as const;
const { procedures } = appRouter._def;
const OURS = Object.keys(procedures).filter((path) => /^(routing|health|gateways)\./.test(path));

let desk: TestDesk;
let own: DeskMerchant;
let other: DeskMerchant;

beforeAll(async () => {
  desk = await openTestDesk();
  own = await takeInMerchant(desk);
  other = await takeInMerchant(desk);
});
afterAll(() => desk.close());

function procedureOf(path: string): AnyTRPCProcedure['_def'] {
  const found: unknown = Object.entries(procedures).find(([known]) => known === path)?.[1];
  if (!isProcedure(found)) throw new Error(`there is no ${path}`);
  return found._def;
}

function isProcedure(value: unknown): value is AnyTRPCProcedure {
  return typeof value === 'function' && '_def' in value;
}

/** How a call ends: `ok`, or the code it is refused with. */
async function call(path: string, session: StaffSession | null, input: unknown): Promise<string> {
  const { type } = procedureOf(path);
  const ctx = { switchyard: desk.switchyard, session };
  try {
    const stop = new AbortController();
    const getRawInput = async () => input;
    const answer: unknown = await callTRPCProcedure({
      router: appRouter,
      path,
      getRawInput,
      ctx,
      type,
      signal: stop.signal,
      batchIndex: 0,
    });
    if (type === 'subscription' && isIterable(answer)) for await (const _ of answer) stop.abort();
    return 'ok';
  } catch (error) {
    return error instanceof TRPCError ? error.code : String(error);
  }
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

describe.each(OURS)('%s', (path) => {
  const permission = (): Permission => {
    const { permission: declared } = z.object({ permission: z.enum(PERMISSIONS) }).parse(procedureOf(path).meta);
    return declared;
  };
  const isForAll = FOR_ALL.has(path);

  test('asks for somebody signed in', async () => {
    expect(await call(path, null, undefined)).toBe('UNAUTHORIZED');
  });

  test.each(ROLES)('lets a(n) %s do what the role may do, and nothing else', async (role) => {
    const refused = (await call(path, sessionOf(role, own.merchantId), undefined)) === 'FORBIDDEN';
    expect(refused).toBe(!isForAll && !may(role, permission()));
  });

  test('does not reach another merchant, whatever is asked', async () => {
    const input = INPUTS[path];
    if (input === undefined) throw new Error(`say below what ${path} is asked, so that this can be tried`);
    const owner = sessionOf('owner', own.merchantId);
    const before = await snapshot();
    if (!isForAll && !OF_NOBODY.has(path)) {
      expect(await call(path, owner, input(other))).toMatch(/^(FORBIDDEN|NOT_FOUND)$/);
    }
    expect(await snapshot()).toBe(before);
    // The same question about one's own is understood.
    expect(await call(path, owner, input(own))).toMatch(/^(ok|NOT_FOUND)$/);
  });
});

/** Everything of the other merchant that a call could have changed. */
async function snapshot(): Promise<string> {
  const { rows } = await desk.database.pool.query(
    `SELECT md5(string_agg(row, '|' ORDER BY row)) AS sum FROM (
       SELECT r::text AS row FROM rule_set_version AS r WHERE merchant_id = $1
       UNION ALL SELECT o::text FROM routing_override AS o WHERE merchant_id = $1
       UNION ALL SELECT t::text FROM health_threshold_set AS t WHERE merchant_id = $1
       UNION ALL SELECT a::text FROM gateway_account AS a WHERE merchant_id = $1
       UNION ALL SELECT m::text FROM merchant AS m WHERE id = $1) AS rows`,
    [other.merchantId],
  );
  return String(rows[0]?.sum);
}

const ANY_ID = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11';
const mode = 'test';
const rules = { kind: 'published' };
const seen = ({ merchantId }: DeskMerchant) => ({ merchantId, draftId: ANY_ID, revision: 0 });
const scoped =
  (more: object = {}) =>
  ({ merchantId }: DeskMerchant) => ({ merchantId, mode, ...more });
const payment = { currency: 'NGN', amount: 2_500, method: 'CARD' };
const period = { rules, from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-11-02T00:00:00Z') };

const FEES = { percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 0 };
const ACCOUNT = {
  ...{ label: 'paystack-second', enabled: true, currencies: ['NGN'], methods: ['CARD'], minAmount: 100 },
  ...{ maxAmount: null, fees: FEES, baseUrl: null },
};

/** A question of each procedure about a merchant. */
const INPUTS: Readonly<Record<string, (merchant: DeskMerchant) => unknown>> = {
  'routing.live': scoped(),
  'routing.access': ({ merchantId }) => ({ merchantId }),
  'routing.traffic': scoped({ from: period.from, to: period.to }),
  'routing.validate': scoped({ rules }),
  'routing.evaluate': scoped({ rules, payment }),
  'routing.replay': scoped(period),
  'routing.movedPayments': scoped(period),
  'routing.explain': () => ({ paymentId: ANY_ID }),
  'routing.drafts.list': scoped(),
  'routing.drafts.byId': seen,
  'routing.drafts.create': scoped({ from: rules }),
  'routing.drafts.save': (merchant) => ({ ...seen(merchant), document: {} }),
  'routing.drafts.discard': seen,
  'routing.drafts.requestApproval': seen,
  'routing.drafts.approve': seen,
  'routing.drafts.reject': (merchant) => ({ ...seen(merchant), reason: 'No.' }),
  'routing.drafts.publish': seen,
  'routing.drafts.cancelSchedule': seen,
  'routing.versions.list': scoped(),
  'routing.versions.byVersion': scoped({ version: 1 }),
  'routing.versions.activeAt': scoped({ at: new Date() }),
  'routing.versions.diff': scoped({ from: null, to: rules }),
  'routing.versions.rollBack': scoped({ version: 1, baseVersion: 1, reason: null }),
  'routing.versions.export': scoped({ rules }),
  'routing.versions.exportAccounts': scoped(),
  'routing.versions.fileSchema': () => undefined,
  'routing.versions.requireApproval': ({ merchantId }) => ({ merchantId, required: true }),
  'health.overview': scoped(),
  'health.live': scoped(),
  'health.strips': scoped(),
  'health.feed': scoped(),
  'health.paymentsBehind': ({ paystack }) => ({ accountId: paystack, method: null }),
  'health.people': () => ({ staffIds: [ANY_ID] }),
  'health.states': scoped(),
  'health.thresholds': scoped(),
  'health.changeThresholds': scoped({ thresholds: { minSamples: 20 }, revision: 0 }),
  'health.previewThresholds': scoped({ thresholds: {} }),
  'health.setOverride': ({ merchantId, paystack }) => {
    return { merchantId, accountId: paystack, method: null, action: 'drain', reason: 'Settlement is late.', expiresAt: null };
  },
  'health.endOverride': ({ merchantId }) => ({ merchantId, overrideId: ANY_ID }),
  'gateways.kinds': () => undefined,
  'gateways.list': scoped(),
  'gateways.use': scoped(),
  'gateways.standing': ({ paystack }) => ({ accountId: paystack }),
  'gateways.feeExamples': () => ({ fees: FEES, currency: 'NGN', amounts: [10_000] }),
  'gateways.deliveries': ({ paystack }) => ({ accountId: paystack }),
  'gateways.connect': scoped({ ...ACCOUNT, gateway: 'paystack', credentials: { secretKey: 'sk_test_0123456789abcdef' } }),
  'gateways.update': ({ merchantId, paystack }) => ({ merchantId, accountId: paystack, changes: { enabled: false } }),
  'gateways.testConnection': ({ paystack }) => ({ accountId: paystack }),
};
