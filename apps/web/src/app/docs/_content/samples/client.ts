import { SAMPLE_URL, type Sample } from './languages.ts';

/** The first payment with our own client. */
export const clientSample: Sample = {
  title: 'With the client',
  code: {
    typescript: `import process from 'node:process';
import { createSwitchyard } from '@switchyard/client';

const switchyard = createSwitchyard({
  baseUrl: '${SAMPLE_URL}',
  apiKey: process.env.SWITCHYARD_API_KEY ?? '',
});

const payment = await switchyard.payments.initiate({
  merchantOrderId: \`ORD-\${crypto.randomUUID()}\`, // your own reference, once for each order
  amount: 2500, // whole naira
  currency: 'NGN',
  customer: { email: 'ada@example.com' },
  redirectUrl: 'https://shop.example/thanks',
});
console.log(payment.recommendedGateway.session?.redirectUrl ?? 'no gateway could open a checkout');

// Where the customer comes back, with payment.paymentId of the address:
const { data } = await switchyard.payments.verify(payment.paymentId);
console.log(data.status === 'SUCCESS' ? 'ship it' : 'not paid');
`,
  },
};
