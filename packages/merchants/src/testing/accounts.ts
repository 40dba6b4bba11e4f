import type { FeeSchedule } from '@switchyard/routing';
import type { MerchantsContext } from '../context.ts';
import { connectGateway } from '../gateway-accounts/console.ts';
import type { GatewayAccountSettings } from '../gateway-accounts/gateway-fields.ts';
import { createMerchant } from '../merchants/console.ts';

/** Creates a merchant. Returns its id. */
export async function testMerchant(context: MerchantsContext, name = 'Balogun Books'): Promise<string> {
  const outcome = await createMerchant(context, { name, actor: 'system:test' });
  if (outcome.kind !== 'created') throw new Error(`no merchant was created: ${outcome.kind}`);
  return outcome.merchant.id;
}

/** Valid settings of an account, for tests to vary. */
export function testAccount(label = 'paystack-main'): GatewayAccountSettings & { readonly fees: FeeSchedule } {
  return {
    label,
    enabled: true,
    credentials: { secretKey: 'sk_test_0123456789abcdef' },
    currencies: ['NGN'],
    methods: ['CARD', 'TRANSFER'],
    minAmount: 50,
    maxAmount: null,
    fees: { percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 0 },
    baseUrl: null,
  };
}

/** Connects an account in test mode. Returns its id. */
export async function connectTestAccount(context: MerchantsContext, merchantId: string, label?: string): Promise<string> {
  const command = { ...testAccount(label), merchantId, mode: 'test', gateway: 'paystack', actor: 'system:test' } as const;
  const outcome = await connectGateway(context, command);
  if (outcome.kind !== 'connected') throw new Error(`no account was connected: ${outcome.kind}`);
  return outcome.account.id;
}
