import type { Gateway, Outcome, ReceivedPayment, VerifyQuery } from '@switchyard/gateways';
import type { HealthState } from '@switchyard/routing';
import { reloadConfiguration } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { HealthContext } from '../context.ts';
import { type HealthFixture, openHealthFixture } from '../testing/health-fixture.ts';
import { type ProbePaceInput, type ProbeState, probeAccounts, probeEveryMs } from './probe-accounts.ts';

let fixture: HealthFixture;
let asked: VerifyQuery[];
let state: ProbeState;
beforeAll(async () => {
  fixture = await openHealthFixture();
});
afterAll(() => fixture.context.close());
beforeEach(async () => {
  asked = [];
  state = new Map();
  await fixture.begin();
});

const notPaid: Outcome<ReceivedPayment> = {
  outcome: 'unknown',
  failure: { class: 'customer', code: 'not_paid_yet', message: 'x' },
  call: { method: 'GET', url: '', httpStatus: 200, latencyMs: 100, request: null, answer: null, retryAfterMs: null },
};

/** Probes what is due, at gateways that answer that nothing is paid. */
function probe(): Promise<void> {
  const { context } = fixture;
  const { resources } = context;
  const verify: Gateway['verify'] = async (_access, query) => {
    // Accounts of merchants of earlier tests are due as well.
    if (query.reference.startsWith(fixture.merchant.merchantId)) asked.push(query);
    return notPaid;
  };
  const changed: HealthContext = {
    ...context,
    resources: {
      ...resources,
      openAccount(account) {
        const opened = resources.openAccount(account);
        return opened && { ...opened, gateway: { ...opened.gateway, verify } };
      },
    },
  };
  return probeAccounts(changed, state);
}

/** A payment with one attempt at the account of that label. */
async function attempt(label: string, name: string, amount: number, createdAt: Date): Promise<void> {
  const { prisma } = fixture.context.database;
  const { merchantId } = fixture.merchant;
  const paymentId = fixture.context.newId();
  const times = { createdAt, updatedAt: createdAt };
  await prisma.payment.create({
    data: {
      merchantId,
      id: paymentId,
      mode: 'test',
      merchantOrderId: paymentId,
      status: 'PENDING',
      amount,
      currency: 'NGN',
      customerEmail: 'ada@example.com',
      routingMode: 'smart',
      smartRoutingBypassed: false,
      ruleSetVersion: 1,
      packedDecision: new Uint8Array(),
      packedSession: new Uint8Array(),
      recommendedGateway: '',
      expiresAt: createdAt,
      version: 1,
      statusEventId: fixture.context.newId(),
      statusChangedAt: createdAt,
      ...times,
    },
  });
  const where = { merchantId, id: fixture.context.newId(), paymentId, position: 0, accountId: fixture.id(label) };
  const gateway = label.replace('-main', '');
  const reference = `${merchantId}-${name}`;
  await prisma.attempt.create({ data: { ...where, gateway, reference, state: 'OPENED', ...times } });
}

test('an idle account is asked about its newest attempt once a minute, and one without attempts about nothing', async () => {
  await attempt('paystack-main', 'newest', 2_000, fixture.now);
  await attempt('paystack-main', 'oldest', 1_000, new Date(fixture.now.getTime() - 60_000));
  await probe();
  expect(asked).toEqual([
    { reference: `${fixture.merchant.merchantId}-newest`, transactionId: null, amount: 2_000n, currency: 'NGN' },
  ]);
  fixture.later(59_999);
  await probe();
  expect(asked).toHaveLength(1);
  fixture.later(1);
  await probe();
  expect(asked).toHaveLength(2);
});

test('an account that is switched off is not asked', async () => {
  await attempt('paystack-main', 'newest', 2_000, fixture.now);
  await fixture.context.database.prisma.gatewayAccount.updateMany({
    where: { merchantId: fixture.merchant.merchantId },
    data: { enabled: false },
  });
  await reloadConfiguration(fixture.context, fixture.merchant.merchantId);
  await probe();
  expect(asked).toEqual([]);
});

test('a probe is a look-up: it counts as no opening of a checkout, of which its account has none', async () => {
  await attempt('paystack-main', 'newest', 2_000, fixture.now);
  await probe();
  await fixture.context.health.tick();
  const { merchantId } = fixture.merchant;
  const buckets = await fixture.context.database.prisma.healthBucket.findMany({ where: { merchantId } });
  expect(buckets).toMatchObject([{ method: '*', succeeded: 0, faulted: 0, lookupsAnswered: 1, lookupsFailed: 0 }]);
});

const NOW = Date.parse('2026-11-20T14:00:00Z');
type Own = ProbePaceInput['own'][number];

/** Health of an account as it is, for so long. */
function own(
  state: HealthState,
  forMs = 0,
  changes: { succeeded?: number; faulted?: number; failed?: number; answersSince?: Date } = {},
): Own {
  const { succeeded = 0, faulted = 0, failed = 0, answersSince = null } = changes;
  return {
    health: {
      accountId: 'paystack',
      method: null,
      state,
      why: { code: 'unused' },
      since: new Date(NOW - forMs).toISOString(),
      succeeded,
      faulted,
      paid: 0,
      unpaid: 0,
    },
    lookups: { answered: 0, failed },
    answersSince,
  };
}
const pace = (input: Partial<ProbePaceInput>) => probeEveryMs({ faultAt: null, own: [], last: undefined, now: NOW, ...input });

test('an account without checkouts is probed every minute, and one with checkouts alone by these', () => {
  expect(pace({})).toBe(60_000);
  expect(pace({ own: [own('healthy')] })).toBe(60_000);
  expect(pace({ own: [own('healthy', 0, { succeeded: 1 })] })).toBeNull();
});

test('an account in trouble is probed every five seconds, after two minutes every ten, and every five again once one is answered', () => {
  expect(pace({ own: [own('down', 119_999)] })).toBe(5_000);
  expect(pace({ own: [own('down', 120_000)] })).toBe(10_000);
  expect(pace({ own: [own('down', 120_000)], last: { at: NOW, answered: false } })).toBe(10_000);
  expect(pace({ own: [own('down', 120_000)], last: { at: NOW, answered: true } })).toBe(5_000);
  expect(pace({ own: [own('healthy', 0, { succeeded: 9 }), own('degraded', 10_000)] })).toBe(5_000);
});

test('a healthy account whose checkouts or look-ups fail is in trouble', () => {
  expect(pace({ own: [own('healthy', 500_000, { faulted: 1 })] })).toBe(5_000);
  expect(pace({ own: [own('healthy', 500_000, { succeeded: 1, failed: 1 })] })).toBe(5_000);
});

test('an account whose probes have shown what they can waits for a checkout: it is probed every thirty seconds', () => {
  const answersSince = new Date(NOW);
  expect(pace({ own: [own('probing', 0, { answersSince })] })).toBe(30_000);
  expect(pace({ own: [own('probing', 0, { answersSince }), own('down')] })).toBe(5_000);
});

test('an account that its gateway refuses is probed after half the time that this lasts, from 15 seconds to 15 minutes', () => {
  const refusedFor = (ms: number) => pace({ faultAt: new Date(NOW - ms), own: [own('healthy', 0, { succeeded: 1 })] });
  expect([0, 30_000, 600_000, 1_800_000, 86_400_000].map(refusedFor)).toEqual([15_000, 15_000, 300_000, 900_000, 900_000]);
});
