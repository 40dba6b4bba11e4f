import type { Database } from '@switchyard/db';
import { countWaitingMoney } from '@switchyard/payments/refunds';
import { countOpenDiscrepancies } from '@switchyard/reconciliation';
import type { Condition } from '../incidents/decide-incidents.ts';
import { KINDS } from '../incidents/kinds.ts';

/** Duplicate charges, stuck refunds and payments for review: one condition per merchant, mode and kind, with count and sums. */
export async function moneyConditions(database: Database): Promise<Condition[]> {
  const rows = await countWaitingMoney(database);
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

/** Open discrepancies: one condition per merchant and mode. */
export async function discrepancyConditions(database: Database): Promise<Condition[]> {
  const rows = await countOpenDiscrepancies(database);
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
