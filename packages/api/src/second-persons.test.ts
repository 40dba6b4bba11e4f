import { NIL_ID } from '@switchyard/db';
import type { Prisma, StaffRole } from '@switchyard/db/client';
import { revokeRole } from '@switchyard/staff/grants';
import { TRPCError } from '@trpc/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestMerchant,
  type DashboardMerchant,
  openTestDashboard,
  rulesTo,
  sessionOf,
  type TestDashboard,
} from './testing/dashboard.ts';
import { recordPayment } from './testing/switchyard.ts';
import { appRouter } from './trpc/router.ts';

/*
 * Limits and second persons: who may set and lift them, and whose word counts after what. Each table is held to the product through the
 * dashboard's procedures, with the roles that people have at the moment of the call.
 */

const mode = 'test';
const PAID = 2_500n;
const ASKED_FOR = 1_500n;
type Grants = readonly (readonly [StaffRole, DashboardMerchant | null])[];

let dashboard: TestDashboard;
let mine: DashboardMerchant;
let theirs: DashboardMerchant;
let ada: Person;
let bola: Person;
beforeAll(async () => {
  dashboard = await openTestDashboard();
  theirs = await createTestMerchant(dashboard);
});
afterAll(() => dashboard.close());
beforeEach(async () => {
  mine = await createTestMerchant(dashboard);
  ada = await hire([['owner', mine]]);
  bola = await hire([['owner', mine]]);
});

type Person = Awaited<ReturnType<typeof hire>>;

async function hire(grants: Grants) {
  const { switchyard, database } = dashboard;
  const staffId = switchyard.newId();
  const at = new Date();
  await database.prisma.staffUser.create({
    data: { id: staffId, name: staffId, email: `${staffId}@example.com`, createdAt: at, updatedAt: at },
  });
  await database.prisma.staffGrant.createMany({
    data: grants.map(([role, merchant]) => ({
      staffId,
      role,
      merchantId: merchant?.merchantId ?? NIL_ID,
      grantedBy: actor,
      createdAt: at,
    })),
  });
  return { staffId };
}

const actor = 'system:test';
const take = ({ staffId }: Person) => revokeRole(dashboard.switchyard, { staffId, merchantId: mine.merchantId, actor });
const switchOff = ({ staffId }: Person) =>
  dashboard.database.prisma.staffUser.update({ where: { id: staffId }, data: { disabledAt: new Date() } });

/** The dashboard as a person reaches it now. */
async function as({ staffId }: Person) {
  const { prisma } = dashboard.database;
  const { disabledAt } = await prisma.staffUser.findUniqueOrThrow({ where: { id: staffId } });
  const rows = await prisma.staffGrant.findMany({ where: { staffId } });
  const grants = rows.map(({ merchantId, role }) => ({
    merchantId: merchantId === NIL_ID ? null : merchantId,
    role: role ?? 'viewer',
  }));
  const session = disabledAt === null ? { ...sessionOf('viewer', null, staffId), grants } : null;
  return appRouter.createCaller({ switchyard: dashboard.switchyard, session });
}
type Api = Awaited<ReturnType<typeof as>>;

/** The end of a call: the kind of its outcome, or the code of its refusal. */
async function ending(person: Person, call: (api: Api) => Promise<{ readonly kind: string }>): Promise<string> {
  try {
    return (await call(await as(person))).kind;
  } catch (error) {
    if (error instanceof TRPCError) return error.code;
    throw error;
  }
}

let orders = 0;
/** A payment of 2,500 naira that was paid. */
async function pay(): Promise<string> {
  orders += 1;
  const { merchantId, paystack: accountId } = mine;
  const { prisma } = dashboard.database;
  const paymentId = await recordPayment(dashboard.switchyard, merchantId, `order-${orders}`);
  const at = new Date();
  const times = { createdAt: at, updatedAt: at };
  const ids = {
    merchantId,
    id: dashboard.switchyard.newId(),
    paymentId,
    accountId,
    transactionId: String(4_000_000_000 + orders),
  };
  const received = { receivedAmount: Number(PAID), receivedCurrency: 'NGN' };
  const attempt = { position: 0, gateway: 'paystack', reference: `sy-${paymentId}`, state: 'PAID' as const };
  await prisma.attempt.create({ data: { ...ids, ...attempt, ...received, ...times } });
  await prisma.payment.updateMany({
    where: { id: paymentId },
    data: { status: 'SUCCESS', receivedAmount: Number(PAID), paidAt: at },
  });
  return paymentId;
}

const refund =
  (paymentId: string, amount: bigint, refundId = dashboard.switchyard.newId()) =>
  (api: Api) =>
    api.refunds.request({ merchantId: mine.merchantId, paymentId, refundId, amount, reason: null });
const keep = (changes: Parameters<Api['refunds']['control']['change']>[0]['changes'], by = ada, of = mine) =>
  ending(by, (api) => api.refunds.control.change({ merchantId: of.merchantId, changes }));

describe('limits of refunds', () => {
  const CHANGES = [
    { secondPersonAbove: 10n },
    { dailyLimits: { owner: 10n } },
    { reasonCodes: [{ code: 'wrong', title: 'Wrong' }] },
  ];
  test.each<[string, () => Grants, string]>([
    ['an owner of the merchant', () => [['owner', mine]], 'changed'],
    ['an owner of all', () => [['owner', null]], 'changed'],
    ['an owner of another', () => [['owner', theirs]], 'FORBIDDEN'],
    [
      'an owner of another who refunds here',
      () => [
        ['owner', theirs],
        ['finance', mine],
      ],
      'FORBIDDEN',
    ],
    ['finance', () => [['finance', mine]], 'FORBIDDEN'],
    ['an operator', () => [['operator', mine]], 'FORBIDDEN'],
    ['a viewer', () => [['viewer', null]], 'FORBIDDEN'],
    ['no one', () => [], 'FORBIDDEN'],
  ])('are set by %s: %s', async (_who, grants, expected) => {
    const person = await hire(grants());
    for (const changes of CHANGES) expect(await keep(changes, person)).toBe(expected);
  });

  // A role without a limit has none; one that may not refund, or is of another merchant, neither gives nor lifts any.
  test.each<[string, () => Grants, Partial<Record<StaffRole, bigint>>, string]>([
    ['finance, limited', () => [['finance', mine]], { finance: 10n }, 'over_daily_limit'],
    ['finance everywhere, limited', () => [['finance', null]], { finance: 10n }, 'over_daily_limit'],
    ['finance, an owner limited', () => [['finance', mine]], { owner: 10n }, 'requested'],
    [
      'finance here and operator of all',
      () => [
        ['finance', mine],
        ['operator', null],
      ],
      { finance: 10n },
      'over_daily_limit',
    ],
    [
      'finance here and viewer of all',
      () => [
        ['finance', mine],
        ['viewer', null],
      ],
      { finance: 10n },
      'over_daily_limit',
    ],
    [
      'finance here and owner of another',
      () => [
        ['finance', mine],
        ['owner', theirs],
      ],
      { finance: 10n },
      'over_daily_limit',
    ],
    [
      'finance here and owner of all',
      () => [
        ['finance', mine],
        ['owner', null],
      ],
      { finance: 10n },
      'requested',
    ],
    [
      'both limited, the higher holds',
      () => [
        ['finance', mine],
        ['owner', null],
      ],
      { finance: 10n, owner: 5_000n },
      'requested',
    ],
    [
      'both limited, both exceeded',
      () => [
        ['finance', mine],
        ['owner', null],
      ],
      { finance: 10n, owner: 20n },
      'over_daily_limit',
    ],
  ])('hold by role: %s', async (_who, grants, dailyLimits, expected) => {
    expect(await keep({ dailyLimits })).toBe('changed');
    const person = await hire(grants());
    expect(await ending(person, refund(await pay(), 100n))).toBe(expected);
  });
});

/** Something that one person asks for and another has to agree to. */
interface Asked {
  readonly title: string;
  /** Roles whose word counts. */
  readonly counts: readonly StaffRole[];
  /** Ada asks for it. Returns how another person agrees, and whether it is so. */
  readonly ask: () => Promise<{
    readonly agree: (api: Api) => Promise<{ readonly kind: string }>;
    readonly isAgreed: () => Promise<boolean>;
  }>;
  /** True if it lifts a control: then two who may have to want it at the same time. */
  readonly lifts: boolean;
}

/** Ada asks for a refund that needs a second person. */
async function askRefund() {
  expect(await keep({ secondPersonAbove: 1_000n })).toBe('changed');
  const [paymentId, approvalId] = [await pay(), dashboard.switchyard.newId()];
  expect(await ending(ada, refund(paymentId, ASKED_FOR, approvalId))).toBe('needs_approval');
  const { merchantId } = mine;
  return {
    paymentId,
    approvalId,
    agree: (api: Api) => api.refunds.approvals.approve({ merchantId, approvalId }),
    isAgreed: async () => (await dashboard.database.prisma.refund.count({ where: { paymentId } })) > 0,
  };
}

/** A draft that Ada wrote. */
async function draft() {
  const { merchantId, flutterwave } = mine;
  const { drafts } = (await as(ada)).routing;
  const created = await drafts.create({ merchantId, mode, from: { kind: 'published' }, name: 'Cards' });
  if (created.kind !== 'created') throw new Error(created.kind);
  const { draftId, revision } = created.draft;
  const saved = await drafts.save({ merchantId, draftId, revision, document: rulesTo(flutterwave, [flutterwave]) });
  if (saved.kind !== 'saved') throw new Error(saved.kind);
  const seen = { merchantId, draftId, revision: saved.draft.revision };
  return { seen };
}
const needApproval = async () =>
  expect(await ending(ada, (api) => api.routing.versions.requireApproval({ merchantId: mine.merchantId, required: true }))).toBe(
    'changed',
  );
const publish = (seen: { merchantId: string; draftId: string; revision: number }) =>
  ending(ada, (api) => api.routing.drafts.publish({ ...seen, at: null, reason: 'Cheaper' }));

async function askRules() {
  await needApproval();
  const { seen } = await draft();
  expect(await ending(ada, (api) => api.routing.drafts.requestApproval(seen))).toBe('requested');
  return {
    seen,
    agree: (api: Api) => api.routing.drafts.approve(seen),
    isAgreed: async () => (await publish(seen)) === 'published',
  };
}

const lifting = (
  title: string,
  counts: readonly StaffRole[],
  set: (api: Api, required: boolean) => Promise<{ readonly kind: string }>,
  isRequired: (api: Api) => Promise<boolean>,
): Asked => ({
  title,
  counts,
  lifts: true,
  async ask() {
    expect(await ending(ada, (api) => set(api, true))).toBe('changed');
    expect(await ending(ada, (api) => set(api, false))).toBe('needs_second_person');
    return {
      agree: (api) => set(api, false),
      isAgreed: async () => !(await isRequired(await as(await hire([['owner', mine]])))),
    };
  },
});

const ASKED: readonly Asked[] = [
  { title: 'a refund above the amount', counts: ['owner', 'finance'], lifts: false, ask: askRefund },
  { title: 'rules that need approval', counts: ['owner', 'operator'], lifts: false, ask: askRules },
  {
    title: 'a larger amount without a second person',
    counts: ['owner', 'finance'],
    lifts: true,
    async ask() {
      expect(await keep({ secondPersonAbove: 1_000n })).toBe('changed');
      expect(await keep({ secondPersonAbove: null })).toBe('changed');
      const { merchantId } = mine;
      return {
        agree: (api) => api.refunds.control.answerWaiver({ merchantId, agree: true, wanted: null }),
        isAgreed: async () =>
          (await (await as(await hire([['owner', mine]]))).refunds.control.read({ merchantId })).secondPersonAbove === null,
      };
    },
  },
  lifting(
    'rules that one person publishes',
    ['owner', 'operator'],
    (api, required) => api.routing.versions.requireApproval({ merchantId: mine.merchantId, required }),
    async (api) => (await api.routing.access({ merchantId: mine.merchantId })).needsApproval,
  ),
  lifting(
    'months that one person signs off',
    ['owner', 'finance'],
    (api, required) => api.monthClose.requireReview({ merchantId: mine.merchantId, mode, required }),
    async (api) => (await api.monthClose.reviewRule({ merchantId: mine.merchantId, mode })).required,
  ),
];

describe.each(ASKED)('$title', ({ counts, ask, lifts }) => {
  const ROLES: readonly StaffRole[] = ['owner', 'operator', 'finance', 'viewer'];
  test.each(ROLES)('is agreed to by %s where the role may', async (role) => {
    const { agree, isAgreed } = await ask();
    const person = await hire([[role, mine]]);
    const outcome = await ending(person, agree);
    if (!counts.includes(role)) expect(outcome).toBe('FORBIDDEN');
    expect(await isAgreed()).toBe(counts.includes(role));
  });

  test.each<[string, () => Promise<Person>]>([
    ['oneself', async () => ada],
    ['an owner of another merchant', () => hire([['owner', theirs]])],
    [
      'an owner of another merchant who views here',
      () =>
        hire([
          ['owner', theirs],
          ['viewer', mine],
        ]),
    ],
    ['who lost the role', () => take(bola).then(() => bola)],
    ['who was switched off', () => switchOff(bola).then(() => bola)],
  ])('is not agreed to by %s', async (_who, find) => {
    // Another person could agree.
    await hire([['owner', mine]]);
    const { agree, isAgreed } = await ask();
    expect(await ending(await find(), agree)).not.toMatch(/^(approved|changed)$/);
    expect(await isAgreed()).toBe(false);
  });

  test.each<[string, (person: Person) => Promise<unknown>]>([
    ['was switched off', switchOff],
    ['lost the role', take],
  ])('counts as asked for after who asked %s, unless it lifts a control', async (_what, leave) => {
    // Two others remain, who could lift it between them.
    await hire([['owner', mine]]);
    const { agree, isAgreed } = await ask();
    await leave(ada);
    await ending(bola, agree);
    ada = await hire([['owner', mine]]);
    expect(await isAgreed()).toBe(!lifts);
  });
});

describe('a refund that was asked for', () => {
  test.each([
    ['amount', { amount: 900n }],
    ['reason', { reason: 'Another' }],
  ])('is the one that was approved: another %s under its id changes nothing', async (_what, change) => {
    const { paymentId, approvalId, agree } = await askRefund();
    const again = { merchantId: mine.merchantId, paymentId, refundId: approvalId, amount: ASKED_FOR, reason: null, ...change };
    expect(await ending(ada, (api) => api.refunds.request(again))).toBe('needs_approval');
    expect(await ending(bola, agree)).toBe('approved');
    const made = await dashboard.database.prisma.refund.findFirstOrThrow({ where: { id: approvalId } });
    expect([made.amount, made.reason]).toEqual([ASKED_FOR, null]);
  });

  test.each<[string, Prisma.RefundApprovalUpdateManyMutationInput]>([
    ['was declined', { state: 'DECLINED' }],
    ['was withdrawn', { state: 'WITHDRAWN' }],
    ['has expired', { expiresAt: new Date(0) }],
    ['is of another mode than its payment', { mode: 'live' }],
    ['is of more than the payment', { amount: PAID + 1n }],
  ])('is not made when it %s', async (_what, change) => {
    const { approvalId, agree, isAgreed } = await askRefund();
    await dashboard.database.prisma.refundApproval.updateMany({ where: { id: approvalId }, data: change });
    expect(await ending(bola, agree)).not.toBe('approved');
    expect(await isAgreed()).toBe(false);
  });
});

describe('a draft that was approved', () => {
  const approved = async () => {
    const { seen, agree } = await askRules();
    expect(await ending(bola, agree)).toBe('approved');
    return seen;
  };
  const document = () => rulesTo(mine.paystack, [mine.paystack]);
  test.each<[string, (at: { version: number }) => object]>([
    ['its rules', () => ({ document: document() })],
    ['its name', () => ({ document: rulesTo(mine.flutterwave, [mine.flutterwave]), name: 'Another' })],
    ['its base', ({ version }) => ({ document: rulesTo(mine.flutterwave, [mine.flutterwave]), baseVersion: version })],
    ['nothing but the moment', () => ({ document: rulesTo(mine.flutterwave, [mine.flutterwave]) })],
  ])('is not approved any more once a person saves %s', async (_what, change) => {
    const seen = await approved();
    const saved = await (await as(ada)).routing.drafts.save({ ...seen, document: document(), ...change({ version: 1 }) });
    if (saved.kind !== 'saved') throw new Error(saved.kind);
    expect(saved).toMatchObject({ approvalWithdrawn: true, draft: { approval: { state: 'none' } } });
    expect(await publish({ ...seen, revision: saved.draft.revision })).toBe('needs_approval');
    expect(await publish(seen)).toBe('stale');
  });

  test('approves no other draft, nor one of the other mode', async () => {
    await approved();
    const { seen } = await draft();
    expect(await publish(seen)).toBe('needs_approval');
  });

  test('stays approved after who approved it lost the role: it was their word when it was given', async () => {
    const seen = await approved();
    await take(bola);
    expect(await publish(seen)).toBe('published');
  });
});

test('agreeing in one mode lifts nothing in the other', async () => {
  const set = (of: 'test' | 'live', required: boolean) => (api: Api) =>
    api.monthClose.requireReview({ merchantId: mine.merchantId, mode: of, required });
  for (const of of ['test', 'live'] as const) expect(await ending(ada, set(of, true))).toBe('changed');
  expect(await ending(ada, set('test', false))).toBe('needs_second_person');
  expect(await ending(bola, set('live', false))).toBe('needs_second_person');
  const rule = (await as(ada)).monthClose.reviewRule({ merchantId: mine.merchantId, mode: 'live' });
  expect((await rule).required).toBe(true);
});

test('an amount that was asked for is agreed to as that amount alone', async () => {
  await keep({ secondPersonAbove: 1_000n });
  await keep({ secondPersonAbove: 5_000n });
  const answer = (wanted: bigint | null) => (api: Api) =>
    api.refunds.control.answerWaiver({ merchantId: mine.merchantId, agree: true, wanted });
  for (const wanted of [null, 4_999n, 9_000n]) expect(await ending(bola, answer(wanted))).toBe('not_requested');
  expect(await ending(bola, answer(5_000n))).toBe('changed');
});
