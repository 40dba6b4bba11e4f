import type { MerchantConfiguration, MerchantsContext } from '@switchyard/merchants';
import { connectGateway, createMerchant, updateGateway } from '@switchyard/merchants/console';
import { publishRules } from '@switchyard/rule-sets';
import { type DemoAccountPlan, type DemoMerchantPlan, demoRules } from './demo-plan.ts';

export const SEED_ACTOR = 'system:seed';

/** A demo merchant in the database. */
export interface DemoMerchant {
  readonly plan: DemoMerchantPlan;
  readonly merchantId: string;
  readonly paystackId: string;
  readonly flutterwaveId: string;
}

/**
 * Creates a demo merchant with its accounts and rules where missing. Later changes by users stay, except that accounts follow the
 * simulators to other addresses.
 */
export async function ensureDemoMerchant(context: MerchantsContext, plan: DemoMerchantPlan): Promise<DemoMerchant> {
  const { configuration } = context.resources;
  const known = configuration.merchants().find(({ merchant }) => merchant.merchantNumber === plan.merchantNumber);
  const merchantId = known?.merchant.id ?? (await addMerchant(context, plan));
  const paystackId = await ensureAccount(context, merchantId, known, plan.paystack);
  const flutterwaveId = await ensureAccount(context, merchantId, known, plan.flutterwave);
  if (known?.ruleSets.test === undefined) {
    const document = demoRules(paystackId, flutterwaveId);
    const rules = {
      merchantId,
      mode: 'test',
      document,
      baseVersion: 0,
      reason: 'The demo begins with these.',
      actor: SEED_ACTOR,
    } as const;
    demand(await publishRules(context, rules), 'published');
  }
  return { plan, merchantId, paystackId, flutterwaveId };
}

async function addMerchant(context: MerchantsContext, plan: DemoMerchantPlan): Promise<string> {
  const { merchantNumber, name } = plan;
  const created = demand(await createMerchant(context, { merchantNumber, name, actor: SEED_ACTOR }), 'created');
  return created.merchant.id;
}

async function ensureAccount(
  context: MerchantsContext,
  merchantId: string,
  known: MerchantConfiguration | undefined,
  plan: DemoAccountPlan,
): Promise<string> {
  const account = known?.accounts.find(({ mode, label }) => mode === 'test' && label === plan.label);
  if (account === undefined) {
    const connected = await connectGateway(context, { ...plan, merchantId, mode: 'test', actor: SEED_ACTOR });
    return demand(connected, 'connected').account.id;
  }
  if (account.baseUrl !== plan.baseUrl) {
    const changes = { baseUrl: plan.baseUrl };
    demand(await updateGateway(context, { merchantId, accountId: account.id, changes, actor: SEED_ACTOR }), 'updated');
  }
  return account.id;
}

/** The outcome, which must have this kind: no command of the seed can be refused. */
export function demand<Outcome extends { readonly kind: string }, Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
): Extract<Outcome, { kind: Kind }> {
  if (isOfKind(outcome, kind)) return outcome;
  throw new Error(`the demo could not be set up: ${JSON.stringify(outcome)} instead of ${kind}`);
}

function isOfKind<Outcome extends { readonly kind: string }, Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
): outcome is Extract<Outcome, { kind: Kind }> {
  return outcome.kind === kind;
}
