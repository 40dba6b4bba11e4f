import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPayment, readRecord } from '../house/contract.ts';
import { type House, startHouse } from '../house/house.ts';
import { MOUNTS } from '../house/mounts.ts';
import { order } from '../house/orders.ts';

let house: House;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.close());

describe.each(MOUNTS)('through the %s mount', (mount) => {
  test('a payment is initiated, paid at the gateway, verified and read back', async () => {
    const key = house.first.testKey;
    const initiated = readPayment(await house.send(mount, 'POST', '/v1/payments/initiate', { key, body: order() }));
    expect(initiated).toMatchObject({
      status: 'PENDING',
      executionStatus: 'processing',
      recommendedGateway: { name: 'paystack' },
    });
    const session = initiated.recommendedGateway.session;
    expect(session?.redirectUrl).toMatch(house.gateways.baseUrls.paystack);

    await house.gateways.settle('paystack', session?.reference ?? '', 'success');
    const path = `/v1/payments/${initiated.paymentId}`;
    const record = readRecord(await house.send(mount, 'POST', `${path}/verify`, { key }));
    expect(record).toMatchObject({ type: 'payment.succeeded', merchantNumber: house.first.merchantNumber });
    expect(record.data).toMatchObject({ status: 'SUCCESS', executionStatus: 'succeeded', gatewayReference: session?.reference });

    const read = readPayment(await house.send(mount, 'GET', path, { key }));
    expect(read).toMatchObject({ paymentId: initiated.paymentId, status: 'SUCCESS', executionStatus: 'succeeded' });
  });
});
