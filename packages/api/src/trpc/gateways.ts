import { momentValue } from '@switchyard/db/moments';
import {
  type ConnectGatewayOutcome,
  checkAccountAtGateway,
  connectGateway,
  describeGateways,
  feeExample,
  listGateways,
  PUBLISHED_FEES,
  type UpdateGatewayOutcome,
  updateGateway,
} from '@switchyard/merchants/console/gateway-accounts';
import { describeAccountUse, describeGatewayUse, listAccountUse } from '@switchyard/payments/console/account-use';
import { countGatewayWebhooks, listGatewayWebhooks } from '@switchyard/payments/console/gateway-webhooks';
import { testConnection } from '@switchyard/payments/console/test-connection';
import { describeFault } from '@switchyard/provider-health';
import { listErrorCodes } from '@switchyard/provider-health/error-codes';
import { type FeeSchedule, PAYMENT_METHODS } from '@switchyard/routing';
import { feeScheduleSchema } from '@switchyard/routing/stored-inputs';
import type { MerchantConfiguration } from '@switchyard/runtime';
import { contractAt } from '@switchyard/runtime/fee-contracts';
import { z } from 'zod';
import { foundOrThrow, missing, oneMerchant } from './inputs.ts';
import { accountMode, inMode, permitted, permittedInMode, resolveMerchants, router } from './procedure.ts';

const NO_ACCOUNT = 'There is no such account, or you have no access to it.';
const AMOUNT_MAX = 1_000_000_000_000;
const scope = z.object({
  /** Null for every merchant the caller may see. */
  merchantId: z.uuid().toLowerCase().nullable().default(null),
  mode: z.enum(['test', 'live']),
});

const credentials = z.record(z.string().max(40), z.string().max(4_000));
const settings = {
  label: z.string().max(200),
  enabled: z.boolean(),
  currencies: z.array(z.string().max(10)).max(100),
  methods: z.array(z.enum(PAYMENT_METHODS)).max(100),
  minAmount: z.number(),
  maxAmount: z.number().nullable(),
  baseUrl: z.string().max(1_000).nullable(),
};

/** The same fields, each optional when unchanged. */
const changeable = {
  label: settings.label.exactOptional(),
  enabled: settings.enabled.exactOptional(),
  credentials: credentials.exactOptional(),
  currencies: settings.currencies.exactOptional(),
  methods: settings.methods.exactOptional(),
  minAmount: settings.minAmount.exactOptional(),
  maxAmount: settings.maxAmount.exactOptional(),
  baseUrl: settings.baseUrl.exactOptional(),
};

/** An account's webhooks, by when they were received: from the first moment, until before the second. */
const receivedWebhooks = z.object({
  accountId: z.uuid().toLowerCase(),
  receivedFrom: momentValue.nullable().default(null),
  receivedTo: momentValue.nullable().default(null),
});

const reading = permitted('gateway:read');
const configuring = permittedInMode('gateway:configure');

/** tRPC procedures of gateway accounts. */
export const gateways = router({
  /** Every gateway with its credential fields and published fees. */
  kinds: reading.query(() => {
    const published = (name: string) => PUBLISHED_FEES.filter(({ gateway }) => gateway === name);
    return describeGateways().map((kind) => ({ ...kind, publishedFees: published(kind.name) }));
  }),
  /** Accounts of these merchants with their webhook URLs. */
  list: reading.input(scope).query(async ({ ctx, input: { merchantId, mode } }) => {
    const merchantIds = resolveMerchants(ctx, merchantId);
    const { resources } = ctx.switchyard;
    const found = await Promise.all(merchantIds.map((id) => listGateways(ctx.switchyard, { merchantId: id, mode })));
    const now = ctx.switchyard.now();
    return found.flat().map(({ credentialHint, methods, ...account }) => ({
      ...account,
      ...readStored({ credentialHint, methods }),
      fees: feesAt(resources.configuration.merchant(account.merchantId), account.id, now),
      fault: describeFault(account),
      merchantName: resources.configuration.merchant(account.merchantId)?.merchant.name ?? account.merchantId,
      webhookUrl: `${resources.publicUrl}/webhooks/${account.gateway}/${account.id}`,
    }));
  }),
  /** The error codes of every gateway with what is made of each, and how often each came at these merchants' accounts in 30 days. */
  errorCodes: reading.input(scope).query(({ ctx, input: { merchantId, mode } }) => {
    const { database } = ctx.switchyard.resources;
    return listErrorCodes(ctx.switchyard, database, { merchantIds: resolveMerchants(ctx, merchantId), mode });
  }),
  /** How many payments of the last 24 hours went to each account. */
  use: reading.input(scope).query(({ ctx, input: { merchantId, mode } }) => {
    return listAccountUse(ctx.switchyard.payments, { merchantIds: resolveMerchants(ctx, merchantId), mode });
  }),
  /** Usage and dependents of an account: payments, rules, its position in the default order. */
  usage: reading.input(z.object({ accountId: z.uuid().toLowerCase() })).query(async ({ ctx, input }) => {
    const usage = await describeAccountUse(ctx.switchyard.payments, { ...input, merchantIds: ctx.merchantIds });
    return foundOrThrow(usage, NO_ACCOUNT);
  }),
  /** Usage of a gateway by all merchants that the caller may see: the effects of draining it. */
  gatewayUsage: reading
    .input(z.object({ gateway: z.string().min(1).max(40), mode: z.enum(['test', 'live']) }))
    .query(({ ctx, input }) => describeGatewayUse(ctx.switchyard.payments, { ...input, merchantIds: ctx.merchantIds })),
  /** A fee schedule calculated for some amounts. */
  feeExamples: reading
    .input(
      z.object({
        fees: feeScheduleSchema,
        currency: z.string().regex(/^[A-Z]{3}$/),
        amounts: z.array(z.int().min(1).max(AMOUNT_MAX)).min(1).max(10),
        by: z.string().max(40).default(''),
      }),
    )
    .query(({ input: { fees: schedule, amounts, currency, by } }) =>
      amounts.map((amount) => feeExample(schedule, { currency, amount, by })),
    ),
  /** The webhooks a gateway sent to an account's address, and how often one was refused. */
  webhooks: permitted('webhook:read')
    .input(
      receivedWebhooks.extend({
        state: z.enum(['RECEIVED', 'PROCESSED', 'IGNORED']).nullable().default(null),
        newestFirst: z.boolean().default(true),
        cursor: z.object({ receivedAt: momentValue, id: z.uuid().toLowerCase() }).nullish(),
        limit: z.int().min(1).max(200).default(50),
      }),
    )
    .query(async ({ ctx, input: { cursor, ...query } }) => {
      const listing = { ...query, merchantIds: ctx.merchantIds, after: cursor ?? null };
      return foundOrThrow(await listGatewayWebhooks(ctx.switchyard.payments, listing), NO_ACCOUNT);
    }),
  /** The numbers of those webhooks in each state, exact to 10,000; null where counting took too long. */
  webhookCounts: permitted('webhook:read')
    .input(receivedWebhooks)
    .query(async ({ ctx, input }) => {
      const query = { ...input, merchantIds: ctx.merchantIds };
      return foundOrThrow(await countGatewayWebhooks(ctx.switchyard.payments, query), NO_ACCOUNT).counts;
    }),
  connect: configuring
    .input(
      z.object({
        ...settings,
        fees: feeScheduleSchema.nullable(),
        credentials,
        merchantId: z.uuid().toLowerCase(),
        mode: z.enum(['test', 'live']),
        gateway: z.string().max(40),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<ConnectGatewayOutcome> => {
      const merchantId = oneMerchant(inMode(ctx, input.mode), input.merchantId);
      const checked = checkAccountAtGateway(input.gateway, input);
      if (checked.kind === 'unknown_gateway') missing('There is no such gateway.');
      if (checked.kind === 'invalid') return { kind: 'invalid', problems: checked.problems };
      const actor = `staff:${ctx.session.staffId}`;
      const command = { ...input, credentials: checked.credentials ?? {}, merchantId, actor };
      return connectGateway(ctx.switchyard, command);
    }),
  /** Changes some fields of an account; credentials as a whole, and only when given. */
  update: configuring
    .input(
      z.object({
        merchantId: z.uuid().toLowerCase(),
        accountId: z.uuid().toLowerCase(),
        changes: z.object(changeable),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<UpdateGatewayOutcome> => {
      const merchantId = oneMerchant(inMode(ctx, accountMode(ctx, input)), input.merchantId);
      const { accountId } = input;
      const account = ctx.switchyard.resources.configuration.account(accountId)?.account;
      if (account?.merchantId !== merchantId) return { kind: 'not_found' };
      const { changes } = input;
      const { credentials: entered = null, methods = null, currencies = null } = changes;
      const checked = checkAccountAtGateway(account.gateway, { credentials: entered, methods, currencies });
      if (checked.kind === 'invalid') return { kind: 'invalid', problems: checked.problems };
      const opened = checked.kind === 'in_order' && checked.credentials !== null ? { credentials: checked.credentials } : {};
      const actor = `staff:${ctx.session.staffId}`;
      return updateGateway(ctx.switchyard, { merchantId, accountId, changes: { ...changes, ...opened }, actor });
    }),
  /**
   * Verifies the account's credentials at the gateway: moves no money, and restores an account that was out of rotation for its
   * configuration.
   */
  testConnection: configuring.input(z.object({ accountId: z.uuid().toLowerCase() })).mutation(async ({ ctx, input }) => {
    const actor = `staff:${ctx.session.staffId}`;
    const { merchantIds } = inMode(ctx, accountMode(ctx, input));
    const tested = await testConnection(ctx.switchyard.payments, { ...input, merchantIds, actor });
    return foundOrThrow(tested, NO_ACCOUNT);
  }),
});

function feesAt(configuration: MerchantConfiguration | undefined, accountId: string, now: Date): FeeSchedule | null {
  return contractAt(configuration?.feeContracts ?? [], accountId, now)?.schedule ?? null;
}

/** Parses stored JSON; entries of another shape are dropped. */
function readStored(stored: { credentialHint: unknown; methods: readonly string[] }) {
  const hint = z.record(z.string(), z.string()).safeParse(stored.credentialHint);
  return {
    credentialHint: hint.success ? hint.data : {},
    methods: stored.methods.flatMap((word) => PAYMENT_METHODS.find((method) => method === word) ?? []),
  };
}
