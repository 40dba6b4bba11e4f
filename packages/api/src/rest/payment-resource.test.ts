import fc from 'fast-check';
import { expect, test } from 'vitest';
import { envelope, succeed, writeSuccess } from './envelope.ts';
import { paymentResource, writePaymentResource } from './payment-resource.ts';

const payments = fc.record({
  paymentId: fc.uuid(),
  merchantOrderId: fc.string({ unit: 'grapheme' }),
  status: fc.constantFrom('INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'),
  currency: fc.constant('NGN'),
  amount: fc.bigInt({ min: 1n, max: 1_000_000_000_000n }),
  recommendedGateway: fc.constantFrom('paystack', 'flutterwave', ''),
  session: fc.option(fc.dictionary(fc.string(), fc.jsonValue())),
  fallbackGateways: fc.array(fc.record({ name: fc.string(), reason: fc.string() })),
  routing: fc.dictionary(fc.string(), fc.jsonValue()),
  createdAt: fc.date({ noInvalidDate: true }),
  updatedAt: fc.date({ noInvalidDate: true }),
});

test('a payment that is read is answered with the same bytes as one that was just written', () => {
  fc.assert(
    fc.property(payments, (payment) => {
      const { session, fallbackGateways, routing, amount } = payment;
      const written = writePaymentResource({
        ...payment,
        mode: 'live',
        amount: amount.toString(),
        sessionJson: JSON.stringify(session),
        fallbackGatewaysJson: JSON.stringify(fallbackGateways),
        routingJson: JSON.stringify(routing),
      });
      const { body } = envelope(
        succeed('Payment retrieved', paymentResource({ ...payment, documents: { session, fallbackGateways, routing } })),
      );
      expect(writeSuccess('Payment retrieved', written)).toBe(body);
    }),
  );
});
