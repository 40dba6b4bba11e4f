import { momentValue } from '@switchyard/db/moments';
import { gatewayTitle } from '@switchyard/gateways';
import { type AddContractOutcome, addContract } from '@switchyard/merchants/console/fee-contracts';
import { feeScheduleSchema } from '@switchyard/routing/stored-inputs';
import { explainPaymentFee, listPaymentFees } from '@switchyard/settlements/console';
import { bandAt, feeNoun, readFeeMonths, readFeeRates, readFeeSums } from '@switchyard/settlements/fees';
import { z } from 'zod';
import { foundOrThrow, oneMerchant, pageInputAfter } from './inputs.ts';
import { listedMerchants, permitted, router } from './procedure.ts';

const reading = permitted('report:read');

/** tRPC procedures of fees: contracts, and what was charged. */
export const fees = router({
  /** The accounts with their contracts, the earliest first. */
  contracts: permitted('gateway:read')
    .input(feeNoun.filter.pick({ merchantIds: true, mode: true }))
    .query(({ ctx, input: { merchantIds, mode } }) => {
      const { configuration } = ctx.switchyard.resources;
      const merchants = listedMerchants(ctx, merchantIds).flatMap((id) => configuration.merchant(id) ?? []);
      return merchants.flatMap(({ merchant, accounts, feeContracts }) =>
        accounts
          .filter((account) => account.mode === mode)
          .map(({ id, label, gateway, methods, currencies }) => ({
            merchantId: merchant.id,
            merchantName: merchant.name,
            accountId: id,
            accountLabel: label,
            gateway,
            gatewayTitle: gatewayTitle(gateway),
            methods,
            currency: currencies[0] ?? 'NGN',
            contracts: feeContracts.filter(({ accountId }) => accountId === id),
          })),
      );
    }),
  /** Adds a contract of an account from a day on; a null schedule ends the one that applies. */
  addContract: permitted('fee:configure')
    .input(
      z.object({
        merchantId: z.uuid().toLowerCase(),
        accountId: z.uuid().toLowerCase(),
        schedule: feeScheduleSchema.nullable(),
        appliesFrom: z.string().max(20),
        tolerance: z.string().max(40),
        note: z.string().max(1_000).nullable(),
      }),
    )
    .mutation(({ ctx, input }): Promise<AddContractOutcome> => {
      const merchantId = oneMerchant(ctx, input.merchantId);
      return addContract(ctx.switchyard, { ...input, merchantId, actor: `staff:${ctx.session.staffId}` });
    }),
  /** Expected and charged fees, by currency. */
  sums: reading.input(feeNoun.filter).query(({ ctx, input }) => {
    return readFeeSums(ctx.switchyard.resources.database, { ...input, merchantIds: listedMerchants(ctx, input.merchantIds) });
  }),
  /** The same by account, month and currency. */
  months: reading.input(feeNoun.filter).query(async ({ ctx, input }) => {
    const { database, configuration } = ctx.switchyard.resources;
    const months = await readFeeMonths(database, { ...input, merchantIds: listedMerchants(ctx, input.merchantIds) });
    return months.map((month) => ({
      ...month,
      accountLabel: configuration.account(month.accountId)?.account.label ?? '',
      merchantName: configuration.merchant(month.merchantId)?.merchant.name ?? '',
    }));
  }),
  /** Effective rates by account, method and band of amounts. */
  rates: reading.input(feeNoun.filter).query(async ({ ctx, input }) => {
    const { database, configuration } = ctx.switchyard.resources;
    const rates = await readFeeRates(database, { ...input, merchantIds: listedMerchants(ctx, input.merchantIds) });
    return rates.map(({ band, ...rate }) => ({
      ...rate,
      band: bandAt(band),
      accountLabel: configuration.account(rate.accountId)?.account.label ?? '',
      merchantName: configuration.merchant(rate.merchantId)?.merchant.name ?? '',
    }));
  }),
  /** A page of fees, the payments that were paid last first. */
  list: reading
    .input(pageInputAfter(feeNoun.filter, z.object({ paidAt: momentValue, paymentId: z.uuid().toLowerCase() })))
    .query(({ ctx, input: { cursor, ...query } }) => {
      const merchantIds = listedMerchants(ctx, query.merchantIds);
      return listPaymentFees(ctx.switchyard.payments, { ...query, merchantIds, after: cursor ?? null });
    }),
  /** The fee of one payment, with its computation. */
  ofPayment: reading.input(z.object({ paymentId: z.uuid().toLowerCase() })).query(async ({ ctx, input }) => {
    const found = await explainPaymentFee(ctx.switchyard.payments, { merchantIds: ctx.merchantIds, ...input });
    return foundOrThrow(found, 'The fee of this payment was not audited, or you have no access to it.');
  }),
});
