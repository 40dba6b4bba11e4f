import type { MerchantsContext } from '@switchyard/merchants';
import { authenticate } from '@switchyard/merchants/api-keys';
import { issueKey, listKeys, revokeKey } from '@switchyard/merchants/console';
import type { KnownDemo } from './demo-file.ts';
import { type DemoMerchant, demand, SEED_ACTOR } from './demo-merchants.ts';

const KEY_NAME = 'demo';

export interface DemoKeys {
  readonly secretKey: string;
  readonly secondMerchantKey: string;
}

/** Keeps the demo keys that still work; issues new ones for others and revokes the former ones of the seed. */
export async function ensureDemoKeys(
  context: MerchantsContext,
  [first, second]: readonly [DemoMerchant, DemoMerchant],
  known: KnownDemo,
): Promise<DemoKeys> {
  return {
    secretKey: await ensureKey(context, first, known.secretKey),
    secondMerchantKey: await ensureKey(context, second, known.secondMerchantKey),
  };
}

async function ensureKey(context: MerchantsContext, { merchantId }: DemoMerchant, known: string | undefined): Promise<string> {
  if (known !== undefined) {
    const holder = await authenticate(context, `Bearer ${known}`);
    if (holder.kind === 'authenticated' && holder.configuration.merchant.id === merchantId && holder.mode === 'test')
      return known;
  }
  const keys = await listKeys(context, { merchantId, mode: 'test' });
  for (const key of keys.filter(
    ({ name, createdBy, state }) => name === KEY_NAME && createdBy === SEED_ACTOR && state !== 'revoked',
  )) {
    await revokeKey(context, { merchantId, keyId: key.id, actor: SEED_ACTOR });
  }
  const wanted = { merchantId, mode: 'test', name: KEY_NAME, expiresAt: null, actor: SEED_ACTOR } as const;
  return demand(await issueKey(context, wanted), 'issued').secretKey;
}
