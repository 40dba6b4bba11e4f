import { afterAll, expect, it } from 'vitest';
import { closeGatewayConnections } from '../connections.ts';
import type { AccountAccess } from '../gateway.ts';
import { order, wireReply } from '../testing/script.ts';
import { startStubServer } from '../testing/stub-server.ts';
import initialised from './fixtures/initialised.json' with { type: 'json' };
import login from './fixtures/login.json' with { type: 'json' };
import { monnifyScript, transactionOf } from './fixtures/script.ts';
import { monnify } from './monnify.ts';
import { payByTestCard } from './test-payment.ts';

afterAll(() => closeGatewayConnections());

it('pays the checkout whose reference has a time that may be a card number', async () => {
  const transactionReference = 'MNFY|17|20261127120008|000311';
  const server = await startStubServer((call) =>
    call.path.startsWith('/api/v1/auth/login') ? wireReply({ status: 200, json: login }) : null,
  );
  const { reference } = order;
  const opened = {
    ...initialised,
    responseBody: { ...initialised.responseBody, transactionReference, paymentReference: reference },
  };
  const found = transactionOf({ id: transactionReference, reference, state: 'unfinished', amount: 1_000, currency: 'NGN' });
  const charged = { requestSuccessful: true, responseBody: { status: 'SUCCESS', message: 'Approved' } };
  server.script(({ method, path }) => {
    const json = method === 'GET' ? found : path.endsWith('/cards/charge') ? charged : opened;
    return wireReply({ status: 200, json });
  });
  const credentials = monnifyScript.credentials.test;
  const account: AccountAccess = { accountId: 'test-payment', mode: 'test', credentials, baseUrl: server.url };
  const outcome = await monnify.open(account, order, { timeoutMs: 10_000 });
  if (outcome.outcome !== 'yes') throw new Error(outcome.failure.message);
  expect(outcome.value.raw.transactionReference).toBe('MNFY|17|20261127120008|000311');
  expect(await payByTestCard(account, outcome.value)).toBe('paid');
  expect(JSON.parse(server.calls.at(-1)?.body ?? '')).toMatchObject({ transactionReference });
  await server.close();
});
