import { MAPPINGS } from '@switchyard/compat/mappings';
import { listGateways } from '@switchyard/merchants/console/gateway-accounts';
import { countDirectPayments } from '@switchyard/payments/console/payments';
import { countUnrecordedPayments } from '@switchyard/reconciliation/unrecorded-payments';
import { z } from 'zod';
import { permitted, resolveMerchants, router } from './procedure.ts';

const DAYS = 7;
const DAY_MS = 24 * 3_600_000;

const input = z.object({
  /** Null for every merchant the caller may see. */
  merchantId: z.uuid().nullable().default(null),
  mode: z.enum(['test', 'live']),
});

/** tRPC procedures of the page on which merchants' code is switched over. */
export const switchOver = router({
  /** Calls and fields of each dialect that are answered, refused or different. */
  mappings: permitted('gateway:read').query(() => MAPPINGS),
  /** Payments that reached each gateway account in the last 7 days without coming through here, by its webhooks and by its statements. */
  direct: permitted('gateway:read')
    .input(input)
    .query(async ({ ctx, input: { merchantId, mode } }) => {
      const merchantIds = resolveMerchants(ctx, merchantId);
      const { payments, resources } = ctx.switchyard;
      const since = new Date(payments.now().getTime() - DAYS * DAY_MS);
      const day = since.toISOString().slice(0, 10);
      const [accounts, reported, missing] = await Promise.all([
        Promise.all(merchantIds.map((id) => listGateways(ctx.switchyard, { merchantId: id, mode }))),
        countDirectPayments(payments, { merchantIds, mode, since }),
        countUnrecordedPayments(resources.database, { merchantIds, mode, since: day }),
      ]);
      return accounts.flat().map((account) => {
        const webhooks = reported.find(({ accountId }) => accountId === account.id);
        return {
          accountId: account.id,
          merchantId: account.merchantId,
          merchantName: resources.configuration.merchant(account.merchantId)?.merchant.name ?? account.merchantId,
          gateway: account.gateway,
          label: account.label,
          /** Distinct references in genuine webhooks. */
          reported: webhooks?.references ?? 0,
          lastReportedAt: webhooks?.lastAt ?? null,
          /** Payments on statements. */
          onStatements: missing.find(({ accountId }) => accountId === account.id)?.count ?? 0,
        };
      });
    }),
});
