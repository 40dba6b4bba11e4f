import {
  accountMappingSchema,
  changeAccountingSetting,
  makeJournalFiles,
  readAccountingSetting,
  summariseJournal,
} from '@switchyard/accounting/journal';
import { dayText } from '@switchyard/db/moments';
import { gatewayTitle } from '@switchyard/gateways';
import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import { z } from 'zod';
import { actorOf, changed } from './discrepancy-changes.ts';
import { SOFTWARE } from './entered-fields.ts';
import { oneMerchant, scope, timeZone } from './inputs.ts';
import { permitted, router } from './procedure.ts';

const reading = permitted('report:read');
const DAYS_MAX = 400;

/** Days, both inclusive. */
const period = z
  .object({ from: dayText, to: dayText })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'must not be before the first day' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < DAYS_MAX * 86_400_000, {
    path: ['to'],
    error: `must be at most ${DAYS_MAX} days after the first`,
  });

/** tRPC procedures of journals for accounting software, and of the accounts that they post to. */
export const journal = router({
  /** How a merchant's books are kept, with its gateway accounts. */
  setting: reading.input(scope).query(async ({ ctx, input }) => {
    const merchantId = oneMerchant(ctx, input.merchantId);
    const { configuration, database } = ctx.switchyard.resources;
    const accounts = configuration.merchant(merchantId)?.accounts.filter(({ mode }) => mode === input.mode) ?? [];
    return {
      ...(await readAccountingSetting(database, { ...input, merchantId })),
      accounts: accounts.map(({ id, label, gateway, currencies }) => {
        return { accountId: id, accountLabel: label, gatewayTitle: gatewayTitle(gateway), currencies };
      }),
    };
  }),
  changeSetting: permitted('accounting:configure')
    .input(scope.extend({ timeZone, mapping: accountMappingSchema }))
    .mutation(async ({ ctx, input: { merchantId, mode, ...setting } }) => {
      const books = { merchantId: oneMerchant(ctx, merchantId), mode };
      const outcome = await changeAccountingSetting(ctx.switchyard, books, setting, actorOf(ctx));
      return changed(outcome, 'There is no such merchant, or you have no access to it.');
    }),
  /** The debits and credits of a period by account of the books. */
  summary: reading.input(scope.and(period)).query(({ ctx, input: { merchantId, mode, from, to } }) => {
    const books = { merchantId: oneMerchant(ctx, merchantId), mode };
    return inSnapshot(ctx.switchyard, ({ resources }) => summariseJournal(resources.database, books, { from, to }));
  }),
  /** Files of a period to import into accounting software, or the reason why there are none. */
  files: permitted('report:export')
    .input(scope.extend({ software: z.enum(SOFTWARE), currency: z.string().regex(/^[A-Z]{3}$/) }).and(period))
    .query(({ ctx, input: { merchantId, mode, ...wanted } }) => {
      return makeJournalFiles(ctx.switchyard, { merchantId: oneMerchant(ctx, merchantId), mode }, wanted);
    }),
});
