import { countOpenDiscrepancies } from '@switchyard/reconciliation/discrepancies';
import { z } from 'zod';
import { incidentKind } from './kind.ts';
import { count, earliest, instant, isAre, plural, total } from './words.ts';

/** Open discrepancies: one condition per merchant and mode. */
export const reconciliationDiscrepancy = incidentKind({
  title: 'Reconciliation discrepancies',
  severity: 'warning',
  permission: 'report:read',
  sendsRecovery: true,
  facts: z.object({
    of: z.literal('discrepancies'),
    count,
    kinds: z.array(z.object({ kind: z.string(), count })),
    oldestAt: instant,
  }),
  async find({ resources }, { merchantIds }) {
    const rows = await countOpenDiscrepancies(resources.database, merchantIds);
    const grouped = Map.groupBy(rows, ({ merchantId, mode }) => `${merchantId}|${mode}`);
    return [...grouped.values()].flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const { merchantId, mode } = first;
      const since = earliest(own);
      const kinds = own.map((row) => ({ kind: row.kind, count: row.count }));
      const facts = { of: 'discrepancies' as const, count: total(own), kinds, oldestAt: since.toISOString() };
      return [{ merchantId, mode, kind: 'reconciliation_discrepancy' as const, subject: '', since, facts }];
    });
  },
  describe: (facts, { clock, ended }) => ({
    title: `Statements ${ended ? 'differed' : 'differ'} from our ledger`,
    why: `${plural(facts.count, 'discrepancy', 'discrepancies')} between our ledger and the gateways' statements ${isAre(facts.count, ended)} open ${ended ? 'from' : 'since'} ${clock.dateAndTimeOf(facts.oldestAt)}.`,
    figures: facts.kinds.map((one) => ({ label: WORDS[one.kind] ?? one.kind, value: String(one.count) })),
    action: { path: '/reconciliation', query: {}, label: 'Resolve', needs: 'reconciliation:resolve' },
  }),
});

const WORDS: Readonly<Record<string, string>> = {
  MISSING_HERE: 'Not in our ledger',
  MISSING_THERE: 'Not in the statement',
  STATUS: 'Status differs',
  CURRENCY: 'Currency differs',
  AMOUNT: 'Amount differs',
};
