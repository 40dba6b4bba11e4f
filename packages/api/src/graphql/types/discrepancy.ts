import { builder } from '../builder.ts';
import { Account, accountOf } from './account.ts';
import { DiscrepancyKind, DiscrepancyState } from './enums.ts';

/** GraphQL type of a reconciliation discrepancy; read with `report:read` only. */
export const Discrepancy = builder.prismaObject('ReconciliationDiscrepancy', {
  name: 'ReconciliationDiscrepancy',
  description: "A mismatch between a gateway's statement and the ledger, found by reconciliation.",
  select: { merchantId: true, mode: true, accountId: true, gateway: true, day: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: 'report:read' } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the discrepancy.' }),
    account: t.field({
      type: Account,
      description: 'The gateway account that was reconciled.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    day: t.string({
      description: 'The day that was reconciled: YYYY-MM-DD.',
      resolve: ({ day }) => day.toISOString().slice(0, 10),
    }),
    kind: t.expose('kind', { type: DiscrepancyKind, description: 'How they differ.' }),
    state: t.expose('state', { type: DiscrepancyState, description: 'Its state.' }),
    paymentId: t.exposeID('paymentId', { nullable: true, description: 'The payment it is about, where the ledger has one.' }),
    reference: t.exposeString('reference', { nullable: true, description: 'The reference sent to the gateway.' }),
    transactionId: t.exposeString('transactionId', { nullable: true, description: "The gateway's own id of the transaction." }),
    ledger: t.expose('ledger', { type: 'JSON', nullable: true, description: "The ledger's entry; null where it has none." }),
    statement: t.expose('statement', {
      type: 'JSON',
      nullable: true,
      description: "The statement's entry; null where it has none.",
    }),
    note: t.exposeString('note', { nullable: true, description: "The owner's note." }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was found.' }),
  }),
});
