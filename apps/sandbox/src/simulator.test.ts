import { afterEach, expect, it } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import type { RefundEnd } from './simulator.ts';
import { at, call, journal, openPaystack, paystackKey, quickSandbox, settle, submit, textAt, until } from './testing/harness.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

const statusOf = async (): Promise<string> => textAt(await journal(sandbox, 'paystack'), 'transactions', 0, 'status');
const verify = () => call('GET', `${sandbox.gateways.paystack}/transaction/verify/timed`, paystackKey);

it('keeps a transfer pending, in the gateway’s own word, until it arrives', async () => {
  sandbox = await quickSandbox({ timing: { transferMs: ({ reference }) => (reference === 'timed' ? 400 : 0) } });
  const page = await openPaystack(sandbox, { reference: 'timed', amount: 100_000 });
  await submit(`${page}/transfer`, { amount: '1000' });
  expect(at((await verify()).body, 'data', 'status')).toBe('ongoing');
  expect(await until(statusOf, (status) => status === 'success')).toBe('success');
  expect(at((await verify()).body, 'data', 'amount')).toBe(100_000);
});

it('sends a transfer back that arrives after another page was paid', async () => {
  sandbox = await quickSandbox({ timing: { transferMs: () => 300 } });
  const page = await openPaystack(sandbox, { reference: 'timed', amount: 100_000 });
  await submit(`${page}/transfer`, { amount: '1000' });
  expect((await settle(sandbox, 'paystack', 'timed', { outcome: 'success' })).status).toBe(200);
  await until(
    () => journal(sandbox, 'paystack'),
    (own) => at(own, 'webhooks', 0, 'state') !== 'pending',
  );
  expect(at(await journal(sandbox, 'paystack'), 'transactions', 0, 'attempts')).toMatchObject([{ status: 'success' }]);
});

it.each<RefundEnd>([
  { afterMs: 10, status: 'processed' },
  { afterMs: 10, status: 'failed' },
])('ends a refund as $status, as it is told', async (end) => {
  sandbox = await quickSandbox({ refundDelayMs: 600_000, timing: { refundEnd: () => end } });
  await openPaystack(sandbox, { reference: 'timed', amount: 100_000 });
  await settle(sandbox, 'paystack', 'timed', { outcome: 'success' });
  await call('POST', `${sandbox.gateways.paystack}/refund`, paystackKey, { transaction: 'timed' });
  const refundOf = async (): Promise<string> => textAt(await journal(sandbox, 'paystack'), 'refunds', 0, 'status');
  expect(await until(refundOf, (status) => status !== 'pending')).toBe(end.status);
});
