import type { Outcome, ReceivedPayment } from '@switchyard/gateways';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anAttempt as attempt, aPayment as payment } from '../testing/samples.ts';
import { applyGatewayResult } from './apply-gateway-result.ts';
import { ERASED_EMAIL } from './order.ts';
import type { AttemptRecord, PaymentRecord } from './payment-record.ts';
import { canTransition } from './transitions.ts';

const now = new Date('2026-11-20T14:00:00Z');
const call = { method: 'GET', url: '', httpStatus: 200, latencyMs: 1, request: null, answer: null, retryAfterMs: null };

function received(value: Partial<ReceivedPayment> = {}): Outcome<ReceivedPayment> {
  const full = {
    reference: 'ref',
    transactionId: '1',
    amount: '2500',
    currency: 'NGN',
    fee: '37.5',
    method: 'CARD',
    paidAt: now,
  };
  return { outcome: 'yes', value: { ...full, reversed: false, ...value }, call };
}

function no(code: 'declined' | 'checkout_closed' | 'not_found'): Outcome<ReceivedPayment> {
  return { outcome: 'no', failure: { class: 'customer', code, message: 'Declined.' }, call };
}

const unknown: Outcome<ReceivedPayment> = {
  outcome: 'unknown',
  failure: { class: 'provider_fault', code: 'timeout', message: 'No answer.' },
  call,
};

let ids = 0;
const newId = () => `id-${++ids}`;
const about = (
  outcome: Outcome<ReceivedPayment>,
  changes: {
    payment?: Partial<PaymentRecord>;
    attempt?: Partial<AttemptRecord>;
    othersOpen?: boolean;
    holdsMismatched?: boolean;
    refunded?: bigint;
    disputed?: boolean;
    refundDuplicates?: boolean;
    askedAt?: Date;
  } = {},
) =>
  applyGatewayResult({
    payment: { ...payment, ...changes.payment },
    attempt: { ...attempt, ...changes.attempt },
    merchant: { merchantNumber: '100001', refundDuplicates: changes.refundDuplicates ?? false },
    othersOpen: changes.othersOpen ?? false,
    holdsMismatched: changes.holdsMismatched ?? false,
    returns: { refunded: changes.refunded ?? 0n, disputed: changes.disputed ?? false },
    outcome,
    cause: 'api',
    askedAt: changes.askedAt ?? now,
    now,
    newId,
    sealPayer: (payer, { attemptId }) => `sealed for ${attemptId}: ${JSON.stringify(payer)}`,
  });

describe('proof of payment', () => {
  test('the right amount and currency make a pending payment a success', () => {
    expect(about(received())).toMatchObject({ status: 'SUCCESS', late: false, attempt: { state: 'PAID' } });
  });

  test('who paid by transfer is encrypted for the attempt that they paid, whatever becomes of the money', () => {
    const payer = { bank: 'A Bank', name: 'Ada Obi', accountEnd: '0190' };
    const sealed = `sealed for a: ${JSON.stringify(payer)}`;
    expect(about(received({ payer }))?.attempt?.payer).toBe(sealed);
    expect(about(received({ payer, amount: '2499' }))?.attempt?.payer).toBe(sealed);
    const duplicate = about(received({ payer }), { payment: { status: 'SUCCESS', currentAttemptId: 'other' } });
    expect(duplicate?.attempt).toMatchObject({ duplicate: true, payer: sealed });
    expect(about(received())?.attempt).not.toHaveProperty('payer');
  });

  test('who paid is not kept once the customer was erased', () => {
    const payer = { bank: null, name: 'Ada Obi', accountEnd: null };
    const change = about(received({ payer }), { payment: { customerEmail: 'erased@customer.invalid' } });
    expect(change?.status).toBe('SUCCESS');
    expect(change?.attempt).not.toHaveProperty('payer');
  });

  test('proof after the payment failed makes it a success, marked late', () => {
    expect(about(received(), { payment: { status: 'FAILED' } })).toMatchObject({ status: 'SUCCESS', late: true });
  });

  test.each<[string, Partial<ReceivedPayment>, string]>([
    ['a kobo less', { amount: '2499.99' }, 'Expected NGN 2,500.00, received NGN 2,499.99.'],
    ['a naira more', { amount: '2501' }, 'received NGN 2,501.00.'],
    ['a hundredfold', { amount: '250000' }, 'received NGN 250,000.00.'],
    ['a hundredth', { amount: '25' }, 'received NGN 25.00.'],
    ['another currency', { currency: 'USD' }, 'received USD 2,500.00.'],
    ['money that has gone back', { reversed: true }, 'has been returned since'],
    [
      'the right amount, in doubt',
      { doubt: 'Kora reports money for a charge that is expired.' },
      'Kora reports money for a charge that is expired. Expected NGN 2,500.00, received NGN 2,500.00.',
    ],
  ])('%s is never a success: it stays as it is and waits for review', (_, value, why) => {
    const change = about(received(value));
    expect(change?.status).toBeUndefined();
    expect(change).toMatchObject({ review: { state: 'OPEN' }, events: [{ type: 'payment.requires_review', toStatus: null }] });
    expect(change?.review?.reason).toContain(why);
  });

  test('the same doubtful answer a second time changes nothing', () => {
    const receivedAmount = '2499';
    expect(about(received({ amount: '2499' }), { attempt: { receivedAmount, receivedCurrency: 'NGN' } })).toBeNull();
  });

  test('another amount is news', () => {
    const known = { attempt: { receivedAmount: '2498', receivedCurrency: 'NGN' } };
    expect(about(received({ amount: '2499' }), known)).toMatchObject({ received: { amount: '2499' } });
  });

  test('the same amount in another currency is news', () => {
    const known = { attempt: { receivedAmount: '2500', receivedCurrency: 'USD' } };
    const change = about(received({ amount: '2500', currency: 'GHS' }), known);
    expect(change).toMatchObject({ received: { currency: 'GHS' }, review: { state: 'OPEN' } });
  });

  test('money for a payment whose checkout is not on record yet changes nothing: it is asked for again', () => {
    expect(about(received(), { payment: { status: 'INITIATED', currentAttemptId: null } })).toBeNull();
  });

  test('the attempt that paid is named exactly where it is not the current one', () => {
    expect(about(received(), { payment: { currentAttemptId: 'other' } })?.paidAttemptId).toBe('a');
    expect(about(received())).not.toHaveProperty('paidAttemptId');
  });

  test('what was paid has the reference of the attempt that paid', () => {
    expect(about(received({ reference: 'ref-2' }), { payment: { currentAttemptId: 'other' } })?.gatewayReference).toBe('ref-2');
  });

  test.each(['SUCCESS', 'REFUNDED'] as const)(
    'money for another attempt of a payment that is %s is recorded as a duplicate charge',
    (status) => {
      const change = about(received(), { payment: { status, currentAttemptId: 'other' } });
      expect(change?.status).toBeUndefined();
      expect(change).toMatchObject({
        attempt: { duplicate: true, state: 'PAID' },
        events: [{ type: 'payment.duplicate_charge' }],
      });
    },
  );

  test('an attempt that was paid pays no payment again, whatever the payment’s status is', () => {
    const change = about(received({ transactionId: '2' }), { attempt: { state: 'PAID', transactionId: '1' } });
    expect(change?.status).toBeUndefined();
    expect(change).toMatchObject({ duplicateCharge: { transactionId: '2' } });
  });

  test('a transaction that was seen before it paid pays the payment now', () => {
    expect(about(received(), { attempt: { transactionId: '1' } })).toMatchObject({ status: 'SUCCESS' });
  });

  test('a transaction whose money was refunded on review pays no payment, and is no second charge, when it matches after all', () => {
    const refunded = { attempt: { transactionId: '1', receivedAmount: '2500', receivedCurrency: 'NGN' }, refunded: 2_500n };
    expect(about(received(), refunded)).toBeNull();
    expect(about(received(), { ...refunded, payment: { status: 'FAILED' } })).toBeNull();
    expect(about(received(), { ...refunded, payment: { status: 'SUCCESS', currentAttemptId: 'other' } })).toBeNull();
    expect(about(received(), { ...refunded, refunded: 0n })).toMatchObject({ status: 'SUCCESS' });
  });

  test('an attempt that is already paid is not counted again', () => {
    const attempt = { state: 'PAID', transactionId: '1' } as const;
    expect(about(received(), { payment: { status: 'SUCCESS' }, attempt })).toBeNull();
  });

  test('a second transaction at the same attempt is a duplicate charge, and the first stays recorded unchanged', () => {
    const change = about(received({ transactionId: '2' }), {
      payment: { status: 'SUCCESS' },
      attempt: { state: 'PAID', transactionId: '1' },
    });
    expect(change?.attempt).toBeUndefined();
    expect(change).toMatchObject({ duplicateCharge: { transactionId: '2', amount: '2500', refund: false } });
  });

  test('a duplicate charge is refunded automatically exactly where the merchant has enabled it', () => {
    const situation = { payment: { status: 'SUCCESS', currentAttemptId: 'other' } } as const;
    expect(about(received(), { ...situation, refundDuplicates: true })?.duplicateCharge?.refund).toBe(true);
    expect(about(received(), situation)?.duplicateCharge?.refund).toBe(false);
    const doubtful = about(received({ doubt: 'It may have been returned.' }), { ...situation, refundDuplicates: true });
    expect(doubtful?.duplicateCharge?.refund).toBe(false);
  });

  test('a duplicate charge that is taken back later takes nothing back from the payment', () => {
    const paid = {
      payment: { status: 'SUCCESS' as const },
      attempt: { state: 'PAID' as const, transactionId: '1', duplicate: true },
    };
    expect(about(received({ reversed: true }), paid)).toBeNull();
  });

  test('a duplicate that the gateway has already reversed is not recorded', () => {
    expect(about(received({ reversed: true }), { payment: { status: 'SUCCESS', currentAttemptId: 'other' } })).toBeNull();
  });

  test('a paid payment keeps being checked exactly while another attempt may bring money', () => {
    expect(about(received(), { othersOpen: true })?.nextCheckAt?.getTime()).toBeGreaterThan(now.getTime());
    expect(about(received())?.nextCheckAt).toBeNull();
  });
});

describe('events for the merchant', () => {
  const record = (change: ReturnType<typeof about>) => JSON.parse(change?.announcements?.[0]?.body ?? 'null');

  test('where the card is from and its last four digits are in the event of the timeline alone', () => {
    const change = about(received({ cardCountry: 'GB', cardLast4: '4081' }));
    expect(change?.events).toMatchObject([{ type: 'payment.succeeded', detail: { cardCountry: 'GB', cardLast4: '4081' } }]);
    expect(JSON.stringify(record(change))).not.toContain('GB"');
    expect(JSON.stringify(record(change))).not.toContain('4081');
    expect(about(received())?.events[0]?.detail).not.toHaveProperty('cardCountry');
    expect(about(received())?.events[0]?.detail).not.toHaveProperty('cardLast4');
    const erased = about(received({ cardCountry: 'GB', cardLast4: '4081' }), { payment: { customerEmail: ERASED_EMAIL } });
    expect(erased?.events[0]?.detail).toMatchObject({ cardCountry: 'GB' });
    expect(erased?.events[0]?.detail).not.toHaveProperty('cardLast4');
  });

  test('one change has one id: in the timeline, in the event and in its record', () => {
    const change = about(received());
    expect(change?.announcements).toMatchObject([
      { eventId: change?.events[0]?.eventId, type: 'payment.succeeded', position: 3 },
    ]);
    expect(record(change)).toEqual({
      id: change?.events[0]?.eventId,
      type: 'payment.succeeded',
      createdAt: now.toISOString(),
      merchantNumber: '100001',
      data: {
        paymentId: 'p',
        merchantOrderId: 'o',
        status: 'SUCCESS',
        executionStatus: 'succeeded',
        currency: 'NGN',
        amount: 2500,
        gatewayReference: 'ref',
      },
    });
  });

  test.each<[string, ReturnType<typeof about>, string]>([
    ['payment.failed', about(no('declined')), 'FAILED'],
    ['payment.requires_review', about(received({ amount: '1' })), 'PENDING'],
    ['payment.duplicate_charge', about(received(), { payment: { status: 'SUCCESS', currentAttemptId: 'other' } }), 'SUCCESS'],
  ])('%s carries the resulting status of the payment', (type, change, status) => {
    expect(record(change)).toMatchObject({ type, data: { status } });
  });

  test('there is none for an unpaid attempt that is not the current one', () => {
    expect(about(no('declined'), { payment: { currentAttemptId: 'other' } })?.announcements).toBeUndefined();
  });
});

describe('a checkout that is open', () => {
  const open = { payment: { expiresAt: new Date(now.getTime() + 1) } };

  test('is not ended by a try that was declined', () => {
    expect(about(no('declined'), open)).toBeNull();
  });

  test('is not ended by a decline that was heard while it was open, whenever it is applied', () => {
    const before = { payment: { expiresAt: now }, askedAt: new Date(now.getTime() - 1) };
    expect(about(no('declined'), before)).toBeNull();
    expect(about(no('declined'), { ...before, askedAt: now })).toMatchObject({ status: 'FAILED', failureReason: 'declined' });
  });

  test('is ended by the gateway that closed it', () => {
    expect(about(no('checkout_closed'), open)).toMatchObject({ status: 'FAILED', failureReason: 'checkout_closed' });
  });

  test('of an attempt that no customer was sent to is ended by any refusal', () => {
    const unseen = { ...open, attempt: { state: 'UNKNOWN' as const } };
    for (const code of ['declined', 'checkout_closed', 'not_found'] as const) {
      expect(about(no(code), unseen)?.attempt).toMatchObject({ state: 'UNPAID' });
    }
  });
});

describe('the timeline says of', () => {
  const entry = { eventId: expect.stringMatching(/^id-/), cause: 'api', actor: null };
  const eventsOf = (...of: Parameters<typeof about>) => about(...of)?.events;

  test('a payment that was paid by how much, at which gateway, and from which status', () => {
    const detail = { attemptId: 'a', amount: '2500', currency: 'NGN', transactionId: '1', gateway: 'paystack', late: false };
    expect(eventsOf(received())).toEqual([
      { ...entry, type: 'payment.succeeded', fromStatus: 'PENDING', toStatus: 'SUCCESS', detail },
    ]);
  });

  test('a payment that failed by the gateway’s words', () => {
    expect(eventsOf(no('declined'))).toEqual([
      {
        ...entry,
        type: 'payment.failed',
        fromStatus: 'PENDING',
        toStatus: 'FAILED',
        detail: { attemptId: 'a', message: 'Declined.' },
      },
    ]);
  });

  test('another attempt that failed the same, and of no status', () => {
    expect(eventsOf(no('declined'), { payment: { currentAttemptId: 'other' } })).toEqual([
      {
        ...entry,
        type: 'attempt.unpaid',
        fromStatus: null,
        toStatus: null,
        detail: { attemptId: 'a', message: 'Declined.' },
      },
    ]);
  });

  test('money that does not match why, and how much it was', () => {
    const change = about(received({ amount: '1' }));
    const reason = 'Expected NGN 2,500.00, received NGN 1.00.';
    const detail = { attemptId: 'a', reason, amount: '1', currency: 'NGN', transactionId: '1' };
    expect(change?.events).toEqual([{ ...entry, type: 'payment.requires_review', fromStatus: null, toStatus: null, detail }]);
    expect(change?.attempt).toEqual({ attemptId: 'a', received: change?.received, askedAt: now });
  });

  test('a second charge how much it was, and at which transaction', () => {
    const detail = { attemptId: 'a', amount: '2500', currency: 'NGN', transactionId: '1', gateway: 'paystack' };
    expect(eventsOf(received(), { payment: { status: 'SUCCESS', currentAttemptId: 'other' } })).toEqual([
      { ...entry, type: 'payment.duplicate_charge', fromStatus: null, toStatus: null, detail },
    ]);
  });

  test('money that was taken back how much it is, of which attempt, and that it was asked', () => {
    const change = about(received({ reversed: true }), {
      payment: { status: 'SUCCESS' },
      attempt: { state: 'PAID', transactionId: '1' },
    });
    const told = { amount: '2500', total: '2500', currency: 'NGN', reversalCause: 'gateway' };
    const detail = { attemptId: 'a', gateway: 'paystack', transactionId: '1', ...told };
    expect(change?.events).toEqual([{ ...entry, type: 'payment.reversed', fromStatus: null, toStatus: null, detail }]);
    expect(change?.attempt).toEqual({ attemptId: 'a', askedAt: now });
    expect(change?.announcements).toMatchObject([{ position: payment.version + 1 }]);
  });

  test('a review that ended by itself that the gateway has decided', () => {
    expect(about(received(), { payment: { review: 'OPEN' } })?.review).toEqual({
      state: 'RESOLVED',
      reason: 'The gateway has decided since.',
    });
  });
});

describe('proof of failure', () => {
  test('that is no decline says so, and fails a pending payment whose attempt was never answered', () => {
    expect(about(no('not_found'), { attempt: { state: 'UNKNOWN' } })).toMatchObject({
      status: 'FAILED',
      failureReason: 'not_paid',
    });
  });

  test('a decline of the current attempt fails a pending payment', () => {
    expect(about(no('declined'))).toMatchObject({
      status: 'FAILED',
      failureReason: 'declined',
      attempt: { state: 'UNPAID' },
    });
  });

  test('“not found” for an open checkout proves nothing', () => {
    expect(about(no('not_found'))).toBeNull();
  });

  test('“not found” for an unconfirmed checkout settles that attempt, not the payment', () => {
    const change = about(no('not_found'), {
      payment: { status: 'FAILED', currentAttemptId: null },
      attempt: { state: 'UNKNOWN' },
    });
    expect(change?.status).toBeUndefined();
    expect(change).toMatchObject({ attempt: { state: 'UNPAID' } });
  });

  test.each(['PAID', 'UNPAID'] as const)('a decline of an attempt that is %s already changes nothing', (state) => {
    expect(about(no('declined'), { attempt: { state } })).toBeNull();
  });

  test('a decline of another attempt than the current one does not change the payment', () => {
    expect(about(no('declined'), { payment: { currentAttemptId: 'other' } })?.status).toBeUndefined();
  });
});

describe('a payment under review because no gateway decided it', () => {
  const underReview = { payment: { review: 'OPEN' } } as const;

  test('is settled by later proof, and its review ends with it', () => {
    expect(about(received(), underReview)).toMatchObject({ status: 'SUCCESS', review: { state: 'RESOLVED' } });
    expect(about(no('declined'), underReview)).toMatchObject({ status: 'FAILED', review: { state: 'RESOLVED' } });
  });

  test('stays under review while an attempt holds money that does not match the order', () => {
    const held = { ...underReview, holdsMismatched: true };
    expect(about(received(), held)).toMatchObject({ status: 'SUCCESS' });
    expect(about(received(), held)?.review).toBeUndefined();
    expect(about(no('declined'), held)?.review).toBeUndefined();
  });

  test('a payment that was never under review gets none', () => {
    expect(about(received())?.review).toBeUndefined();
  });
});

describe('for every answer', () => {
  const outcomes = fc.oneof(
    fc.constantFrom(unknown, no('declined'), no('not_found')),
    fc
      .record({
        amount: fc.constantFrom('2500', '2499.99', '1', '250000'),
        currency: fc.constantFrom('NGN', 'USD'),
        reversed: fc.boolean(),
        doubt: fc.constantFrom({}, { doubt: 'Approved in part.' }),
      })
      .map(({ doubt, ...value }) => received({ ...value, ...doubt })),
  );
  const situations = fc.record({
    status: fc.constantFrom('INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED' as const),
    current: fc.boolean(),
    state: fc.constantFrom('STARTED', 'OPENED', 'REFUSED', 'UNKNOWN', 'PAID', 'UNPAID' as const),
  });

  test('a payment makes only published transitions, and to SUCCESS only on matching money', () => {
    fc.assert(
      fc.property(outcomes, situations, (outcome, { status, current, state }) => {
        const change = about(outcome, { payment: { status, currentAttemptId: current ? 'a' : 'other' }, attempt: { state } });
        if (outcome.outcome === 'unknown') expect(change).toBeNull();
        if (change?.status === undefined) return;
        expect(canTransition(status, change.status)).toBe(true);
        if (change.status === 'SUCCESS') {
          expect(outcome).toMatchObject({ outcome: 'yes', value: { amount: '2500', currency: 'NGN', reversed: false } });
          expect(outcome).not.toHaveProperty('value.doubt', expect.any(String));
        }
        expect(change.events.filter(({ toStatus }) => toStatus === change.status)).toHaveLength(1);
        expect(change.version).toBe(payment.version);
      }),
    );
  });
});

describe('paid money that the gateway takes back', () => {
  const paid = { payment: { status: 'SUCCESS' as const }, attempt: { state: 'PAID' as const, transactionId: '1' } };
  const reversal = { amount: '2500', cause: 'gateway' as const, at: now };

  test('is recorded and announced, and the status stays', () => {
    const change = about(received({ reversed: true }), paid);
    expect(change).toMatchObject({ reversal, events: [{ type: 'payment.reversed', toStatus: null, detail: { total: '2500' } }] });
    expect(change?.status).toBeUndefined();
    expect(change?.announcements?.map(({ type, body }) => [type, JSON.parse(body).data])).toMatchObject([
      ['payment.reversed', { status: 'SUCCESS', reversal: { amount: 2_500, totalReversed: 2_500, cause: 'gateway' } }],
    ]);
  });

  test('is named a chargeback where a dispute of it is known', () => {
    expect(about(received({ reversed: true }), { ...paid, disputed: true })).toMatchObject({ reversal: { cause: 'chargeback' } });
  });

  test('is no news the second time', () => {
    expect(about(received({ reversed: true }), { ...paid, payment: { status: 'SUCCESS', reversal } })).toBeNull();
  });

  test('is what our own refunds have not returned', () => {
    expect(about(received({ reversed: true }), { ...paid, refunded: 2_500n })).toBeNull();
    expect(about(received({ reversed: true }), { ...paid, refunded: 1_000n })).toMatchObject({ reversal: { amount: '1500' } });
    const refunded = { ...paid, payment: { status: 'REFUNDED' as const }, refunded: 2_500n };
    expect(about(received({ reversed: true }), refunded)).toBeNull();
  });

  test('and gives it back is announced, and nothing is reversed any more', () => {
    const change = about(received(), { ...paid, payment: { status: 'SUCCESS', reversal } });
    expect(change).toMatchObject({
      reversal: { amount: '0', cause: null, at: null },
      events: [{ type: 'payment.reinstated', detail: { amount: '2500', total: '0' } }],
    });
    expect(change?.announcements).toHaveLength(1);
  });

  test('by a lost dispute stays taken while the transaction says nothing else: it may be a part', () => {
    const part = { amount: '1000', cause: 'chargeback' as const, at: now };
    expect(about(received(), { ...paid, payment: { status: 'SUCCESS', reversal: part } })).toBeNull();
  });
});
