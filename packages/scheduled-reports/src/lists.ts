import { disputeNoun } from '@switchyard/disputes/lists';
import { type ExportedList, exported } from '@switchyard/nouns/exported-list';
import { duplicateChargeNoun, payments, refundNoun } from '@switchyard/payments/lists';
import { discrepancyNoun } from '@switchyard/reconciliation/discrepancy-noun';
import { feeNoun } from '@switchyard/settlements/fees';
import { settlementDiscrepancyNoun, settlementLineNoun, settlementNoun } from '@switchyard/settlements/nouns';
import type { Permission } from '@switchyard/staff/permissions';
import { deliveryNoun } from '@switchyard/webhooks/delivery-noun';

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
