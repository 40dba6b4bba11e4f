import { countUnresolvedMoney } from '@switchyard/payments/refunds';
import { countReversals } from '@switchyard/payments/reversals';
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

/**
 * Disputes to answer and money that gateways took back lately: one condition per merchant and mode for each. They are payments for review
 * with a subject of their own, and disputes are critical: unanswered ones are lost.
 */
export async function reversalConditions(
  { resources }: HealthContext,
  { merchantIds, now }: ConditionQuery,
): Promise<Condition[]> {
  const rows = await countReversals(resources.database, merchantIds, now);
  const grouped = Map.groupBy(rows, ({ what, merchantId, mode }) => `${what}|${merchantId}|${mode}`);
  return [...grouped.values()].flatMap((own): Condition[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { what, merchantId, mode } = first;
    const since = earliest(own);
    const amounts = own.map(({ currency, amount, count }) => ({ currency, amount, count }));
    const figures = { count: total(own), amounts, oldestAt: since.toISOString() };
    const due = own.flatMap(({ dueAt }) => dueAt?.getTime() ?? []);
    const dueAt = due.length === 0 ? null : new Date(Math.min(...due)).toISOString();
    const of = { merchantId, mode, kind: 'payment_review', subject: what, since, opens: true } as const;
    if (what === 'disputes') return [{ ...of, severity: 'critical', facts: { of: what, ...figures, dueAt } }];
    return [{ ...of, severity: KINDS.payment_review.severity, facts: { of: what, ...figures } }];
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
