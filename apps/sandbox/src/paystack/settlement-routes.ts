import { z } from 'zod';
import { newestFirst, type Settlement } from '../ledger/records.ts';
import { type Inbound, json, type Reply } from '../server/router.ts';
import { settleDue } from '../settlements.ts';
import type { ApiContext, ApiRoute } from '../simulator.ts';
import { domainOf, presentTransaction, problem } from './wire.ts';

/** Paystack's calls about settlements, https://paystack.com/docs/api/settlement/. */
export const settlementRoutes: readonly ApiRoute[] = [
  { method: 'GET', pattern: '/settlement', handle: list },
  { method: 'GET', pattern: '/settlement/:id/transactions', handle: transactions },
];

const time = z.iso.datetime({ offset: true }).or(z.iso.date());

const pageSchema = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  perPage: z.coerce.number().int().min(1).max(100).default(50),
});

const listSchema = pageSchema.extend({
  status: z.enum(['success', 'processing', 'pending', 'failed']).optional(),
  subaccount: z.string().optional(),
  from: time.optional(),
  to: time.optional(),
});

/** Filtered by the day of the payout. Every settlement is paid, and none is a subaccount's. */
function list(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = listSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return invalidQuery();
  const { page, perPage, status = 'success', subaccount = 'none', from, to } = parsed.data;
  settleDue(simulator, account);
  const all = simulator.ledger
    .settlementsOf(account.id)
    .filter(({ day }) => from === undefined || Date.parse(day) >= Date.parse(from))
    .filter(({ day }) => to === undefined || Date.parse(day) <= Date.parse(to))
    .filter(() => status === 'success' && subaccount === 'none')
    .sort(newestFirst);
  const data = all.slice((page - 1) * perPage, page * perPage).map((settlement) => ({
    id: settlement.id,
    domain: domainOf(account),
    status: 'success',
    currency: settlement.currency,
    integration: account.number,
    total_amount: settlement.gross - settlement.fees,
    effective_amount: settlement.net,
    total_fees: settlement.fees,
    total_processed: settlement.gross,
    deductions: null,
    settlement_date: `${settlement.day}T00:00:00.000Z`,
    settled_by: null,
    createdAt: settlement.createdAt,
    updatedAt: settlement.createdAt,
  }));
  return json(200, { status: true, message: 'Settlements retrieved', data, meta: metaOf(all.length, page, perPage) });
}

/** The transactions whole, with the amount and the fee that are in the settlement. */
function transactions(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = pageSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return invalidQuery();
  const settlement = simulator.ledger.settlementsOf(account.id).find(({ id }) => String(id) === request.params.id);
  if (settlement === undefined)
    return problem(404, 'Settlement not found', 'not_found', 'Pass the id of one of your settlements');
  const { page, perPage } = parsed.data;
  const listed = settlement.payments.filter((payment) => payment.listed);
  const data = listed.slice((page - 1) * perPage, page * perPage).flatMap((payment) => {
    const checkout = simulator.ledger.checkout(payment.checkoutId);
    return checkout === null
      ? []
      : [{ ...presentTransaction(simulator, account, checkout), amount: payment.amount, fees: payment.fee }];
  });
  const meta = { ...metaOf(listed.length, page, perPage), total_volume: volumeOf(listed) };
  return json(200, { status: true, message: 'Transactions retrieved', data, meta });
}

function volumeOf(payments: Settlement['payments']): number {
  return payments.reduce((sum, { amount }) => sum + amount, 0);
}

function metaOf(total: number, page: number, perPage: number) {
  return { total, skipped: (page - 1) * perPage, perPage, page, pageCount: Math.ceil(total / perPage) };
}

function invalidQuery(): Reply {
  return problem(400, 'Invalid query', 'invalid_params', 'page and perPage count from 1, perPage to 100; from and to are dates');
}
