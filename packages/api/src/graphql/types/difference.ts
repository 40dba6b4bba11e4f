import { builder } from '../builder.ts';
import { Account, accountOf } from './account.ts';
import { DifferenceKind, DifferenceState } from './enums.ts';

export const Difference = builder.prismaObject('ReconciliationDiscrepancy', {
  name: 'ReconciliationDifference',
  description: "One thing on which a gateway's list and our books do not agree.",
  select: { merchantId: true, mode: true, accountId: true, gateway: true, day: true },
  authScopes: ({ merchantId, mode }) => ({ owner: { merchantId, mode, permission: 'report:read' } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the difference.' }),
    account: t.field({
      type: Account,
      description: 'The account whose day was compared.',
      resolve: ({ accountId, gateway }, _args, { switchyard }) => accountOf(switchyard, accountId, gateway),
    }),
    day: t.string({
      description: 'The day that was compared: YYYY-MM-DD.',
      resolve: ({ day }) => day.toISOString().slice(0, 10),
    }),
    kind: t.expose('kind', { type: DifferenceKind, description: 'How they differ.' }),
    state: t.expose('state', { type: DifferenceState, description: 'Whether somebody has dealt with it.' }),
    paymentId: t.exposeID('paymentId', { nullable: true, description: 'The payment it is about, where we have one.' }),
    reference: t.exposeString('reference', { nullable: true, description: 'Our reference at the gateway.' }),
    transactionId: t.exposeString('transactionId', { nullable: true, description: "The gateway's own id of the transaction." }),
    ours: t.expose('ledger', { type: 'JSON', nullable: true, description: 'What our books say.' }),
    theirs: t.expose('statement', { type: 'JSON', nullable: true, description: "What the gateway's list says." }),
    note: t.exposeString('note', { nullable: true, description: 'What its owner wrote.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was found.' }),
  }),
});
