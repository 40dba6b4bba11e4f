import type { Merchant } from '@switchyard/db/client';
import type { PaymentsContext } from '../context.ts';

/** The merchant a payment belongs to, as configured now. Throws when there is none: payments never outlive their merchant. */
export async function merchantOf({ resources }: PaymentsContext, merchantId: string): Promise<Merchant> {
  const { configuration } = resources;
  const known = configuration.merchant(merchantId);
  if (known !== undefined) return known.merchant;
  // Another process may have just created the merchant.
  await configuration.refresh();
  const found = configuration.merchant(merchantId);
  if (found === undefined) throw new Error(`merchant ${merchantId} is not on record`);
  return found.merchant;
}
