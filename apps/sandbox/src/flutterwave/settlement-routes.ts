import { z } from 'zod';
import { newestFirst, type Settlement } from '../ledger/records.ts';
import { type Inbound, json, type Reply } from '../server/router.ts';
import { settleDue } from '../settlements.ts';
import type { ApiContext, ApiRoute, Simulator } from '../simulator.ts';
import { flwRef, problem } from './wire.ts';

/** Flutterwave's calls about settlements, https://developer.flutterwave.com/v3.0/reference/endpoints/settlements. */
export const settlementRoutes: readonly ApiRoute[] = [
  { method: 'GET', pattern: '/v3/settlements', handle: list },
  { method: 'GET', pattern: '/v3/settlements/:id', handle: fetchById },
];

const pageSize = 20;

const listSchema = z.object({
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
});

function list(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = listSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return problem(400, `${String(parsed.error.issues[0]?.path[0] ?? 'query')} is invalid`);
  const { page, from, to } = parsed.data;
  settleDue(simulator, account);
  const all = simulator.ledger
    .settlementsOf(account.id)
    .filter(({ day }) => (from === undefined || day >= from) && (to === undefined || day <= to))
    .sort(newestFirst);
  const data = all
    .slice((page - 1) * pageSize, page * pageSize)
    .map((settlement) => ({ ...present(settlement, account.number), is_local: true, meta: chargesOf(settlement) }));
  const total_pages = Math.ceil(all.length / pageSize);
  const page_info = { total: all.length, current_page: page, total_pages, page_size: pageSize };
  return json(200, { status: 'success', message: 'Settlements fetched', meta: { page_info }, data });
}

function fetchById(request: Inbound, { simulator, account }: ApiContext): Reply {
  const settlement = simulator.ledger.settlementsOf(account.id).find(({ id }) => String(id) === request.params.id);
  if (settlement === undefined) return problem(404, 'Settlement not found');
  const data = {
    ...present(settlement, account.number),
    is_local: 1,
    meta: JSON.stringify(chargesOf(settlement)),
    transactions: settlement.payments
      .filter(({ listed }) => listed)
      .flatMap((payment) => presentPayment(simulator, settlement, payment)),
  };
  return json(200, { status: 'success', message: 'Settlement fetched', data });
}

function present(settlement: Settlement, accountNumber: number): Record<string, unknown> {
  const refunds = settlement.deductions.filter(({ kind }) => kind === 'refund');
  const others = settlement.deductions.filter(({ kind }) => kind !== 'refund');
  const sum = (deductions: Settlement['deductions']) =>
    Number(deductions.reduce((total, { amount }) => total + amount, 0).toFixed(2));
  return {
    id: settlement.id,
    account_id: accountNumber,
    merchant_name: 'Sandbox merchant',
    merchant_email: 'sandbox@example.com',
    settlement_account: '0000000000',
    bank_code: '044',
    transaction_date: settlement.createdAt,
    due_date: `${settlement.day}T00:00:00.000Z`,
    processed_date: `${settlement.day}T00:00:00.000Z`,
    status: 'completed',
    currency: settlement.currency,
    gross_amount: settlement.gross,
    app_fee: settlement.fees,
    merchant_fee: 0,
    chargeback: sum(others),
    refund: sum(refunds),
    stampduty_charge: 0,
    net_amount: settlement.net,
    transaction_count: settlement.payments.length,
    processor_ref: null,
    disburse_ref: `SANDBOX-${settlement.id}`,
    disburse_message: null,
    channel: 'web',
    destination: 'account',
    fx_data: null,
    flag_message: null,
    refund_meta: refunds.map(({ id }) => id),
    chargeback_meta: others.map(({ id }) => id),
    source_bankcode: null,
    created_at: settlement.createdAt,
  };
}

function chargesOf(settlement: Settlement): number[] {
  return settlement.payments.filter(({ listed }) => listed).map(({ chargeId }) => chargeId);
}

function presentPayment(
  { ledger }: Simulator,
  { currency }: Settlement,
  { chargeId, amount, fee }: Settlement['payments'][number],
): Record<string, unknown>[] {
  const found = ledger.charge(chargeId);
  if (found === null) return [];
  const { checkout, charge } = found;
  return [
    {
      customer_email: checkout.email,
      flw_ref: flwRef(charge),
      tx_ref: checkout.reference,
      id: charge.id,
      charged_amount: amount,
      app_fee: fee,
      merchant_fee: 0,
      stampduty_charge: 0,
      settlement_amount: Number((amount - fee).toFixed(2)),
      status: 'successful',
      payment_entity: charge.channel,
      transaction_date: (charge.finishedAt ?? charge.createdAt).slice(0, 10),
      currency,
      card_locale: 'LOCAL',
      rrn: 'N/A',
      subaccount_settlement: 0,
    },
  ];
}
