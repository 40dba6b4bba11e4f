import { countUnresolvedMoney } from '@switchyard/payments/refunds';
import { countReversals } from '@switchyard/payments/reversals';
import type { HealthContext } from '@switchyard/provider-health';
import { z } from 'zod';
import { type ConditionQuery, type FoundCondition, incidentKind } from './kind.ts';
import { amounts, count, earliest, figuresOf, instant, plural, sumsOf, total } from './words.ts';

const moneyFacts = z.object({ of: z.literal('money'), count, amounts, oldestAt: instant });
/** Amounts of paid payments that gateways took back in the last seven days. */
const reversalFacts = z.object({ of: z.literal('reversals'), count, amounts, oldestAt: instant });

type Found = FoundCondition<z.output<typeof moneyFacts> | z.output<typeof reversalFacts>>;

/** Duplicate charges, stuck refunds and payments for review: one condition per merchant, mode and kind, with count and sums. */
async function findMoney(context: HealthContext, query: ConditionQuery): Promise<Found[]> {
  const rows = await countUnresolvedMoney(context.resources.database, query.merchantIds);
  const grouped = Map.groupBy(rows, ({ kind, merchantId, mode }) => `${kind}|${merchantId}|${mode}`);
  const found = [...grouped.values()].flatMap((own): Found[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { kind, merchantId, mode } = first;
    return [{ merchantId, mode, kind, subject: '', since: earliest(own), facts: { of: 'money', ...summed(own) } }];
  });
  return [...found, ...(await findReversals(context, query))];
}

/** Money that gateways took back lately: one condition per merchant and mode, a payment for review with a subject of its own. */
async function findReversals({ resources }: HealthContext, { merchantIds, now }: ConditionQuery): Promise<Found[]> {
  const rows = await countReversals(resources.database, merchantIds, now);
  const grouped = Map.groupBy(rows, ({ merchantId, mode }) => `${merchantId}|${mode}`);
  return [...grouped.values()].flatMap((own): Found[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { merchantId, mode } = first;
    const facts = { of: 'reversals', ...summed(own) } as const;
    return [{ merchantId, mode, kind: 'payment_review', subject: 'reversals', since: earliest(own), facts }];
  });
}

function summed(rows: readonly { currency: string; amount: string; count: number; oldestAt: Date }[]) {
  return {
    count: total(rows),
    amounts: rows.map((row) => ({ currency: row.currency, amount: row.amount, count: row.count })),
    oldestAt: earliest(rows).toISOString(),
  };
}

/** Payments that were received a second time. */
export const duplicateCharge = incidentKind({
  title: 'Duplicate payments',
  severity: 'warning',
  permission: 'payment:read',
  sendsRecovery: true,
  isOwed: true,
  facts: moneyFacts,
  find: findMoney,
  describe: (facts, { clock, ended }) => ({
    title: plural(facts.count, 'duplicate payment', 'duplicate payments'),
    why: `${plural(facts.count, 'payment was', 'payments were')} received a second time${ended ? '' : ' and not refunded'}: ${sumsOf(facts.amounts)}, the oldest since ${clock.dateAndTimeOf(facts.oldestAt)}.`,
    figures: figuresOf(facts.amounts),
    action: { path: '/refunds', query: { tab: 'duplicates', state: 'OPEN' }, label: 'Refund', needs: 'payment:refund' },
  }),
});

/** Refunds that failed, or that a person has to decide. */
export const refundStuck = incidentKind({
  title: 'Refunds stuck',
  severity: 'warning',
  permission: 'payment:read',
  sendsRecovery: true,
  isOwed: true,
  facts: moneyFacts,
  find: findMoney,
  describe: (facts, { clock, ended }) => ({
    title: `${ended ? plural(facts.count, 'refund was', 'refunds were') : plural(facts.count, 'refund is', 'refunds are')} stuck`,
    why: `${ended ? plural(facts.count, 'refund had', 'refunds had') : plural(facts.count, 'refund has', 'refunds have')} not returned the money: ${sumsOf(facts.amounts)}, the oldest of ${clock.dateAndTimeOf(facts.oldestAt)}.`,
    figures: figuresOf(facts.amounts),
    action: { path: '/refunds', query: { state: 'FAILED,NEEDS_ATTENTION' }, label: 'Fix refunds', needs: 'payment:refund' },
  }),
});

/** Payments that a person has to decide, and those that gateways took back. */
export const paymentReview = incidentKind({
  title: 'Payments for review',
  severity: 'warning',
  permission: 'payment:read',
  sendsRecovery: true,
  isOwed: true,
  facts: z.discriminatedUnion('of', [moneyFacts, reversalFacts]),
  find: findMoney,
  describe(facts, { clock, ended }) {
    const oldest = clock.dateAndTimeOf(facts.oldestAt);
    const figures = figuresOf(facts.amounts);
    if (facts.of === 'reversals') {
      return {
        title: `${plural(facts.count, 'payment was', 'payments were')} reversed`,
        why: `Gateways took back ${sumsOf(facts.amounts)} of ${plural(facts.count, 'paid payment', 'paid payments')} in the last seven days, first on ${oldest}.`,
        figures,
        action: { path: '/payments', query: { reversed: 'true' }, label: 'View payments' },
      };
    }
    const waiting = ended
      ? plural(facts.count, 'payment waited', 'payments waited')
      : plural(facts.count, 'payment waits', 'payments wait');
    return {
      title: `${plural(facts.count, 'payment', 'payments')} for review`,
      why: `${waiting} for a decision, because what was received ${ended ? 'did' : 'does'} not match the order or no gateway ${ended ? 'said' : 'says'} whether it was paid: ${sumsOf(facts.amounts)}, the oldest of ${oldest}.`,
      figures,
      action: { path: '/refunds', query: { tab: 'reviews' }, label: 'Review', needs: 'payment:review' },
    };
  },
});
