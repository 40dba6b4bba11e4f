import type { MerchantsContext } from '@switchyard/merchants';
import { PAYMENT_METHODS, type RuleSet } from '@switchyard/routing';
import { compileRuleSet } from '@switchyard/routing/decide';
import { findRuleSetVersion, publishRules } from '@switchyard/rule-sets';
import { type DemoMerchant, demand, SEED_ACTOR } from '../demo.ts';
import type { DemoAccountPlan } from '../demo-plan.ts';
import { HOUR_MS } from './calendar.ts';
import { generateWeek, weekBegins } from './generate.ts';
import { isWeekLoaded, loadWeek } from './load.ts';
import type { WeekAccount, WeekMerchant } from './plan.ts';
import { PROFILES } from './profiles.ts';
import { laterRuleSets } from './rule-sets.ts';

const SEED = 20_261_121;

export interface WeekSeeding {
  readonly merchants: readonly DemoMerchant[];
  readonly publicUrl: string;
  /** The actor of staff changes: `staff:<id>`. */
  readonly actor: string;
  readonly now: Date;
}

/** Generates the demo merchants' history, once. Later changes stay. */
export async function seedWeek(context: MerchantsContext, { merchants, publicUrl, actor, now }: WeekSeeding): Promise<void> {
  const { database } = context.resources;
  const last = merchants.at(-1);
  if (last === undefined || (await isWeekLoaded(database, last.merchantId))) return;
  const endsAt = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  const past: WeekMerchant[] = [];
  for (const merchant of merchants) past.push(await pastOf(context, merchant, endsAt));
  await loadWeek(database, generateWeek({ seed: SEED, endsAt, merchants: past, publicUrl, actor }));
}

async function pastOf(
  context: MerchantsContext,
  { merchantId, plan, paystackId, flutterwaveId }: DemoMerchant,
  endsAt: number,
): Promise<WeekMerchant> {
  const profile = PROFILES.find(({ merchantNumber }) => merchantNumber === plan.merchantNumber);
  if (profile === undefined) throw new Error(`nothing is known of the trade of ${plan.merchantNumber}`);
  const current = context.resources.configuration.merchant(merchantId)?.ruleSets.test?.version ?? 0;
  if (current === 1) await publishLater(context, { merchantId, paystackId, flutterwaveId, endsAt });
  return {
    merchantId,
    profile,
    accounts: [weekAccount(paystackId, plan.paystack), weekAccount(flutterwaveId, plan.flutterwave)],
    ruleSets: await ruleSetsOf(context, merchantId, current, { paystackId, flutterwaveId, endsAt }),
    sessionMinutes: context.resources.configuration.merchant(merchantId)?.merchant.sessionMinutes ?? 60,
  };
}

interface Accounts {
  readonly paystackId: string;
  readonly flutterwaveId: string;
  readonly endsAt: number;
}

async function publishLater(
  context: MerchantsContext,
  { merchantId, paystackId, flutterwaveId, endsAt }: Accounts & { merchantId: string },
) {
  // The first version was published when the demo was created; the history starts with it.
  const begun = new Date(weekBegins(endsAt));
  const first = { merchantId, mode: 'test', version: 1 } as const;
  await context.resources.database.prisma.ruleSetVersion.updateMany({
    where: { ...first, publishedAt: { gt: begun } },
    data: { publishedAt: begun, createdAt: begun },
  });
  for (const [index, { beforeEndMs, reason, document }] of laterRuleSets(paystackId, flutterwaveId).entries()) {
    const then = { ...context, now: () => new Date(endsAt - beforeEndMs) };
    const rules = { merchantId, mode: 'test', document, baseVersion: index + 1, reason, actor: SEED_ACTOR } as const;
    demand(await publishRules(then, rules), 'published');
  }
}

/** Rules that users have published since are the ones the history is routed by. */
async function ruleSetsOf(
  context: MerchantsContext,
  merchantId: string,
  current: number,
  accounts: Accounts,
): Promise<WeekMerchant['ruleSets']> {
  const later = laterRuleSets(accounts.paystackId, accounts.flutterwaveId);
  const since = [0, ...later.map(({ beforeEndMs }) => accounts.endsAt - beforeEndMs)];
  const versions = current === 1 ? since.map((from, index) => ({ from, version: index + 1 })) : [{ from: 0, version: current }];
  return Promise.all(
    versions.map(async ({ from, version }) => ({
      from,
      ruleSet: compileRuleSet(await readVersion(context, merchantId, version)),
    })),
  );
}

async function readVersion(context: MerchantsContext, merchantId: string, version: number): Promise<RuleSet> {
  const found = await findRuleSetVersion(context, { merchantId, mode: 'test', version });
  if (found === null) throw new Error(`version ${String(version)} of the rules is gone`);
  return found.ruleSet;
}

function weekAccount(accountId: string, plan: DemoAccountPlan): WeekAccount {
  const { gateway, label, enabled, currencies, minAmount, maxAmount, fees, baseUrl } = plan;
  const methods = PAYMENT_METHODS.filter((method) => plan.methods.includes(method));
  return {
    baseUrl,
    routable: { accountId, gateway, label, enabled, configured: true, currencies, methods, minAmount, maxAmount, fees },
  };
}
