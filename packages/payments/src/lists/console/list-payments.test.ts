import { toListCount } from '@switchyard/db/lists';
import { createTestMerchant, type TestMerchant } from '@switchyard/runtime/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { recordPayment } from '../../testing/past.ts';
import { countListedPayments, type ListPaymentsQuery, listPayments, summariseToday } from './list-payments.ts';

const NOON = new Date('2026-11-20T11:00:00.000Z');
const EVERYTHING = { mode: 'test', after: null } as const;

let context: TestPayments;
let first: TestMerchant;
let second: TestMerchant;

beforeAll(async () => {
  context = await openTestPayments();
  first = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
  second = await createTestMerchant(context, { 'paystack-main': {} });
  for (let minute = 0; minute < 12; minute++) {
    const createdAt = new Date(NOON.getTime() - Math.floor(minute / 2) * 60_000);
    const status = (['PENDING', 'SUCCESS', 'FAILED'] as const)[minute % 3] ?? 'PENDING';
    await recordPayment(context, minute % 4 === 0 ? second.merchantId : first.merchantId, {
      createdAt,
      status,
      amount: 1_000 + minute,
    });
  }
});
afterAll(() => context.close());

const both = () => [first.merchantId, second.merchantId];
const list = (query: Partial<ListPaymentsQuery>) =>
  listPayments(context, { ...EVERYTHING, merchantIds: both(), limit: 50, ...query });
const idsOf = (items: readonly { paymentId: string }[]) => items.map(({ paymentId }) => paymentId);

async function walk(query: Partial<ListPaymentsQuery>, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let after: ListPaymentsQuery['after'] = null, page = 0; page < 50; page++) {
    const { items, next } = await list({ ...query, limit, after });
    found.push(...idsOf(items));
    if (next === null) return found;
    after = next;
  }
  throw new Error('the list has no end');
}

describe('a list of payments', () => {
  test('is newest first over all merchants, and any page size returns each row exactly once', async () => {
    const { items, next } = await list({});
    expect(items).toHaveLength(12);
    expect(next).toBeNull();
    const times = items.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual([...times].sort((a, b) => b - a));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 13 }), async (limit) => {
        expect(await walk({}, limit)).toEqual(idsOf(items));
      }),
      { numRuns: 8 },
    );
  });

  test('contains only payments of the requested merchants', async () => {
    const { items } = await list({ merchantIds: [second.merchantId] });
    expect(items).toHaveLength(3);
    expect(new Set(items.map(({ merchantId }) => merchantId))).toEqual(new Set([second.merchantId]));
    expect((await list({ merchantIds: [] })).items).toEqual([]);
  });

  test('of one mode never shows the other', async () => {
    expect((await list({ mode: 'live' })).items).toEqual([]);
  });

  test('filters combine, and a filtered list pages too', async () => {
    const { items } = await list({ statuses: ['SUCCESS', 'FAILED'], merchantIds: [first.merchantId] });
    expect(items.length).toBeGreaterThan(0);
    expect(items.every(({ status }) => status !== 'PENDING')).toBe(true);
    expect(await walk({ statuses: ['SUCCESS', 'FAILED'], merchantIds: [first.merchantId] }, 2)).toEqual(idsOf(items));
    expect((await list({ gateways: ['flutterwave'] })).items).toEqual([]);
  });

  test('of each status contains exactly the payments in it, after changes of status too', async () => {
    const { payment, paymentCheck } = context.database.prisma;
    const merchant = await createTestMerchant(context, { 'paystack-main': {} });
    const { merchantId } = merchant;
    const made: string[] = [];
    for (const status of ['PENDING', 'PENDING', 'SUCCESS', 'FAILED', 'FAILED'] as const)
      made.push((await recordPayment(context, merchantId, { status })).paymentId);
    const [, reviewed = '', refunded = '', , late = ''] = made;
    const change = (id: string, data: Parameters<typeof payment.update>[0]['data']) =>
      payment.update({ where: { merchantId_id: { merchantId, id } }, data });
    // Under review without a check to come; given up and paid after all; refunded.
    await change(reviewed, { review: 'OPEN', reviewReason: 'no_answer' });
    await paymentCheck.deleteMany({ where: { merchantId, paymentId: reviewed } });
    await change(late, { status: 'SUCCESS', failureReason: null });
    await change(refunded, { status: 'REFUNDED' });
    for (const statuses of [
      ['PENDING'],
      ['INITIATED', 'PENDING'],
      ['SUCCESS'],
      ['FAILED'],
      ['REFUNDED'],
      ['FAILED', 'PENDING'],
    ] as const) {
      const expected = await payment.findMany({ where: { merchantId, status: { in: [...statuses] } }, select: { id: true } });
      const { items } = await list({ merchantIds: [merchantId], statuses });
      expect(idsOf(items).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
    }
    expect((await countListedPayments(context, { ...EVERYTHING, merchantIds: [merchantId] }))?.byStatus).toEqual({
      INITIATED: toListCount(0),
      PENDING: toListCount(2),
      SUCCESS: toListCount(1),
      FAILED: toListCount(1),
      REFUNDED: toListCount(1),
    });
  });

  test('a period includes its beginning and not its end', async () => {
    const from = new Date(NOON.getTime() - 60_000);
    const { items } = await list({ createdFrom: from, createdTo: NOON });
    expect(items).toHaveLength(2);
    expect(items.every(({ createdAt }) => createdAt.getTime() === from.getTime())).toBe(true);
  });

  test('counts the checkouts tried', async () => {
    const { paymentId } = await recordPayment(context, first.merchantId, { createdAt: new Date('2026-11-01') });
    const { attempt } = context.database.prisma;
    const { id, reference, ...rest } = await attempt.findFirstOrThrow({ where: { paymentId } });
    const second = { ...rest, id: context.newId(), position: 1, reference: `${reference}x` };
    await attempt.create({ data: second });
    const { items } = await list({ search: paymentId });
    expect(items.map(({ attemptCount }) => attemptCount)).toEqual([2]);
  });

  test('of a gateway contains payments paid there, else with their checkout there; payments may have neither a gateway nor a rule', async () => {
    const { merchantId } = first;
    const { paymentId } = await recordPayment(context, merchantId, { createdAt: new Date('2026-11-02') });
    const { attempt, payment } = context.database.prisma;
    const { id } = await attempt.findFirstOrThrow({ where: { paymentId } });
    const having = async (data: { currentAttemptId?: string | null; paidAttemptId?: string | null; ruleId?: string | null }) => {
      await payment.update({ where: { merchantId_id: { merchantId, id: paymentId } }, data });
      const queries = [
        { openedAt: 'paystack' },
        { openedAt: 'flutterwave' },
        { openedAt: '' },
        { ruleIds: [''] },
        { ruleIds: ['r1'] },
      ];
      return Promise.all(queries.map(async (query) => (await list({ ...query, search: paymentId })).items.length));
    };
    expect(await having({ currentAttemptId: null, paidAttemptId: null, ruleId: null })).toEqual([0, 0, 1, 1, 0]);
    expect(await having({ currentAttemptId: id })).toEqual([1, 0, 0, 1, 0]);
    await attempt.update({ where: { merchantId_id: { merchantId, id } }, data: { gateway: 'flutterwave' } });
    expect(await having({ currentAttemptId: null, paidAttemptId: id, ruleId: 'r1' })).toEqual([0, 1, 0, 0, 1]);
  });

  test('for review contains only payments that await a decision', async () => {
    const { items } = await list({});
    const chosen = items[3];
    if (chosen === undefined) throw new Error('there are too few payments');
    const key = { merchantId_id: { merchantId: chosen.merchantId, id: chosen.paymentId } };
    await context.database.prisma.payment.update({ where: key, data: { review: 'OPEN' } });
    expect(idsOf((await list({ underReview: true })).items)).toEqual([chosen.paymentId]);
  });
});

describe('the order of a list', () => {
  const amountsOf = (items: readonly { amount: bigint }[]) => items.map(({ amount }) => Number(amount));

  test.each([
    ['created', true],
    ['created', false],
    ['amount', true],
    ['amount', false],
  ] as const)('by %s, descending %s, is the same over pages of any size', async (by, descending) => {
    const sort = { by, descending };
    const { items } = await list({ sort });
    const values = items.map(({ createdAt, amount }) => (by === 'created' ? createdAt.getTime() : Number(amount)));
    expect(values).toEqual(values.toSorted((a, b) => (descending ? b - a : a - b)));
    for (const limit of [1, 3, 5]) expect(await walk({ sort }, limit)).toEqual(idsOf(items));
  });

  test('by amount continues between payments of the same amount', async () => {
    const own = await createTestMerchant(context, { 'paystack-main': {} });
    for (let n = 0; n < 7; n++) await recordPayment(context, own.merchantId, { createdAt: NOON, amount: n < 5 ? 700 : 900 });
    const query = { merchantIds: [own.merchantId], sort: { by: 'amount', descending: true } } as const;
    const { items } = await list(query);
    expect(amountsOf(items)).toEqual([900, 900, 700, 700, 700, 700, 700]);
    expect(await walk(query, 2)).toEqual(idsOf(items));
  });
});

describe('the counts of a list', () => {
  const counts = (query: Partial<ListPaymentsQuery>) =>
    countListedPayments(context, { ...EVERYTHING, merchantIds: both(), ...query });

  test('are by status, of the filter without its statuses, and of the given merchants and mode only', async () => {
    const own = await createTestMerchant(context, { 'paystack-main': {} });
    for (const status of ['SUCCESS', 'SUCCESS', 'FAILED', 'PENDING'] as const) {
      await recordPayment(context, own.merchantId, { createdAt: NOON, status, amount: status === 'FAILED' ? 9_000 : 1_000 });
    }
    const merchantIds = [own.merchantId];
    const exactly = (count: number) => ({ count, more: false });
    const all = { SUCCESS: exactly(2), FAILED: exactly(1), PENDING: exactly(1), INITIATED: exactly(0), REFUNDED: exactly(0) };
    expect(await counts({ merchantIds })).toEqual({ all: exactly(4), byStatus: all });
    expect(await counts({ merchantIds, statuses: ['FAILED'] })).toEqual({ all: exactly(4), byStatus: all });
    expect(await counts({ merchantIds, amountFrom: 5_000n })).toMatchObject({
      all: exactly(1),
      byStatus: { FAILED: exactly(1) },
    });
    expect(await counts({ merchantIds, mode: 'live' })).toMatchObject({ all: exactly(0) });
    expect(await counts({ merchantIds: [] })).toMatchObject({ all: exactly(0) });
  });

  test('end at ten thousand', () => {
    expect(toListCount(10_000)).toEqual({ count: 10_000, more: false });
    expect(toListCount(10_001)).toEqual({ count: 10_000, more: true });
  });
});

describe('failed payments', () => {
  test('say why, and are listed by their reasons', async () => {
    const own = await createTestMerchant(context, { 'paystack-main': {} });
    const { payment } = context.database.prisma;
    const failed = async (failureReason: string) => {
      const { paymentId } = await recordPayment(context, own.merchantId, { createdAt: NOON, status: 'FAILED' });
      await payment.update({ where: { merchantId_id: { merchantId: own.merchantId, id: paymentId } }, data: { failureReason } });
      return paymentId;
    };
    const [declined, expired] = [await failed('declined'), await failed('session_expired')];
    await recordPayment(context, own.merchantId, { createdAt: NOON, status: 'SUCCESS' });
    const merchantIds = [own.merchantId];
    const { items } = await list({ merchantIds, failureReasons: ['declined'] });
    expect(items).toMatchObject([{ paymentId: declined, failureReason: 'declined' }]);
    const both = await list({ merchantIds, failureReasons: ['declined', 'session_expired'] });
    expect(new Set(idsOf(both.items))).toEqual(new Set([declined, expired]));
    expect((await list({ merchantIds: [first.merchantId], failureReasons: ['declined'] })).items).toEqual([]);
  });
});

describe('a search', () => {
  const target = async () => {
    const { items } = await list({ merchantIds: [second.merchantId] });
    const [found] = items;
    if (found === undefined) throw new Error('there are too few payments');
    return found;
  };

  test('finds a payment by its id, the beginning of its order id, and a reference', async () => {
    const { paymentId, merchantOrderId } = await target();
    const reference = (await context.database.prisma.attempt.findFirstOrThrow({ where: { paymentId } })).reference;
    for (const search of [paymentId, paymentId.toUpperCase(), merchantOrderId.slice(0, -1), reference, ` ${reference} `]) {
      expect(idsOf((await list({ search })).items), search).toContain(paymentId);
    }
  });

  test('finds a payment by transaction, phone and customer, says what matched, and finds no other merchant’s', async () => {
    const own = await createTestMerchant(context, { 'paystack-main': {} });
    const [merchantId, createdAt] = [own.merchantId, NOON];
    const { paymentId } = await recordPayment(context, merchantId, { createdAt, status: 'SUCCESS' });
    const { attempt, payment, timelineEvent } = context.database.prisma;
    const paid = { type: 'payment.succeeded', cause: 'api', detail: { transactionId: 'trx-4099260516' } };
    await timelineEvent.create({ data: { merchantId, paymentId, id: context.newId(), ...paid, createdAt } });
    const customer = { customerEmail: 'Chidinma.Eze@example.com', customerPhone: '+234 803 555 0199', customerId: 'cust-77' };
    await payment.update({ where: { merchantId_id: { merchantId, id: paymentId } }, data: customer });
    const reference = (await attempt.findFirstOrThrow({ where: { paymentId } })).reference;
    const searches = [
      [paymentId, 'payment_id'],
      [`order-${paymentId}`, 'order_id'],
      [reference, 'reference'],
      ['trx-4099260516', 'transaction_id'],
      ['chidinma.eze@EXAMPLE.com', 'email'],
      ['chidinma', 'email'],
      ['cust-77', 'customer_id'],
      ['08035550199', 'phone'],
      ['+234 (803) 555-0199', 'phone'],
      ['5550199', 'phone'],
      ['0199', 'phone'],
      ['55-0199', 'phone'],
    ] as const;
    for (const [search, matched] of searches) {
      expect((await list({ search, merchantIds: [merchantId] })).items, search).toMatchObject([{ paymentId, matched }]);
      expect((await list({ search, merchantIds: [first.merchantId, second.merchantId] })).items, search).toEqual([]);
      expect((await list({ search, merchantIds: [merchantId], mode: 'live' })).items, search).toEqual([]);
    }
    for (const search of ['trx-40992605', '08036660199', '199', '0198', '+1 803 555 0199', 'ez']) {
      expect((await list({ search, merchantIds: [merchantId] })).items, search).toEqual([]);
    }
    expect((await list({ merchantIds: [merchantId] })).items).toMatchObject([{ matched: null }]);
  });

  test('by the beginning of an e-mail address finds the newest payments, and says that there are others', async () => {
    const own = await createTestMerchant(context, { 'paystack-main': {} });
    const { merchantId } = own;
    // The oldest payments have the first addresses of the alphabet.
    const made: string[] = [];
    for (let each = 0; each < 205; each += 1) {
      const createdAt = new Date(NOON.getTime() + each * 1_000);
      const { paymentId } = await recordPayment(context, merchantId, { createdAt });
      made.push(paymentId);
    }
    const addresses = made.map((_, place) => `many-${String(place).padStart(3, '0')}@example.com`);
    await context.database.prisma.$executeRaw`
      UPDATE payment SET customer_email = address.text FROM unnest(${made}::uuid[], ${addresses}::text[]) AS address (payment_id, text)
      WHERE merchant_id = ${merchantId}::uuid AND id = address.payment_id`;
    const page = await list({ search: 'MANY-', merchantIds: [merchantId], limit: 3 });
    expect(idsOf(page.items)).toEqual(made.toReversed().slice(0, 3));
    expect(page.isSearchCut).toBe(true);
    const oldest = await list({ search: 'many-', merchantIds: [merchantId], limit: 200 });
    expect(idsOf(oldest.items)).toEqual(made.toReversed().slice(0, 200));
    expect((await list({ merchantIds: [merchantId] })).isSearchCut).toBe(false);
  });

  test('does not find another merchant’s, by any text', async () => {
    const { paymentId, merchantOrderId } = await target();
    const reference = (await context.database.prisma.attempt.findFirstOrThrow({ where: { paymentId } })).reference;
    for (const search of [paymentId, merchantOrderId, reference]) {
      expect((await list({ search, merchantIds: [first.merchantId] })).items, search).toEqual([]);
    }
  });

  test('finds payments by amount and day, and by the last four digits of the card, and says which it was', async () => {
    const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
    const { prisma } = context.database;
    const pay = async (amount: number, createdAt: string, cardLast4: string | null) => {
      const { paymentId } = await recordPayment(context, merchantId, {
        status: 'SUCCESS',
        amount,
        createdAt: new Date(createdAt),
      });
      const of = { merchantId, id: context.newId(), paymentId, cause: 'gateway_webhook', createdAt: context.now() };
      const detail = cardLast4 === null ? {} : { cardLast4 };
      await prisma.timelineEvent.create({ data: { ...of, type: 'payment.succeeded', toStatus: 'SUCCESS', detail } });
      return paymentId;
    };
    // 00:30 of the 19th in Lagos.
    const late = await pay(4081, '2026-11-18T23:30:00Z', '2500');
    const early = await pay(2500, '2026-11-18T09:00:00Z', '4081');
    const older = await pay(2500, '2026-11-17T09:00:00Z', null);
    const found = async (search: string, query: Partial<ListPaymentsQuery> = {}) => {
      const { items } = await list({ search, merchantIds: [merchantId], zone: 'Africa/Lagos', ...query });
      return items.map(({ paymentId, matched }) => [paymentId, matched]);
    };
    expect(await found('2,500 18 Nov')).toEqual([[early, 'amount']]);
    expect(await found('NGN 2500')).toEqual([
      [early, 'amount'],
      [older, 'amount'],
    ]);
    expect(await found('USD 2500')).toEqual([]);
    expect(await found('4081 2026-11-19')).toEqual([[late, 'amount']]);
    expect(await found('2500 2026-11-19')).toEqual([[late, 'card']]);
    expect(await found('•••• 4081')).toEqual([[early, 'card']]);
    expect(await found('4081 2500')).toEqual([
      [late, 'card'],
      [early, 'card'],
    ]);
    expect(await found('•••• 4081 2026-11-17')).toEqual([]);
    expect(await found('•••• 4081', { mode: 'live' })).toEqual([]);
    expect(await found('•••• 4081', { merchantIds: [first.merchantId] })).toEqual([]);
    // The same day begins an hour later in UTC.
    expect(await found('4081 2026-11-18', { zone: 'UTC' })).toEqual([
      [late, 'amount'],
      [early, 'card'],
    ]);
  });

  test.each(["' OR 1=1 --", '%', '_', '\u{10FFFF}', 'no such order'])('finds nothing by %j', async (search) => {
    expect((await list({ search })).items).toEqual([]);
  });
});

describe('today', () => {
  test('adds up since midnight in the zone, and the same hours a week ago', async () => {
    const own = await createTestMerchant(context, { 'paystack-main': {} });
    const record = (at: string, amount: number) =>
      recordPayment(context, own.merchantId, { createdAt: new Date(at), status: 'SUCCESS', amount });
    await record('2026-11-19T22:59:59.999Z', 1); // yesterday in Lagos
    await record('2026-11-19T23:00:00.000Z', 20);
    await record('2026-11-12T23:00:00.000Z', 300);
    await record('2026-11-13T14:00:06.000Z', 4_000); // later in the day than it is now
    const today = await summariseToday(context, { merchantIds: [own.merchantId], mode: 'test', zone: 'Africa/Lagos' });
    expect(today.dayStart.toISOString()).toBe('2026-11-19T23:00:00.000Z');
    expect(today.today).toEqual([{ gateway: 'paystack', status: 'SUCCESS', currency: 'NGN', count: 1, amount: 20n }]);
    expect(today.weekAgo).toEqual([{ gateway: 'paystack', status: 'SUCCESS', currency: 'NGN', count: 1, amount: 300n }]);
  });
});
