import { NIL_ID } from '@switchyard/db';
import { disputeNoun } from '@switchyard/disputes/lists';
import { type ExportedList, exported } from '@switchyard/nouns/exported-list';
import { duplicateChargeNoun, payments, refundNoun } from '@switchyard/payments/lists';
import { discrepancyNoun } from '@switchyard/reconciliation/discrepancy-noun';
import { feeNoun } from '@switchyard/settlements/fees';
import { settlementDiscrepancyNoun, settlementLineNoun, settlementNoun } from '@switchyard/settlements/nouns';
import { merchantsWhere, type Permission, type StaffSession } from '@switchyard/staff/permissions';
import { deliveryNoun } from '@switchyard/webhooks/delivery-noun';
import type { SchedulesContext } from './context.ts';

/** Every exportable list by its name in the URL. Each takes the filter of its page. */
export const LISTS: Readonly<Record<string, ExportedList<Permission>>> = {
  payments: exported(payments),
  refunds: exported(refundNoun),
  'duplicate-charges': exported(duplicateChargeNoun),
  discrepancies: exported(discrepancyNoun),
  disputes: exported(disputeNoun),
  settlements: exported(settlementNoun),
  'settlement-lines': exported(settlementLineNoun),
  'settlement-discrepancies': exported(settlementDiscrepancyNoun),
  fees: exported(feeNoun),
  'webhook-deliveries': exported(deliveryNoun),
};

/** The merchants of a schedule that a person may export the list of: of one, or of all for the nil UUID. */
export function reachedMerchants(
  { resources }: { readonly resources: Pick<SchedulesContext['resources'], 'configuration'> },
  person: Pick<StaffSession, 'grants'>,
  { merchantId, list }: { readonly merchantId: string; readonly list: Pick<ExportedList<Permission>, 'permission'> },
): string[] {
  const known = resources.configuration.merchants().map(({ merchant }) => merchant.id);
  const named = merchantId === NIL_ID ? known : known.filter((id) => id === merchantId);
  return merchantsWhere(person, list.permission, merchantsWhere(person, 'report:export', named));
}
