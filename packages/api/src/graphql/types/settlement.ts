import { dayText } from '@switchyard/runtime/calendar-days';
import { builder } from '../builder.ts';
import { Account, accountOf } from './account.ts';
import { SettlementLineKind, SettlementStatus } from './enums.ts';

/** GraphQL type of a settlement; read with `report:read` only. */
export const Settlement = builder.prismaObject('Settlement', {
  name: 'Settlement',
  description: "A payout of a gateway to the merchant's bank. Amounts are exact decimals of the main unit.",
  select: { merchantId: true, mode: true, accountId: true, gateway: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: 'report:read' } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the settlement.' }),
    account: t.field({
      type: Account,
      description: 'The gateway account that was paid out.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    reference: t.exposeString('reference', { description: "The gateway's own id or reference." }),
    status: t.expose('status', { type: SettlementStatus, description: 'Its state.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code of its amounts.' }),
    gross: t.field({
      type: 'Decimal',
      description: 'The payments in it, before fees and deductions.',
      select: { gross: true },
      resolve: ({ gross }) => gross.toFixed(),
    }),
    fees: t.field({
      type: 'Decimal',
      description: 'The fees of its payments.',
      select: { fees: true },
      resolve: ({ fees }) => fees.toFixed(),
    }),
    deductions: t.field({
      type: 'Decimal',
      description: 'Taken off beside fees: refunds, chargebacks, stamp duty.',
      select: { deductions: true },
      resolve: ({ deductions }) => deductions.toFixed(),
    }),
    net: t.field({
      type: 'Decimal',
      description: 'Paid out.',
      select: { net: true },
      resolve: ({ net }) => net.toFixed(),
    }),
    settledOn: t.string({
      nullable: true,
      description: 'Day of the payout: YYYY-MM-DD; null until it is known.',
      select: { settledOn: true },
      resolve: ({ settledOn }) => (settledOn === null ? null : dayText(settledOn)),
    }),
    lineCount: t.exposeInt('lineCount', { description: 'The number of its lines.' }),
    explained: t.field({
      type: 'Decimal',
      description: 'Sum of the lines that are matched with a payment, refund or dispute, each without its sign.',
      select: { explained: true },
      resolve: ({ explained }) => explained.toFixed(),
    }),
    unexplained: t.field({
      type: 'Decimal',
      description: 'The same of the other lines, and of what no line accounts for.',
      select: { unexplained: true },
      resolve: ({ unexplained }) => unexplained.toFixed(),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the gateway created it.' }),
  }),
});

/** GraphQL type of a line of a settlement; read with `report:read` only. */
export const SettlementLine = builder.prismaObject('SettlementLine', {
  name: 'SettlementLine',
  description: 'An amount in a settlement, as its gateway has it.',
  select: { merchantId: true, id: true, createdAt: true },
  authScopes: ({ merchantId }) => ({ owner: { merchantId, mode: null, permission: 'report:read' } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the line.' }),
    settlementId: t.exposeID('settlementId', { description: 'Its settlement.' }),
    position: t.exposeInt('position', { description: 'Its place in the settlement, from 0.' }),
    kind: t.expose('kind', { type: SettlementLineKind, description: 'What it is of.' }),
    amount: t.field({
      type: 'Decimal',
      description: 'Exact decimal of the main unit; negative where it takes off the net amount.',
      select: { amount: true },
      resolve: ({ amount }) => amount.toFixed(),
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    reference: t.exposeString('reference', { nullable: true, description: 'Our reference, as the gateway names it.' }),
    transactionId: t.exposeString('transactionId', { nullable: true, description: "The gateway's own id of the transaction." }),
    description: t.exposeString('description', { nullable: true, description: "The gateway's own words for it." }),
    occurredAt: t.expose('occurredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the payment was paid or the refund made, as the gateway reports it.',
    }),
    paymentId: t.exposeID('paymentId', { nullable: true, description: 'The payment that it is matched with.' }),
    refundId: t.exposeID('refundId', { nullable: true, description: 'The refund that it is matched with.' }),
    disputeId: t.exposeID('disputeId', { nullable: true, description: 'The dispute that it is matched with.' }),
    matched: t.boolean({
      description: 'True if it is matched with a payment, refund or dispute.',
      select: { linkedBy: true },
      resolve: ({ linkedBy }) => linkedBy !== null,
    }),
  }),
});
