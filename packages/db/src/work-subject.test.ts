import { setImmediate as later } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { aboutPayment, withWorkSubject, workSubject } from './work-subject.ts';

test('pieces of work at the same time, and within each other, have a subject each', async () => {
  const subjects = ['one', 'two'].map((paymentId) =>
    withWorkSubject({}, async () => {
      await later();
      aboutPayment({ merchantId: 'm', paymentId });
      await withWorkSubject({}, async () => {
        aboutPayment({ merchantId: 'm', paymentId: `${paymentId}, within` });
        await later();
        expect(workSubject()?.paymentId).toBe(`${paymentId}, within`);
      });
      return workSubject();
    }),
  );
  expect(await Promise.all(subjects)).toEqual([
    { merchantId: 'm', paymentId: 'one' },
    { merchantId: 'm', paymentId: 'two' },
  ]);
  aboutPayment({ merchantId: 'm', paymentId: 'outside' });
  expect(workSubject()).toBeUndefined();
});
