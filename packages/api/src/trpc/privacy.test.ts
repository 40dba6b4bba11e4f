import { findPaymentAnswer } from '@switchyard/payments/answers';
import { packSession } from '@switchyard/payments/initiate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { writePaymentResource } from '../rest/payment-resource.ts';
import { paymentResource } from '../rest/responses.ts';
import { sessionOf } from '../testing/dashboard.ts';
import { createTestMerchant, openTestSwitchyard, recordPayment } from '../testing/switchyard.ts';
import { createCallerFactory } from './procedure.ts';
import { appRouter } from './router.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let merchantId: string;
let other: string;

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  other = await createTestMerchant(switchyard, 'Ade Fabrics');
});
afterAll(() => close());

const as = (...who: Parameters<typeof sessionOf>) => createCallerFactory(appRouter)({ switchyard, session: sessionOf(...who) });

describe('settings', () => {
  test('of the workspace are changed by owners of the whole workspace only, of a merchant by its owner', async () => {
    const changes = { gateway_calls: 60 };
    const workspace = { merchantId: null, changes };
    await expect(as('owner', merchantId).privacy.changeRetention(workspace)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await as('owner', null).privacy.changeRetention(workspace)).toEqual({ kind: 'changed' });
    expect(await as('owner', merchantId).privacy.changeRetention({ merchantId, changes: { gateway_calls: 30 } })).toEqual({
      kind: 'changed',
    });
    await expect(as('owner', merchantId).privacy.changeRetention({ merchantId: other, changes })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    const { kinds } = await as('finance', merchantId).privacy.retention({ merchantId });
    expect(kinds.find(({ kind }) => kind === 'gateway_calls')).toMatchObject({ days: 30, from: 'merchant', otherwiseDays: 60 });
  });

  test('that are wrong are returned beside their fields', async () => {
    const outcome = await as('owner', null).privacy.changeRetention({ merchantId: null, changes: { failed_jobs: 0.5 } });
    expect(outcome).toEqual({ kind: 'invalid', problems: [{ field: 'failed_jobs', message: 'must be a whole number of days' }] });
  });
});

describe('a customer', () => {
  test('is erased, and the payment is answered in its documented form before and after', async () => {
    const { prisma } = switchyard.resources.database;
    const paymentId = await recordPayment(switchyard, merchantId, 'order-1');
    const key = { merchantId_id: { merchantId, id: paymentId } };
    const url = `https://shop.example/?mail=ada@example.com&paymentId=${paymentId}`;
    const of = { mode: 'test', paymentId, merchantId, merchantOrderId: 'order-1', referencePrefix: '', fallbackGateways: [] };
    const metadata = { ...of, callbackUrl: 'https://switchyard.example/return', redirectUrl: url };
    const checkout = { gateway: 'paystack', reference: 'r', accessCode: '', redirectUrl: 'https://checkout.paystack.com/x' };
    const session = { raw: { email: 'ada@example.com' }, ...checkout, metadata };
    const packedSession = packSession({ merchantId, paymentId }, session, []);
    await prisma.payment.update({ where: key, data: { status: 'SUCCESS', packedSession } });
    await prisma.paymentCheck.deleteMany({ where: { paymentId } });
    const read = async () => {
      const caller = { configuration: switchyard.resources.configuration.merchant(merchantId), mode: 'test' as const };
      if (caller.configuration === undefined) throw new Error('there is no such merchant');
      const { configuration, mode } = caller;
      const answer = await findPaymentAnswer(switchyard.payments, { configuration, mode }, paymentId, { add: () => undefined });
      if (answer === undefined) throw new Error('there is no such payment');
      return writePaymentResource(answer);
    };
    // The decision is not in question, and these payments have none.
    const documented = paymentResource.omit({ routing: true });
    const check = (text: string) => {
      const { routing: _, ...rest } = JSON.parse(text);
      return documented.parse(rest);
    };
    const before = check(await read());
    const subject = { merchantId, mode: 'test' as const, email: 'ADA@example.com' };
    const owner = as('owner', merchantId).privacy;
    const preview = await owner.previewErasure(subject);
    const confirmation = preview.kind === 'found' ? preview.preview.confirmation : '';
    expect(await owner.eraseCustomer({ ...subject, confirmation })).toMatchObject({ kind: 'erased', counts: { payments: 1 } });
    const text = await read();
    expect(text).not.toContain('ada@example.com');
    const after = check(text);
    expect({ ...after, updatedAt: '', recommendedGateway: '' }).toEqual({ ...before, updatedAt: '', recommendedGateway: '' });
  });

  test.each(['operator', 'finance', 'viewer'] as const)('is not exported or erased by a(n) %s', async (role) => {
    const subject = { merchantId, mode: 'test' as const, email: 'ada@example.com' };
    const { privacy } = as(role, merchantId);
    const refused = { code: 'FORBIDDEN' };
    await expect(privacy.previewErasure(subject)).rejects.toMatchObject(refused);
    await expect(privacy.eraseCustomer({ ...subject, confirmation: 'erase 1 payment' })).rejects.toMatchObject(refused);
    await expect(privacy.exportCustomer(subject)).rejects.toMatchObject(refused);
  });
});
