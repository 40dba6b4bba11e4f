import type { TimelineEvent } from '@switchyard/db/client';
import { expect, test } from 'vitest';
import { withFirstEvents } from './timeline.ts';

const at = new Date('2026-11-20T12:00:00.000Z');
const of = { merchantId: 'm', cause: 'api', actor: null, detail: {}, createdAt: at } as const;

test('payments whose first event is stored keep it, others get it before what followed', () => {
  const stored: TimelineEvent[] = [
    { ...of, id: '11', paymentId: '10', type: 'payment.initiated', fromStatus: null, toStatus: 'INITIATED' },
    { ...of, id: '12', paymentId: '10', type: 'payment.pending', fromStatus: 'INITIATED', toStatus: 'PENDING' },
    { ...of, id: '21', paymentId: '20', type: 'payment.pending', fromStatus: 'INITIATED', toStatus: 'PENDING' },
  ];
  const payments = ['10', '20'].map((id) => ({ merchantId: 'm', id, createdAt: at }));
  const whole = withFirstEvents(payments, stored);
  expect(whole.map(({ id, paymentId, type }) => `${id} of ${paymentId}: ${type}`)).toEqual([
    '11 of 10: payment.initiated',
    '12 of 10: payment.pending',
    '20 of 20: payment.initiated',
    '21 of 20: payment.pending',
  ]);
});
