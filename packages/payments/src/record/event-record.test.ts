import { expect, test } from 'vitest';
import { announce, eventRecord, recordOf } from './event-record.ts';

const at = new Date('2026-11-20T14:00:00Z');
const payment = {
  merchantId: 'm',
  paymentId: 'p',
  mode: 'test',
  merchantOrderId: 'o',
  status: 'SUCCESS',
  currency: 'NGN',
  amount: 2_500n,
  gatewayReference: null,
  version: 4,
} as const;
const data = {
  paymentId: 'p',
  merchantOrderId: 'o',
  status: 'SUCCESS',
  executionStatus: 'succeeded',
  currency: 'NGN',
  amount: 2_500,
  gatewayReference: '',
};
const refund = {
  refundId: 'r',
  paymentId: 'p',
  amount: 500,
  currency: 'NGN',
  status: 'SUCCESS',
  reason: null,
  failureReason: null,
  createdAt: at.toISOString(),
  updatedAt: at.toISOString(),
} as const;
const reversal = { amount: 2_500, currency: 'NGN', cause: 'chargeback', totalReversed: 2_500 } as const;

test('an event has what it is about, and nothing else', () => {
  const event = { id: 'e', type: 'payment.succeeded', at } as const;
  const record = { id: 'e', type: 'payment.succeeded', createdAt: at.toISOString(), merchantNumber: '100001' };
  expect(recordOf(payment, '100001', event)).toEqual({ ...record, data });
  expect(recordOf(payment, '100001', { ...event, refund })).toEqual({ ...record, data: { ...data, refund } });
  expect(recordOf(payment, '100001', { ...event, reversal })).toEqual({ ...record, data: { ...data, reversal } });
});

test('an event is announced in its order and about its refund or reversal, and one that merchants have no type for is not', () => {
  const event = { eventId: 'e', at };
  const body = (of: ReturnType<typeof announce>) => JSON.parse(of?.body ?? 'null');
  const refunded = announce(payment, '100001', { ...event, type: 'refund.succeeded', refund });
  expect(refunded).toMatchObject({ merchantId: 'm', eventId: 'e', paymentId: 'p', mode: 'test', position: 4 });
  expect(body(refunded)).toMatchObject({ type: 'refund.succeeded', data: { refund: { refundId: 'r' } } });
  expect(body(refunded).data).not.toHaveProperty('reversal');
  const reversed = announce(payment, '100001', { ...event, type: 'payment.reversed', reversal });
  expect(body(reversed).data).toEqual({ ...data, reversal });
  expect(announce(payment, '100001', { ...event, type: 'attempt.unpaid' })).toBeNull();
});

test('the record of the last change of status has its id, type and time', () => {
  const last = { ...payment, statusEventId: 'last', statusChangedAt: at };
  expect(eventRecord(last, '100001')).toEqual({
    id: 'last',
    type: 'payment.succeeded',
    createdAt: at.toISOString(),
    merchantNumber: '100001',
    data,
  });
});
