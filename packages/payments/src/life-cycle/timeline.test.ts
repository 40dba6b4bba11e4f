import type { TimelineEvent } from '@switchyard/db/client';
import { expect, test } from 'vitest';
import { wholeTimeline } from './timeline.ts';

const at = new Date('2026-11-20T12:00:00.000Z');
const of = { merchantId: 'm', cause: 'api', actor: null, detail: {}, createdAt: at } as const;

test('payments whose first events are stored keep them, others get them before what followed', () => {
  const stored: TimelineEvent[] = [
    { ...of, id: '11', paymentId: '10', type: 'payment.initiated', fromStatus: null, toStatus: 'INITIATED' },
    { ...of, id: '12', paymentId: '10', type: 'payment.pending', fromStatus: 'INITIATED', toStatus: 'PENDING' },
    { ...of, id: '21', paymentId: '20', type: 'payment.pending', fromStatus: 'INITIATED', toStatus: 'PENDING' },
  ];
  const payments = ['10', '20', '30'].map((id) => ({ merchantId: 'm', id, createdAt: at }));
  const attempt = { merchantId: 'm', gateway: 'paystack', reference: 'sy30' };
  const attempts = [
    { ...attempt, paymentId: '20', id: '22', openedAt: null },
    { ...attempt, paymentId: '30', id: '31', openedAt: at },
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
