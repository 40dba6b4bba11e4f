import { dayText } from '@switchyard/runtime/calendar-days';
import { builder } from '../builder.ts';
import { Account, accountOf } from './account.ts';
import { SettlementStatus } from './enums.ts';

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
