import { z } from 'zod';
import { GATEWAYS, type GatewayName } from '../../harness/gateways.ts';
import { hasFeesInLists } from '../checker/check-money.ts';
import type { PlantedDifference } from '../checker/observations.ts';
import type { Plan } from '../plan/plan.ts';
import { drawsFor } from '../plan/rng.ts';
import type { World } from '../servers/open-world.ts';
import type { Host } from './inject-faults.ts';

/** Differences that were planted, and what takes back those of our own payments. */
export interface PlantedDifferences {
  readonly differences: readonly PlantedDifference[];
  undo(): Promise<void>;
}

export const NO_DIFFERENCES: PlantedDifferences = { differences: [], undo: async () => undefined };

/**
 * Attempts of today, by the days that are compared, whose payment has no other and is as it was: nothing but what is planted can make a
 * difference. Clocks of processes are wrong by up to ten minutes, so that the first quarter of an hour of a day is left out.
 */
const CANDIDATES = `
SELECT attempt.account_id, attempt.gateway, attempt.reference, payment.merchant_order_id, payment.status
FROM attempt JOIN payment ON payment.id = attempt.payment_id
WHERE payment.status IN ('SUCCESS', 'FAILED') AND payment.review IS NULL AND attempt.state <> 'REFUSED'
  AND ((attempt.created_at - interval '15 minutes') AT TIME ZONE 'Africa/Lagos')::date = (now() AT TIME ZONE 'Africa/Lagos')::date
  AND (SELECT count(*) FROM attempt AS other WHERE other.payment_id = payment.id) = 1
  AND NOT EXISTS (SELECT FROM refund WHERE refund.payment_id = payment.id)
ORDER BY attempt.account_id, attempt.reference`;
const candidateSchema = z.object({
  account_id: z.string(),
  gateway: z.enum(GATEWAYS),
  reference: z.string(),
  merchant_order_id: z.string(),
  status: z.enum(['SUCCESS', 'FAILED']),
});
type Candidate = z.output<typeof candidateSchema>;

const accountSchema = z.object({ gateway: z.enum(GATEWAYS), account_id: z.string() });
const FOREIGN_NAIRA = 1_000;

/**
 * Makes gateways' lists differ from our records in each way that comparisons look for: money of another system on an account of ours, a payment
 * that lists have and look-ups and webhooks do not, another amount, and a payment that the gateway has lost. Which ones, the seed decides.
 */
export async function plantDifferences(plan: Plan, { simulators }: World, host: Host): Promise<PlantedDifferences> {
  const draws = drawsFor(plan.seed, 'differences');
  const planned = new Map(plan.payments.map((payment) => [payment.merchantOrderId, payment]));
  const rows = draws.shuffled((await host.rows(CANDIDATES)).map((row) => candidateSchema.parse(row)));
  const of = ({ merchant_order_id: order }: Candidate) => planned.get(order);
  const paid = rows.filter((each) => {
    const payment = of(each);
    const isPlain = payment?.customer === 'pays_by_card' || payment?.customer === 'pays_by_transfer';
    // A list that has another amount, or lacks the payment, has another fee as well.
    const isOfList = hasFeesInLists(each.gateway);
    return each.status === 'SUCCESS' && isPlain && payment?.refund === 'none' && payment.later === 'nothing' && !isOfList;
  });
  const unpaid = rows.filter((each) => each.status === 'FAILED' && of(each)?.customer === 'walks_away');
  const differences: PlantedDifference[] = [];
  const undoing: (() => Promise<void>)[] = [];
  const plant = (finds: PlantedDifference['finds'], gateway: GatewayName, accountId: string, reference: string): void => {
    host.note(`${gateway}: ${reference} makes a difference, ${finds}`);
    differences.push({ finds, gateway, accountId, reference, at: Date.now() });
  };
  const alter = async (
    finds: PlantedDifference['finds'],
    { gateway, account_id: accountId, reference }: Candidate,
    changes: Parameters<typeof simulators.alter>[2],
    back: Parameters<typeof simulators.alter>[2],
  ): Promise<void> => {
    await simulators.alter(gateway, reference, changes);
    undoing.push(() => simulators.alter(gateway, reference, back));
    plant(finds, gateway, accountId, reference);
  };

  const used = (await host.rows('SELECT DISTINCT gateway, account_id FROM attempt ORDER BY account_id')).map((row) =>
    accountSchema.parse(row),
  );
  const [foreign] = draws.shuffled(used);
  if (foreign !== undefined) {
    const reference = `walk-in-${plan.seed}`;
    await simulators.payElsewhere(foreign.gateway, foreign.account_id, { reference, naira: FOREIGN_NAIRA });
    plant('MISSING_HERE', foreign.gateway, foreign.account_id, reference);
  }
  const [unseen] = unpaid;
  const [dearer, lost] = paid;
  if (unseen !== undefined) {
    await alter('STATUS', unseen, { status: 'success', listedOnly: true }, { status: 'abandoned', listedOnly: false });
  }
  const amount = dearer === undefined ? undefined : of(dearer)?.amount;
  if (dearer !== undefined && amount !== undefined) await alter('AMOUNT', dearer, { naira: amount + 1 }, { naira: amount });
  if (lost !== undefined) await alter('MISSING_THERE', lost, { hidden: true }, { hidden: false });
  return {
    differences,
    async undo() {
      for (const back of undoing) await back();
    },
  };
}
