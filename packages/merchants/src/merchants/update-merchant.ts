import type { Merchant } from '@switchyard/db/client';
import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import type { MerchantsContext } from '../context.ts';
import { merchantForAudit } from './create-merchant.ts';
import { merchantChangesSchema } from './merchant-fields.ts';
import { findMerchantRow, updateMerchantRow } from './queries.ts';

/** Asks to change a merchant's profile. */
export interface UpdateMerchantCommand {
  readonly merchantId: string;
  /** Omitted fields stay unchanged. */
  readonly changes: Partial<
    Pick<Merchant, 'name' | 'defaultRedirectUrl' | 'sessionMinutes' | 'refundDuplicates' | 'agentsMayWriteLive'>
  >;
  readonly actor: string;
}

/** Result of changing a merchant, or the reason why it was refused. */
export type UpdateMerchantOutcome =
  | { readonly kind: 'updated'; readonly merchant: Merchant }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'not_found' };

/** Changes a merchant's own settings, for new payments at once. */
export async function updateMerchant(context: MerchantsContext, command: UpdateMerchantCommand): Promise<UpdateMerchantOutcome> {
  const parsed = merchantChangesSchema.safeParse(command.changes);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { merchantId } = command;
  return changeConfiguration<UpdateMerchantOutcome>(context, command, async (transaction, now) => {
    const before = await findMerchantRow(transaction, merchantId);
    if (before === null) return { outcome: { kind: 'not_found' }, audit: null };
    const merchant = await updateMerchantRow(transaction, merchantId, parsed.data, now);

    return {
      outcome: { kind: 'updated', merchant },
      audit: {
        action: 'merchant.updated',
        objectType: 'merchant',
        objectId: merchantId,
        before: merchantForAudit(before),
        after: merchantForAudit(merchant),
      },
    };
  });
}
