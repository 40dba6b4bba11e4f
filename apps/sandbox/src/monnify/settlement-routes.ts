import { z } from 'zod';
import type { Settlement } from '../ledger/records.ts';
import type { Inbound, Reply } from '../server/router.ts';
import type { ApiContext, ApiRoute, Simulator } from '../simulator.ts';
import { invalid, pageOf, presentTransaction, problem } from './wire.ts';

/** Monnify's calls about settlements: the transactions of one, by the reference that its webhook has. No call lists settlements. */
export const settlementRoutes: readonly ApiRoute[] = [
  { method: 'GET', pattern: '/api/v1/transactions/find-by-settlement-reference', handle: transactions },
];

const querySchema = z.object({
  reference: z.string().min(1),
  page: z.coerce.number().int().min(0).max(1_000_000).default(0),
  size: z.coerce.number().int().min(1).max(100).default(10),
});

function transactions(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = querySchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return invalid(parsed.error);
  const { reference, ...page } = parsed.data;
  const settlement = simulator.ledger.settlementsOf(account.id).find((each) => settlementReference(each) === reference);
  if (settlement === undefined) return problem(404, 'There is no settlement with the specified reference');
  return pageOf(settledRows(simulator, settlement), page);
}

/** The payments of a settlement with the amounts that are in it. */
export function settledRows(simulator: Simulator, settlement: Settlement): readonly Record<string, unknown>[] {
  return settlement.payments.flatMap(({ checkoutId, amount, fee, listed }) => {
    const checkout = simulator.ledger.checkout(checkoutId);
    if (checkout === null || !listed) return [];
    const amounts = {
      amountPaid: amount.toFixed(2),
      totalPayable: amount.toFixed(2),
      settlementAmount: (amount - fee).toFixed(2),
    };
    return [{ ...presentTransaction(simulator, checkout), ...amounts }];
  });
}

/** Monnify's reference of a settlement. */
export function settlementReference({ id }: Settlement): string {
  return `SBX${id}`;
}
