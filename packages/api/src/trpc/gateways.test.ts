import { updateGateway } from '@switchyard/merchants/console/gateway-accounts';
import { setConfigurationFault } from '@switchyard/merchants/gateway-accounts';
import { raiseConfigurationRevision, readRevision } from '@switchyard/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { sessionOf } from '../testing/dashboard.ts';
import { createTestMerchant, openTestSwitchyard } from '../testing/switchyard.ts';
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

/** The effect of payments that proved that the gateway refuses the account's keys. */
async function refuseKeys(): Promise<{ accountId: string; at: Date }> {
  const { database, configuration } = switchyard.resources;
  const account = configuration.merchant(merchantId)?.accounts[0];
  if (account === undefined) throw new Error('the merchant has no account');
  const at = new Date('2026-11-20T14:02:00Z');
  const revision = await database.prisma.$transaction(async (transaction) => {
    await setConfigurationFault(transaction, account, { kind: 'CREDENTIALS', message: 'Invalid key.', at });
    return raiseConfigurationRevision(transaction, merchantId);
  });
  await readRevision(configuration, merchantId, revision);
  return { accountId: account.id, at };
}

describe('an account that is out of rotation for its configuration', () => {
  test('needs attention of its own merchant, and its page names the problem', async () => {
    const { accountId, at } = await refuseKeys();
    const why = 'Paystack refuses its credentials; replace them, or test the connection.';
    expect(await as('viewer', merchantId).attention.list({ mode: 'test' })).toMatchObject({
      items: [
        {
          kind: 'credentials_refused',
          action: { path: '/gateways', query: { account: accountId } },
          merchantId,
          merchantName: 'Balogun Books',
          title: 'Paystack (paystack-main) is out of rotation',
          why,
          since: at,
        },
      ],
      incomplete: false,
    });
    expect((await as('viewer', other).attention.list({ mode: 'test' })).items).toEqual([]);
    expect((await as('viewer', merchantId).attention.list({ mode: 'live' })).items).toEqual([]);
    expect(await as('viewer', null).gateways.list({ mode: 'test' })).toMatchObject([
      { merchantId, fault: { kind: 'credentials', since: at, sentence: why, message: 'Invalid key.' } },
      { merchantId: other, fault: null },
    ]);
  });

  test('needs none any more once its credentials are replaced', async () => {
    const { accountId } = await refuseKeys();
    const changes = { credentials: { secretKey: 'sk_test_fedcba9876543210' } };
    await updateGateway(switchyard, { merchantId, accountId, changes, actor: 'staff:ada' });
    expect((await as('viewer', merchantId).attention.list({ mode: 'test' })).items).toEqual([]);
    expect(await as('viewer', merchantId).gateways.list({ mode: 'test' })).toMatchObject([{ fault: null }]);
  });
});
