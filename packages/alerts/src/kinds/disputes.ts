import { gatewayTitle } from '@switchyard/gateways';
import { listUnanswered } from '@switchyard/payments/reversals';
import type { HealthContext } from '@switchyard/provider-health';
import { formatMoney } from '@switchyard/routing';
import { z } from 'zod';
import { type ConditionQuery, type FindingText, type FoundCondition, incidentKind, type Reader } from './kind.ts';
import { instant } from './words.ts';

/** A dispute to answer. `dueAt` is null where neither the gateway nor a rule names a date. */
const disputeFacts = z.object({
  of: z.literal('dispute'),
  disputeId: z.string(),
  gateway: z.string(),
  /** False of a payment that another software took at the account. */
  inLedger: z.boolean().default(true),
  amount: z.string(),
  currency: z.string(),
  dueAt: instant.nullable(),
});
type DisputeFacts = z.output<typeof disputeFacts>;

/** How long before it is due a dispute is urgent. */
const DUE_SOON_MS = 4 * 3_600_000;

/** Disputes to answer, a condition each: the time to answer one says nothing of another. */
async function findDisputes(
  { resources }: HealthContext,
  { merchantIds, now }: ConditionQuery,
): Promise<FoundCondition<DisputeFacts>[]> {
  const rows = await listUnanswered(resources.database, merchantIds);
  return rows.map(({ merchantId, mode, gateway, openedAt, dueAt, disputeId, inLedger, amount, currency }) => {
    const dueSoonAt = dueAt === null ? null : new Date(dueAt.getTime() - DUE_SOON_MS);
    const isDueSoon = dueSoonAt !== null && dueSoonAt <= now;
    return {
      merchantId,
      mode,
      kind: isDueSoon ? 'dispute_due' : 'dispute_opened',
      subject: disputeId,
      since: isDueSoon ? dueSoonAt : openedAt,
      facts: {
        of: 'dispute',
        disputeId,
        gateway: gatewayTitle(gateway),
        inLedger,
        amount,
        currency,
        dueAt: dueAt?.toISOString() ?? null,
      },
    };
  });
}

/** A dispute to answer. */
export const disputeOpened = incidentKind({
  title: 'Dispute opened',
  severity: 'warning',
  permission: 'payment:read',
  // Answering it, and its last hours, end this without anything to send.
  sendsRecovery: false,
  facts: disputeFacts,
  find: findDisputes,
  describe: describeDispute,
});

/** A dispute whose time to answer is nearly over. */
export const disputeDue = incidentKind({
  title: 'Dispute due within 4 hours',
  severity: 'critical',
  permission: 'payment:read',
  sendsRecovery: true,
  facts: disputeFacts,
  find: findDisputes,
  describe: describeDispute,
});

function describeDispute(facts: DisputeFacts, { clock, ended }: Reader): FindingText {
  const { disputeId, gateway, inLedger, amount, currency, dueAt } = facts;
  const sum = formatMoney(currency, amount);
  const due = dueAt === null ? 'No due date is known.' : `Respond by ${clock.dateAndTimeOf(dueAt)}.`;
  return {
    title: `${sum} disputed at ${gateway}`,
    why: `A customer ${ended ? 'disputed' : 'disputes'} ${sum} of a payment at ${gateway}${inLedger ? '' : ' that is not in the ledger'}.${ended ? '' : ` ${due} Without a response, the customer is refunded.`}`,
    figures: [
      { label: 'Amount', value: sum },
      { label: 'Due', value: dueAt === null ? '–' : clock.dateAndTimeOf(dueAt) },
    ],
    action: { path: `/disputes/${disputeId}`, query: {}, label: 'Respond', needs: 'reconciliation:resolve' },
  };
}
