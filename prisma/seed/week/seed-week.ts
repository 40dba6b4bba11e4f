import type { Database } from '@switchyard/db';
import { addContract, USUAL_TOLERANCE } from '@switchyard/merchants/console/fee-contracts';
import { openPayments } from '@switchyard/payments/context';
import { scheduleReconciliations } from '@switchyard/reconciliation/runs';
import { type FeeTerms, PAYMENT_METHODS, type Rule } from '@switchyard/routing';
import { type CompiledRuleSet, compileRuleSet } from '@switchyard/routing/decide';
import { findRuleSetVersion, publishRules } from '@switchyard/rule-sets/versions';
import type { RuntimeContext } from '@switchyard/runtime';
import { dayText } from '@switchyard/runtime/calendar-days';
import { contractAt } from '@switchyard/runtime/fee-contracts';
import { type DemoMerchant, demand, SEED_ACTOR } from '../demo.ts';
import { type DemoAccountPlan, demoRules } from '../demo-plan.ts';
import { DAY_MS, HOUR_MS } from './calendar.ts';
import { generateWeek, weekBegins } from './generate.ts';
import type { Row, Week, WeekAccount, WeekMerchant, WrongFees } from './plan.ts';
import { PROFILES } from './profiles.ts';
import { seedTrial } from './seed-trial.ts';

const SEED = 20_261_121;

export interface WeekSeeding {
  readonly merchants: readonly DemoMerchant[];
  readonly publicUrl: string;
  /** The actor of staff changes: `staff:<id>`. */
  readonly actor: string;
  readonly now: Date;
}

/** Generates the demo merchants' history, once. Later changes stay. */
export async function seedWeek(context: RuntimeContext, { merchants, publicUrl, actor, now }: WeekSeeding): Promise<void> {
  const { database } = context.resources;
  const last = merchants.at(-1);
  if (last === undefined || (await isWeekLoaded(database, last.merchantId))) return;
  const endsAt = weekEnds(now);
  const past: WeekMerchant[] = [];
  for (const merchant of merchants) past.push(await pastOf(context, merchant, endsAt, merchant === merchants[0]));
  const second = merchants[1];
  if (second !== undefined) await seedTrial(context, second, { endsAt, seed: SEED });
  await loadWeek(database, generateWeek({ seed: SEED, endsAt, merchants: past, publicUrl, actor }));
  await queueReconciliations(context);
}

/** When the history begins that is generated at `now`: what it needs has to be there by then. */
export function historyBegins(now: Date): Date {
  return new Date(weekBegins(weekEnds(now)));
}

function weekEnds(now: Date): number {
  return Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
}

async function pastOf(context: RuntimeContext, merchant: DemoMerchant, endsAt: number, isFirst: boolean): Promise<WeekMerchant> {
  const { merchantId, plan, paystackId, flutterwaveId } = merchant;
  await coverHistory(context, merchant, endsAt);
  const profile = PROFILES.find(({ merchantNumber }) => merchantNumber === plan.merchantNumber);
  if (profile === undefined) throw new Error(`nothing is known of the trade of ${plan.merchantNumber}`);
  return {
    merchantId,
    profile,
    accounts: [
      weekAccount(
        paystackId,
        plan.paystack,
        isFirst ? wrongFeesOf(plan.paystack, endsAt - 18 * DAY_MS, { flatWaivedBelow: null }) : [],
      ),
      weekAccount(flutterwaveId, plan.flutterwave, isFirst ? wrongFeesOf(plan.flutterwave, endsAt - 17 * DAY_MS, DEARER) : []),
    ],
    ruleSets: await ruleSetsOf(context, merchant, endsAt),
    sessionMinutes: context.resources.configuration.merchant(merchantId)?.merchant.sessionMinutes ?? 60,
  };
}

/** A newer price list of Flutterwave says 2%. */
const DEARER = { percentBasisPoints: 200 };

/** A day on which a gateway charges by changed terms. */
function wrongFeesOf({ fees }: DemoAccountPlan, from: number, changed: Partial<FeeTerms>): WrongFees[] {
  return fees === null ? [] : [{ from, to: from + DAY_MS, schedule: { ...fees, ...changed } }];
}

/** Accounts that were connected by a start without history have contracts since then: others cover the history. */
async function coverHistory(
  context: RuntimeContext,
  { merchantId, plan, paystackId, flutterwaveId }: DemoMerchant,
  endsAt: number,
) {
  const begun = new Date(weekBegins(endsAt));
  const contracts = context.resources.configuration.merchant(merchantId)?.feeContracts ?? [];
  const accounts = [
    [paystackId, plan.paystack.fees],
    [flutterwaveId, plan.flutterwave.fees],
  ] as const;
  for (const [accountId, schedule] of accounts) {
    if (schedule === null || contractAt(contracts, accountId, begun) !== null) continue;
    const command = { merchantId, accountId, schedule, appliesFrom: dayText(begun), tolerance: USUAL_TOLERANCE, note: null };
    demand(await addContract(context, { ...command, actor: SEED_ACTOR }), 'added');
  }
}

/**
 * The versions of the rules that route the history: the first, which begins with the history, and later ones, published here at
 * their times. Where users have published others since, theirs route all of it.
 */
async function ruleSetsOf(
  context: RuntimeContext,
  { merchantId, paystackId, flutterwaveId }: DemoMerchant,
  endsAt: number,
): Promise<WeekMerchant['ruleSets']> {
  const key = { merchantId, mode: 'test' } as const;
  const current = context.resources.configuration.merchant(merchantId)?.ruleSets.test?.version ?? 0;
  const readVersion = async (version: number): Promise<CompiledRuleSet> => {
    const found = await findRuleSetVersion(context, { ...key, version });
    if (found === null) throw new Error(`version ${String(version)} of the rules is gone`);
    return compileRuleSet(found.ruleSet);
  };
  const ruleSets = [{ from: 0, ruleSet: await readVersion(current) }];
  if (current !== 1) return ruleSets;
  const begun = new Date(weekBegins(endsAt));
  // A start without history may have connected the accounts later: days before that are not reconciled. Publishing has every process read the merchant again.
  await context.resources.database.prisma.gatewayAccount.updateMany({
    where: { merchantId, id: { in: [paystackId, flutterwaveId] } },
    data: { createdAt: begun },
  });
  await context.resources.database.prisma.ruleSetVersion.updateMany({
    where: { ...key, version: 1, publishedAt: { gt: begun } },
    data: { publishedAt: begun, createdAt: begun },
  });
  for (const { beforeEndMs, reason, document } of laterRuleSets(paystackId, flutterwaveId)) {
    const from = endsAt - beforeEndMs;
    const baseVersion = ruleSets.length;
    const rules = { ...key, document, baseVersion, reason, actor: SEED_ACTOR };
    demand(await publishRules({ ...context, now: () => new Date(from) }, rules), 'published');
    ruleSets.push({ from, ruleSet: await readVersion(baseVersion + 1) });
  }
  return ruleSets;
}

/** Queues the comparison of the finished days with the gateways' statements, which the worker makes as soon as it runs. */
async function queueReconciliations(context: RuntimeContext): Promise<void> {
  const payments = openPayments(context.resources, { healthTickMs: null });
  try {
    await scheduleReconciliations(payments);
  } finally {
    payments.close();
  }
}

/** A demo account as routing uses it. */
export function weekAccount(accountId: string, plan: DemoAccountPlan, wrongFees: readonly WrongFees[] = []): WeekAccount {
  const { gateway, label, enabled, currencies, minAmount, maxAmount, fees, baseUrl } = plan;
  const methods = PAYMENT_METHODS.filter((method) => plan.methods.includes(method));
  return {
    baseUrl,
    wrongFees,
    routable: { accountId, gateway, label, enabled, configured: true, currencies, methods, minAmount, maxAmount, fees },
  };
}

const BATCH = 1_500;
const STATEMENT_MS = 60_000;
/** Compresses what is long in a third of the time, where the server can; rows are read as ever. */
const COMPRESS_FAST = `
SELECT set_config(name, 'lz4', true) FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)`;

/** True if generated history has been loaded for this merchant. */
export async function isWeekLoaded({ pool }: Database, merchantId: string): Promise<boolean> {
  return (await pool.query('SELECT 1 FROM payment WHERE merchant_id = $1 LIMIT 1', [merchantId])).rows.length === 1;
}

/** Writes all rows in one transaction, and has the planner know of them before anything is read. */
export async function loadWeek({ pool }: Database, week: Week): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL statement_timeout = ${String(STATEMENT_MS)}`);
    await client.query(COMPRESS_FAST);
    for (const [table, rows] of Object.entries(week)) {
      for (let from = 0; from < rows.length; from += BATCH) await client.query(statement(table, rows.slice(from, from + BATCH)));
    }
    // Without statistics the tables are taken for empty, and joining them takes seconds to minutes. A small sample says enough.
    await client.query('SET LOCAL default_statistics_target = 10');
    await client.query(`ANALYZE ${Object.keys(week).join(', ')}`);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** Column names come from our own rows, never from data; missing columns keep their defaults. */
function statement(table: string, rows: readonly Row[]): { readonly text: string; readonly values: string[] } {
  const columns = Object.keys(rows[0] ?? {}).map((field) => ({ field, column: columnOf(field), isTime: field.endsWith('At') }));
  const names = columns.map(({ column }) => `"${column}"`).join(', ');
  const text = `INSERT INTO "${table}" (${names}) SELECT ${names} FROM json_populate_recordset(NULL::"${table}", $1) ON CONFLICT DO NOTHING`;
  const named = rows.map((row) => {
    const cells: Record<string, unknown> = {};
    for (const { field, column, isTime } of columns) {
      const value = row[field];
      cells[column] = isTime && typeof value === 'number' ? new Date(value) : value;
    }
    return cells;
  });
  return { text, values: [JSON.stringify(named)] };
}

function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A version of a demo merchant's rules, and when it took effect. */
export interface RuleSetPast {
  readonly beforeEndMs: number;
  readonly reason: string;
  readonly document: { readonly rules: readonly Rule[]; readonly defaultOrder: readonly string[] };
}

/** The versions after the first: an experiment and its conclusions. The last one keeps all rules of the first. */
export function laterRuleSets(paystackId: string, flutterwaveId: string): readonly RuleSetPast[] {
  const { rules, defaultOrder } = demoRules(paystackId, flutterwaveId);
  const accounts = [paystackId, flutterwaveId];
  const split = [
    { account: paystackId, percent: 80 },
    { account: flutterwaveId, percent: 20 },
  ];
  const trial = rules.map(
    (rule): Rule => (rule.ruleId === 'card-small' ? { ...rule, then: { strategy: 'weighted', split } } : rule),
  );
  const cheapest = (ruleId: string, name: string, method: 'CARD' | 'USSD', from: number): Rule => ({
    ruleId,
    name,
    enabled: true,
    when: { currency: 'NGN', methods: [method], amount: { from, to: null } },
    then: { strategy: 'lowest_cost', accounts },
  });
  return [
    {
      beforeEndMs: 22 * DAY_MS,
      reason: 'Trial: a fifth of small cards at Flutterwave, to see how they convert.',
      document: { rules: trial, defaultOrder },
    },
    {
      beforeEndMs: 9 * DAY_MS,
      reason: 'Trial ended: small cards convert better at Paystack. Large cards and USSD go to the cheaper gateway.',
      document: {
        rules: [...rules, cheapest('card-large', 'Cards over 50,000', 'CARD', 50_001), cheapest('ussd', 'USSD', 'USSD', 0)],
        defaultOrder,
      },
    },
  ];
}
