import { type JournalSummary, summariseJournal } from '@switchyard/accounting/journal-summary';
import { builder } from '../builder.ts';
import { day, toId, uuid } from '../inputs.ts';
import { requestedMerchants } from '../requested-merchants.ts';
import { Account, accountOf } from '../types/account.ts';
import { Mode } from '../types/enums.ts';
import { daysOf } from './periods.ts';

const PERMISSION = 'report:read';

const Posted = builder.objectRef<JournalSummary['accounts'][number]>('JournalAccount').implement({
  description: 'Sums of one account of the books. Amounts are exact decimals of the main unit.',
  fields: (t) => ({
    posting: t.string({
      description: 'sales, refunds, fees, stamp_duty, chargebacks, adjustments, bank, or clearing of a gateway account.',
      resolve: ({ to }) => to.posting,
    }),
    account: t.field({
      type: Account,
      nullable: true,
      description: 'The gateway account of a clearing account; null for the others.',
      resolve: ({ to }, _args, { switchyard }) => {
        if (to.posting !== 'clearing') return null;
        const { configuration } = switchyard.resources;
        return accountOf(switchyard, to.accountId, configuration.account(to.accountId)?.account.gateway ?? '');
      },
    }),
    debit: t.expose('debit', { type: 'Decimal', description: 'Its debits.' }),
    credit: t.expose('credit', { type: 'Decimal', description: 'Its credits.' }),
  }),
});

/** The double entries of a period, or of what arrived late. */
export const Journal = builder.objectRef<JournalSummary>('Journal').implement({
  description: 'Double entries in one currency: one for each day and gateway account.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    entries: t.exposeInt('entries', { description: 'The number of entries.' }),
    debit: t.expose('debit', { type: 'Decimal', description: 'All debits.' }),
    credit: t.expose('credit', { type: 'Decimal', description: 'All credits: the same.' }),
    accounts: t.field({ type: [Posted], description: 'By account of the books.', resolve: ({ accounts }) => [...accounts] }),
  }),
});

const Filter = builder.inputType('JournalFilter', {
  description: "Days of a merchant's books, in the time zone that they are kept in.",
  fields: (t) => ({
    mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
    merchantId: t.id({ required: true, description: 'The merchant.', validate: uuid }),
    from: t.string({ required: true, description: 'First day, YYYY-MM-DD.', validate: day }),
    to: t.string({ required: true, description: 'Last day, at most 397 days later.', validate: day }),
  }),
});

builder.queryField('journal', (t) =>
  t.field({
    type: [Journal],
    description:
      'What a period posts to the books of a merchant, by currency. Closed months are posted as they were frozen: what arrived later is in `lateJournals` of `monthClose`.',
    authScopes: { permission: PERMISSION },
    complexity: { field: 100, multiplier: 10 },
    args: { filter: t.arg({ type: Filter, required: true, description: 'Which days of which books.' }) },
    resolve: async (_root, { filter }, { reports, viewer }) => {
      const { mode } = filter;
      const [merchantId = ''] = requestedMerchants(viewer, PERMISSION, { mode, merchantIds: [toId(filter.merchantId)] });
      return [...(await summariseJournal(reports, { merchantId, mode }, daysOf(filter)))];
    },
  }),
);
