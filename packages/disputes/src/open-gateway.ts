import type { PaymentsContext } from '@switchyard/payments/context';
import type { OpenAccount } from '@switchyard/runtime';

/** An account of a merchant. */
export interface AccountKey {
  readonly merchantId: string;
  readonly accountId: string;
}

/** A merchant's account with its gateway; null without credentials. Throws `UnavailableError` where a fault of ours is in the way. */
export async function openGateway(
  { resources }: PaymentsContext,
  { merchantId, accountId }: AccountKey,
): Promise<OpenAccount | null> {
  await resources.configuration.ready();
  const known = resources.configuration.account(accountId);
  if (known === undefined || known.merchant.merchant.id !== merchantId) return null;
  return resources.openAccount(known.account);
}
