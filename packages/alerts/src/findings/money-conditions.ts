import { gatewayTitle } from '@switchyard/gateways/names';
import { listUnresolvedRepeats } from '@switchyard/payments/duplicates';
import { countUnresolvedMoney } from '@switchyard/payments/refunds';
import { countReversals, listUnanswered } from '@switchyard/payments/reversals';
import type { HealthContext } from '@switchyard/provider-health';
import { countOpenDiscrepancies } from '@switchyard/reconciliation/discrepancies';
import type { Condition, ConditionQuery } from './finding.ts';
import { KINDS } from './kinds.ts';

/** Duplicate charges, stuck refunds and payments for review: one condition per merchant, mode and kind, with count and sums. */
export async function moneyConditions({ resources }: HealthContext, { merchantIds }: ConditionQuery): Promise<Condition[]> {
  const rows = await countUnresolvedMoney(resources.database, merchantIds);
  const grouped = Map.groupBy(rows, ({ kind, merchantId, mode }) => `${kind}|${merchantId}|${mode}`);
  return [...grouped.values()].flatMap((own): Condition[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { kind, merchantId, mode } = first;
    const since = earliest(own);
    const amounts = own.map(({ currency, amount, count }) => ({ currency, amount, count }));
    const facts = { of: 'money', count: total(own), amounts, oldestAt: since.toISOString() } as const;
    return [{ merchantId, mode, kind, subject: '', severity: KINDS[kind].severity, since, facts, opens: true }];
  });
}

/** Money that gateways took back lately: one condition per merchant and mode, a payment for review with a subject of its own. */
export async function reversalConditions(
  { resources }: HealthContext,
  { merchantIds, now }: ConditionQuery,
): Promise<Condition[]> {
  const rows = await countReversals(resources.database, merchantIds, now);
  const grouped = Map.groupBy(rows, ({ merchantId, mode }) => `${merchantId}|${mode}`);
  return [...grouped.values()].flatMap((own): Condition[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { merchantId, mode } = first;
    const since = earliest(own);
    const amounts = own.map(({ currency, amount, count }) => ({ currency, amount, count }));
    const facts = { of: 'reversals', count: total(own), amounts, oldestAt: since.toISOString() } as const;
    const { severity } = KINDS.payment_review;
    return [{ merchantId, mode, kind: 'payment_review', subject: 'reversals', severity, since, facts, opens: true }];
  });
}

/** How long before it is due a dispute is urgent. */
const DUE_SOON_MS = 4 * 3_600_000;

/** Disputes to answer, a condition each: the time to answer one says nothing of another. */
export async function disputeConditions(
  { resources }: HealthContext,
  { merchantIds, now }: ConditionQuery,
): Promise<Condition[]> {
  const rows = await listUnanswered(resources.database, merchantIds);
  return rows.map(({ merchantId, mode, disputeId, gateway, inLedger, amount, currency, openedAt, dueAt }): Condition => {
    const dueSoonAt = dueAt === null ? null : new Date(dueAt.getTime() - DUE_SOON_MS);
    const isDueSoon = dueSoonAt !== null && dueSoonAt <= now;
    const kind = isDueSoon ? 'dispute_due' : 'dispute_opened';
    const { severity } = KINDS[kind];
    const facts = {
      of: 'dispute',
      disputeId,
      gateway: gatewayTitle(gateway),
      inLedger,
      amount,
      currency,
      dueAt: dueAt?.toISOString() ?? null,
    } as const;
    return { merchantId, mode, kind, subject: disputeId, severity, since: isDueSoon ? dueSoonAt : openedAt, facts, opens: true };
  });
}

/** Orders that were paid again by a new payment, a condition each: which of the two to refund is asked of each customer. */
export async function repeatConditions({ resources }: HealthContext, { merchantIds, now }: ConditionQuery): Promise<Condition[]> {
  const rows = await listUnresolvedRepeats(resources.database, merchantIds, now);
  return rows.map(({ merchantId, mode, foundAt, repeatsId, ...repeat }): Condition => {
    const { severity } = KINDS.repeated_payment;
    const facts = { of: 'repeat', ...repeat } as const;
    return {
      merchantId,
      mode,
      kind: 'repeated_payment',
      // A payment may repeat several.
      subject: `${repeat.paymentId}/${repeatsId}`,
      severity,
      since: foundAt,
      facts,
      opens: true,
    };
  });
}

/** Open discrepancies: one condition per merchant and mode. */
export async function discrepancyConditions({ resources }: HealthContext, { merchantIds }: ConditionQuery): Promise<Condition[]> {
  const rows = await countOpenDiscrepancies(resources.database, merchantIds);
  const grouped = Map.groupBy(rows, ({ merchantId, mode }) => `${merchantId}|${mode}`);
  return [...grouped.values()].flatMap((own): Condition[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { merchantId, mode } = first;
    const since = earliest(own);
    const kinds = own.map(({ kind, count }) => ({ kind, count }));
    const facts = { of: 'discrepancies', count: total(own), kinds, oldestAt: since.toISOString() } as const;
    const { severity } = KINDS.reconciliation_discrepancy;
    return [{ merchantId, mode, kind: 'reconciliation_discrepancy', subject: '', severity, since, facts, opens: true }];
  });
}

function total(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

function earliest(rows: readonly { readonly oldestAt: Date }[]): Date {
  return new Date(Math.min(...rows.map(({ oldestAt }) => oldestAt.getTime())));
}
