import { detectIncidents } from '@switchyard/alerts/detect';
import { INCIDENT_KINDS, TASK_KINDS } from '@switchyard/alerts/findings';
import { NIL_ID } from '@switchyard/db';
import type { Mode, Prisma, StaffRole } from '@switchyard/db/client';
import { setConfigurationFault } from '@switchyard/merchants/gateway-accounts';
import { timedOut } from '@switchyard/provider-health/testing';
import { NO_UNITS } from '@switchyard/routing/canary';
import { raiseConfigurationRevision, readRevision } from '@switchyard/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestMerchant,
  type DashboardMerchant,
  openTestDashboard,
  rulesTo,
  sessionOf,
  type TestDashboard,
} from '../testing/dashboard.ts';
import { recordPayment } from '../testing/switchyard.ts';
import { appRouter } from './router.ts';

/* A database with one finding of each kind; what each role sees of it. */

const ROLES = ['owner', 'operator', 'finance', 'support', 'developer', 'viewer'] as const satisfies readonly StaffRole[];
const DAY_MS = 24 * 3_600_000;
const NOW = new Date();
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const times = { createdAt: ago(DAY_MS), updatedAt: ago(DAY_MS) };
const colleague = 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e99';

let dashboard: TestDashboard;
let mine: DashboardMerchant;
let live: DashboardMerchant;
/** Kinds that each role sees, before incidents are opened and after. */
let before: ReadonlyMap<string, Listed>;
let after: ReadonlyMap<string, Listed>;

beforeAll(async () => {
  dashboard = await openTestDashboard();
  mine = await createTestMerchant(dashboard);
  live = await createTestMerchant(dashboard);
  await addMoney();
  await addEndpointsAndKey();
  await addRules();
  await addWorkspace();
  await addUnknownCode();
  await addOutages();
  // At once: an account that is down is probed after a while.
  before = await listAll();
  const { payments, resources } = dashboard.switchyard;
  await detectIncidents({ ...payments, resources });
  after = await listAll();
});
afterAll(() => dashboard.close());

const newId = () => dashboard.switchyard.payments.newId();

async function addMoney(): Promise<void> {
  const { prisma } = dashboard.database;
  const { merchantId, paystack: accountId } = mine;
  const paymentId = await recordPayment(dashboard.switchyard, merchantId, 'order-1');
  const of = { merchantId, mode: 'test', paymentId, attemptId: newId(), accountId, gateway: 'paystack', ...times } as const;
  const money = { ...of, transactionId: 't1', currency: 'NGN' };
  await prisma.refund.create({
    data: { ...money, id: newId(), amount: 900n, requestedBy: colleague, state: 'NEEDS_ATTENTION', reference: 'r1' },
  });
  await prisma.duplicateCharge.create({ data: { ...money, id: newId(), amount: '2500.5', state: 'OPEN', reference: 'd1' } });
  const [first, second] = [
    await recordPayment(dashboard.switchyard, merchantId, 'order-2'),
    await recordPayment(dashboard.switchyard, merchantId, 'order-3'),
  ];
  const repeated = { paymentId: second, repeatsId: first, createdAt: ago(DAY_MS) };
  await prisma.repeatedPayment.create({ data: { ...repeated, merchantId, mode: 'test' } });
  const approval = { merchantId, mode: 'test', paymentId, gateway: 'paystack', currency: 'NGN', kind: 'own' } as const;
  const [createdAt, expiresAt] = [times.createdAt, new Date(Date.now() + 86_400_000)];
  await prisma.refundApproval.create({
    data: { ...approval, id: newId(), amount: 900n, requestedBy: colleague, state: 'WAITING', createdAt, expiresAt },
  });
  await prisma.payment.updateMany({
    where: { merchantId, id: paymentId },
    data: {
      review: 'OPEN',
      reviewReason: 'Amount.',
      reversedAmount: '1000.5',
      reversedAt: ago(DAY_MS),
      reversalCause: 'chargeback',
    },
  });
  const dispute = { ...of, id: newId(), gatewayDisputeId: '1', currency: 'NGN', amount: '2500', openedAt: ago(DAY_MS) };
  await prisma.dispute.create({ data: { ...dispute, state: 'NEEDS_RESPONSE', dueAt: null } });
  const due = { id: newId(), gatewayDisputeId: '2', dueAt: new Date(NOW.getTime() + 3_600_000) };
  await prisma.dispute.create({ data: { ...dispute, ...due, state: 'NEEDS_RESPONSE' } });
  const timing = { frequency: 'daily', hour: 6, timeZone: 'UTC', nextDay: NOW, nextDueAt: NOW } as const;
  const report = { mode: 'test', name: 'Books', list: 'payments', format: 'csv', filter: {} } as const;
  const owner = { ownerId: newId(), createdBy: colleague };
  await prisma.reportSchedule.create({
    data: {
      ...times,
      ...timing,
      ...report,
      ...owner,
      recipients: [],
      merchantId,
      id: newId(),
      pause: 'rights_lost',
      pausedAt: ago(DAY_MS),
    },
  });
  await prisma.reconciliationDiscrepancy.create({
    data: {
      merchantId,
      id: newId(),
      mode: 'test',
      accountId,
      gateway: 'paystack',
      day: new Date('2026-11-19'),
      kind: 'AMOUNT',
      subject: 'transaction/1',
      state: 'OPEN',
      ledger: {},
      statement: {},
      createdAt: times.createdAt,
    },
  });
}

async function addEndpointsAndKey(): Promise<void> {
  const { prisma } = dashboard.database;
  const { merchantId } = mine;
  const endpoint = (host: string) => ({
    merchantId,
    id: newId(),
    mode: 'test' as const,
    url: `https://${host}/hooks/secret`,
    types: [],
    secrets: [],
    enabled: true,
    ...times,
  });
  await prisma.webhookEndpoint.createMany({
    data: [
      { ...endpoint('off.example'), enabled: false, disabledReason: 'failing', disabledAt: ago(DAY_MS) },
      { ...endpoint('failing.example'), failingSince: ago(DAY_MS) },
      { ...endpoint('expiring.example'), certificateExpiresAt: new Date(NOW.getTime() + 10 * DAY_MS) },
    ],
  });
  await prisma.apiKey.create({
    data: {
      merchantId,
      id: newId(),
      mode: 'test',
      publicId: newId(),
      secretHash: new Uint8Array(32),
      name: 'Shop',
      lastFour: 'abcd',
      createdBy: colleague,
      createdAt: ago(90 * DAY_MS),
      expiresAt: new Date(NOW.getTime() + DAY_MS),
    },
  });
}

async function addRules(): Promise<void> {
  const { prisma } = dashboard.database;
  const { merchantId, flutterwave } = mine;
  const draft = {
    merchantId,
    mode: 'test' as const,
    state: 'DRAFT' as const,
    baseVersion: 1,
    createdBy: colleague,
    editors: [colleague],
    document: rulesTo(flutterwave, [flutterwave]),
    ...times,
  };
  await prisma.ruleSetVersion.createMany({
    data: [
      { ...draft, id: newId(), name: 'Unfinished' },
      { ...draft, id: newId(), name: 'Asked', approvalRequestedBy: colleague, approvalRequestedAt: ago(DAY_MS) },
    ],
  });
  await prisma.ruleCanary.create({
    data: {
      merchantId,
      mode: 'test',
      id: newId(),
      ruleSetId: newId(),
      version: 2,
      liveVersion: 1,
      salt: 'salt',
      percent: 10,
      toleratedLoss: 100,
      horizonMinutes: 60,
      startedBy: colleague,
      startedAt: ago(DAY_MS),
      endsAt: NOW,
      endedAt: ago(60_000),
      ended: 'ROLLED_BACK',
      endedBy: 'system:canary',
      scannedTo: NOW,
      scannedId: newId(),
      sums: { ...NO_UNITS, draft: { customers: 100, paid: 4 }, live: { customers: 900, paid: 800 } },
    },
  });
  const waiver = { approvalWaiverBy: colleague, approvalWaiverAt: ago(60_000) };
  await prisma.merchant.update({ where: { id: merchantId }, data: { rulesNeedApproval: true, ...waiver } });
  await prisma.accountingSetting.create({
    data: {
      ...{ merchantId, mode: 'test', timeZone: 'Africa/Lagos', mapping: {}, needsReview: true },
      ...{ reviewWaiverBy: colleague, reviewWaiverAt: ago(60_000) },
    },
  });
  await prisma.refundControl.create({
    data: {
      ...{ merchantId, secondPersonAbove: 50_000n, dailyLimits: {}, reasonCodes: [] },
      ...{ waiverAbove: 100_000n, waiverBy: colleague, waiverAt: ago(60_000) },
    },
  });
}

async function addWorkspace(): Promise<void> {
  const { prisma } = dashboard.database;
  await prisma.paymentCheck.create({
    data: { merchantId: mine.merchantId, paymentId: newId(), nextCheckAt: ago(600_000), initiating: false },
  });
  const staffId = newId();
  await prisma.staffUser.create({ data: { id: staffId, name: 'Bola', email: `${staffId}@example.com`, ...times } });
  for (const [position, address] of ['10.0.0.1', '198.51.100.7'].entries()) {
    const after = { with: 'password', address, ...(position === 1 && { breakGlass: true }) };
    await addEntry({ position, staffId, action: 'staff.signed_in', after });
  }
  const leaver = newId();
  const gone = { id: leaver, name: 'Chi', email: `${leaver}@example.com`, disabledAt: NOW };
  await prisma.staffUser.create({ data: { ...gone, ...times } });
  const neededFor = [{ of: 'refunds', merchantId: mine.merchantId, merchantName: 'Mine', waiting: 0 }];
  await addEntry({ position: 2, staffId: leaver, action: 'staff.disabled', after: { neededFor } });
}

/** An entry of the audit log about a person, a minute after the one of the position before. */
async function addEntry({
  position,
  staffId,
  action,
  after: state,
}: {
  readonly position: number;
  readonly staffId: string;
  readonly action: string;
  readonly after: Prisma.InputJsonObject;
}): Promise<void> {
  await dashboard.database.prisma.auditEntry.create({
    data: {
      tenantId: NIL_ID,
      id: newId(),
      position: 1_000_000 + position,
      actor: `staff:${staffId}`,
      action,
      objectType: 'staff',
      objectId: staffId,
      after: state,
      createdAt: ago(600_000 - position * 60_000),
      previous: new Uint8Array(32),
      hash: new Uint8Array(32),
      keyId: 'k1',
    },
  });
}

/** An error code that no table has. */
async function addUnknownCode(): Promise<void> {
  const at = { merchantId: mine.merchantId, accountId: mine.paystack, firstAt: ago(60_000), lastAt: ago(60_000) };
  await dashboard.database.prisma.gatewayCode.create({
    data: { ...at, day: ago(0), operation: 'open', code: 'E77', count: 1, paymentIds: [newId()] },
  });
}

/** In test mode one account is down and one refused; in live mode two gateways of a merchant fail together. */
async function addOutages(): Promise<void> {
  const { prisma } = dashboard.database;
  const { configuration } = dashboard.switchyard.resources;
  await prisma.gatewayAccount.updateMany({ where: { merchantId: live.merchantId }, data: { mode: 'live', baseUrl: null } });
  for (const { merchantId } of [mine, live]) {
    const revision = await prisma.$transaction(async (transaction) => {
      if (merchantId === mine.merchantId) {
        const refused = configuration.merchant(merchantId)?.accounts.find(({ id }) => id === mine.flutterwave);
        if (refused === undefined) throw new Error('the merchant has no such account');
        await setConfigurationFault(transaction, refused, { kind: 'CREDENTIALS', message: 'Invalid key.', at: ago(60_000) });
      }
      return raiseConfigurationRevision(transaction, merchantId);
    });
    await readRevision(configuration, merchantId, revision);
  }
  const { health } = dashboard.switchyard.payments;
  for (const [{ merchantId }, accountId] of [
    [mine, mine.paystack],
    [live, live.paystack],
    [live, live.flutterwave],
  ] as const) {
    for (let n = 0; n < 10; n += 1) health.beginOpening({ merchantId, accountId, method: 'CARD' })(serverError);
  }
  // One that was under way may have begun before the last of them.
  await health.tick();
  await health.tick();
}

/** An error of the gateway's own: a time-out is no evidence while this process stands still, as it does on a busy machine. */
const serverError = { ...timedOut, failure: { class: 'provider_fault', code: 'http_5xx', message: 'Down.' } } as const;

async function listOf(role: StaffRole, mode: Mode, merchantId: string | null = null) {
  const caller = appRouter.createCaller({ switchyard: dashboard.switchyard, session: sessionOf(role, merchantId) });
  const { items, incomplete } = await caller.attention.list({ mode });
  expect(incomplete).toBe(false);
  return items;
}

/** Lists of each role, by role, mode and merchant. */
async function listAll(): Promise<ReadonlyMap<string, Listed>> {
  const keys = ROLES.flatMap((role) =>
    (['test', 'live'] as const).flatMap((mode) =>
      [null, mine.merchantId, live.merchantId].map((merchantId) => ({ role, mode, merchantId })),
    ),
  );
  const lists = keys.map(async ({ role, mode, merchantId }) => {
    return [`${role} ${mode} ${merchantId}`, await listOf(role, mode, merchantId)] as const;
  });
  return new Map(await Promise.all(lists));
}

/** The list of a role before incidents were opened. */
const seen = (role: StaffRole, mode: Mode, merchantId: string | null = null) => before.get(`${role} ${mode} ${merchantId}`) ?? [];

type Listed = Awaited<ReturnType<typeof listOf>>;
const kindsOf = (items: Listed) => items.map(({ kind }) => kind).toSorted();
const textsOf = (items: Listed) => items.map(({ kind, title, why }) => `${kind}: ${title}. ${why}`).toSorted();

const MONEY = [
  'duplicate_charge',
  'payment_review',
  'payment_review',
  'dispute_opened',
  'dispute_due',
  'refund_stuck',
  'repeated_payment',
];
const EVERYBODYS = [
  ...MONEY,
  ...['gateway_down', 'credentials_refused', 'reconciliation_discrepancy', 'unknown_error_code'],
  ...['webhook_endpoint_off', 'webhook_endpoint_failing', 'certificate_expiring'],
];
const RULES = ['approval', 'approval_waiver', 'draft', 'no_second_person', 'canary_ended'];
const TEAM = ['approver_left'];
/** How rules are approved, and the control of refunds, are one setting for both modes. */
const OF_BOTH_MODES = ['approval_waiver', 'approver_left', 'no_second_person', 'refund_control_waiver'];
const KEYS = ['api_key_expiring'];
const REFUNDS = ['refund_approval', 'refund_control_waiver'];
const BOOKS = ['review_waiver'];
const REPORTS = ['report_failed'];
/** Findings that a role sees of one merchant in test mode, and of the workspace. */
const SEEN: Readonly<Record<StaffRole, readonly [merchant: readonly string[], workspace: readonly string[]]>> = {
  owner: [
    [...EVERYBODYS, ...RULES, ...TEAM, ...KEYS, ...REFUNDS, ...BOOKS, ...REPORTS],
    ['backlog', 'break_glass_used', 'sign_in_from_new_place'],
  ],
  operator: [
    [...EVERYBODYS, ...RULES, ...KEYS],
    ['backlog', 'break_glass_used', 'sign_in_from_new_place'],
  ],
  finance: [
    [...EVERYBODYS, ...REFUNDS, ...BOOKS, ...REPORTS],
    ['backlog', 'break_glass_used', 'sign_in_from_new_place'],
  ],
  support: [EVERYBODYS.filter((kind) => kind !== 'reconciliation_discrepancy'), ['backlog']],
  developer: [[...EVERYBODYS, ...KEYS], ['backlog']],
  viewer: [EVERYBODYS, ['backlog']],
};

test('the database has a finding of each kind; an account is down or degraded, not both', () => {
  const found = [...seen('owner', 'test'), ...seen('owner', 'live')].map(({ kind }) => kind);
  const every = [...INCIDENT_KINDS, ...TASK_KINDS].filter((kind) => kind !== 'gateway_degraded');
  expect([...new Set(found)].toSorted()).toEqual(every.toSorted());
});

describe.each(ROLES)('of what needs attention, as %s', (role) => {
  test('each kind is seen by the permission of its kind, the workspace by a role for all merchants', () => {
    const [ofMerchant, ofWorkspace] = SEEN[role];
    expect(kindsOf(seen(role, 'test'))).toEqual([...ofMerchant, ...ofWorkspace].toSorted());
    expect(kindsOf(seen(role, 'test', mine.merchantId))).toEqual([...ofMerchant].toSorted());
    const ofBoth = OF_BOTH_MODES.filter((kind) => ofMerchant.includes(kind));
    expect(kindsOf(seen(role, 'live'))).toEqual(['correlated_outage', ...ofBoth, ...ofWorkspace].toSorted());
    expect(kindsOf(seen(role, 'live', live.merchantId))).toEqual(['correlated_outage']);
    expect(kindsOf(seen(role, 'live', mine.merchantId))).toEqual(ofBoth);
  });
});

describe('the list before incidents are opened, and after', () => {
  const cases = ROLES.flatMap((role) => [[role, 'test'] as const, [role, 'live'] as const]);

  test.each(cases)('is the same, and has exactly the open incidents beside own work: %s, %s', async (role, mode) => {
    const items = after.get(`${role} ${mode} null`) ?? [];
    expect(textsOf(items)).toEqual(textsOf(seen(role, mode)));
    const open = await dashboard.database.prisma.incident.findMany({ where: { closedAt: null } });
    const isTask = (kind: string) => TASK_KINDS.some((each) => each === kind);
    const alerts = items.filter(({ kind }) => !isTask(kind));
    const [ofMerchant, ofWorkspace] = SEEN[role];
    const visible = open.filter(({ kind, merchantId, mode: ofMode }) => {
      const kinds: readonly string[] = [...ofMerchant, ...ofWorkspace, 'correlated_outage'];
      return kinds.includes(kind) && (ofMode === mode || merchantId === NIL_ID);
    });
    expect(alerts.map(({ incidentId }) => incidentId).toSorted()).toEqual(visible.map(({ id }) => id).toSorted());
    expect(alerts.every(({ key, incidentId }) => key === incidentId)).toBe(true);
  });

  test('of a role without the permission of a kind, its incident is neither opened nor named in the history', async () => {
    const { prisma } = dashboard.database;
    const key = await prisma.incident.findFirstOrThrow({ where: { kind: 'api_key_expiring' } });
    await prisma.incident.updateMany({ where: { id: key.id }, data: { closedAt: NOW, closedReason: 'ended' } });
    const historyOf = async (role: StaffRole) => {
      const caller = appRouter.createCaller({ switchyard: dashboard.switchyard, session: sessionOf(role, null) });
      const { items } = await caller.alerts.history({ mode: 'test' });
      const counts = await caller.alerts.historyCounts({ mode: 'test' });
      const byId = caller.incidents.byId({ incidentId: key.id }).then(
        ({ title }) => title,
        ({ code }) => code,
      );
      return [items.map(({ title }) => title), counts, await byId];
    };
    expect(await historyOf('owner')).toEqual([['API key "Shop" expires'], { critical: 0, warning: 1 }, 'API key "Shop" expires']);
    expect(await historyOf('viewer')).toEqual([[], { critical: 0, warning: 0 }, 'NOT_FOUND']);
    await prisma.incident.updateMany({ where: { id: key.id }, data: { closedAt: null, closedReason: null } });
  });

  test('leaves what is over out at once, before its incident is closed', async () => {
    const { prisma } = dashboard.database;
    await prisma.duplicateCharge.updateMany({ where: { merchantId: mine.merchantId }, data: { state: 'DISMISSED' } });
    expect(kindsOf(await listOf('viewer', 'test'))).not.toContain('duplicate_charge');
    expect(await prisma.incident.count({ where: { kind: 'duplicate_charge', closedAt: null } })).toBe(1);
  });

  test('says that it is incomplete when a reader fails, and lists the rest', async () => {
    await dashboard.database.pool.query('ALTER TABLE reconciliation_discrepancy RENAME TO discrepancy_away');
    const caller = appRouter.createCaller({ switchyard: dashboard.switchyard, session: sessionOf('viewer', null) });
    const { items, incomplete } = await caller.attention.list({ mode: 'test' });
    await dashboard.database.pool.query('ALTER TABLE discrepancy_away RENAME TO reconciliation_discrepancy');
    expect(incomplete).toBe(true);
    // As it was last detected.
    expect(kindsOf(items)).toEqual([...EVERYBODYS, 'backlog'].filter((kind) => kind !== 'duplicate_charge').toSorted());
  });
});
