import type { TimelineEvent } from '@switchyard/db/client';
import { expect, test } from 'vitest';
import { storedDetail } from './apply-change.ts';
import { wholeTimeline } from './timeline.ts';

const at = new Date('2026-11-20T12:00:00.000Z');
const of = { merchantId: 'm', cause: 'api', actor: null, detail: {}, createdAt: at } as const;
const begun = { merchantId: 'm', amount: 2_500n, currency: 'NGN', createdAt: at };
const tried = {
  merchantId: 'm',
  gateway: 'paystack',
  reference: 'sy30',
  openedAt: null,
  state: 'OPENED',
  duplicate: false,
  transactionId: null,
} as const;

test('payments whose first events are stored keep them, others get them before what followed', () => {
  const stored: TimelineEvent[] = [
    { ...of, id: '11', paymentId: '10', type: 'payment.initiated', fromStatus: null, toStatus: 'INITIATED' },
    { ...of, id: '12', paymentId: '10', type: 'payment.pending', fromStatus: 'INITIATED', toStatus: 'PENDING' },
    { ...of, id: '21', paymentId: '20', type: 'payment.pending', fromStatus: 'INITIATED', toStatus: 'PENDING' },
  ];
  const payments = ['10', '20', '30'].map((id) => ({ ...begun, id }));
  const attempts = [
    { ...tried, paymentId: '20', id: '22' },
    { ...tried, paymentId: '30', id: '31', openedAt: at },
  ];
  const whole = wholeTimeline(payments, attempts, stored);
  expect(whole.map(({ id, paymentId, type }) => `${id} of ${paymentId}: ${type}`)).toEqual([
    '11 of 10: payment.initiated',
    '12 of 10: payment.pending',
    '20 of 20: payment.initiated',
    '21 of 20: payment.pending',
    '30 of 30: payment.initiated',
    '31 of 30: payment.pending',
  ]);
  expect(whole.at(-1)?.detail).toEqual({ gateway: 'paystack', reference: 'sy30' });
});

test('a timeline is in the order of its times, whatever the ids', () => {
  const later = { ...of, type: 'payment.succeeded', fromStatus: 'PENDING', toStatus: 'SUCCESS', paymentId: '10' } as const;
  const stored: TimelineEvent[] = [
    { ...later, id: '02', createdAt: new Date(at.getTime() + 2) },
    { ...later, id: '03', createdAt: new Date(at.getTime() + 1) },
  ];
  const attempts = [{ ...tried, paymentId: '10', id: '99', openedAt: at }];
  expect(wholeTimeline([{ ...begun, id: '10' }], attempts, stored).map(({ id }) => id)).toEqual(['10', '99', '03', '02']);
});

const PAID = { attemptId: '12', amount: '2500', currency: 'NGN', transactionId: '302', gateway: 'kora' };

test.each([
  ['PENDING', { ...PAID, late: false }],
  ['FAILED', { ...PAID, cardCountry: 'NG', cardLast4: '4081', late: true }],
] as const)(
  'the success of a payment that was %s is stored without what other rows say, and read as it was',
  (fromStatus, detail) => {
    const succeeded = { ...of, id: '13', paymentId: '10', type: 'payment.succeeded', fromStatus, toStatus: 'SUCCESS' } as const;
    const short = storedDetail({ type: succeeded.type, detail });
    expect(Object.keys(Object(short))).toEqual(
      Object.keys(detail).filter((name) => name === 'transactionId' || name.startsWith('card')),
    );
    const attempts = [
      { ...tried, id: '11', paymentId: '10', state: 'PAID', duplicate: true, transactionId: '302' } as const,
      { ...tried, id: '12', paymentId: '10', state: 'PAID', gateway: 'kora', transactionId: '302' } as const,
      { ...tried, id: '22', paymentId: '20', state: 'PAID', transactionId: '302' } as const,
    ];
    const stored = { ...succeeded, detail: JSON.parse(JSON.stringify(short)) };
    const read = wholeTimeline([{ ...begun, id: '10' }], attempts, [stored]).at(-1);
    expect(JSON.stringify(read?.detail)).toBe(JSON.stringify(detail));
  },
);

test.each([
  ['payment.succeeded', { ...PAID, gateway: undefined }],
  ['payment.duplicate_charge', PAID],
  ['payment.succeeded', { transactionId: 'trx-4099260516' }],
])('a detail of %s that other rows do not say is stored as it is', (type, given) => {
  const detail = JSON.parse(JSON.stringify(given));
  expect(storedDetail({ type, detail })).toEqual(detail);
});
