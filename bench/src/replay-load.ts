import { randomBytes } from 'node:crypto';
import { newId } from '@switchyard/db';
import { connectGateway } from '@switchyard/merchants/console/gateway-accounts';
import { createMerchant } from '@switchyard/merchants/console/merchants';
import { openPayments, type PaymentsContext } from '@switchyard/payments/context';
import type { AccountHealth, Decision, RoutableAccount, RuleSet } from '@switchyard/routing';
import { compileRuleSet, decide } from '@switchyard/routing/decide';
import { storeInputs } from '@switchyard/rule-sets/store-inputs';
import { publishRules } from '@switchyard/rule-sets/versions';
import type { Resources } from '@switchyard/runtime';
import { openResources } from '@switchyard/runtime/resources';

/** A merchant with three accounts, its published rules, and what its payments of a month were. */
export interface Loaded {
  readonly payments: PaymentsContext;
  readonly resources: Resources;
  readonly merchantId: string;
  readonly accountIds: readonly [string, string, string];
  readonly published: Omit<RuleSet, 'version'>;
  readonly from: Date;
  readonly to: Date;
}

const FROM = Date.parse('2026-10-20T00:00:00Z');
const MONTH_MS = 30 * 86_400_000;
const METHODS = ['CARD', 'CARD', 'CARD', 'TRANSFER', 'TRANSFER', 'USSD'] as const;
const ACTOR = 'system:bench';
const BATCH = 1_000;

/** The same numbers every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Fills an empty database with one merchant's `count` payments, each routed by real decisions under rules that are live. */
export async function load(databaseUrl: string, count: number): Promise<Loaded> {
  const key = randomBytes(32).toString('base64');
  const environment = {
    DATABASE_URL: databaseUrl,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`,
    SWITCHYARD_KEY_PEPPER: key,
    SWITCHYARD_PUBLIC_URL: 'http://localhost',
  };
  const resources = openResources(environment, (error) => process.stderr.write(`${String(error)}\n`));
  const payments = openPayments(resources, { healthTickMs: null });
  const { merchantId, accountIds, published } = await createMerchantWithRules(resources);
  const accounts = accountIds.map(toRoutable);
  const ruleSet = compileRuleSet({ ...published, version: 1 });
  const random = seeded(20_261_120);
  for (let from = 0; from < count; from += BATCH) {
    const decisions = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => {
      const at = new Date(FROM + Math.floor(((from + n) * MONTH_MS) / count));
      const method = METHODS[Math.floor(random() * METHODS.length)] ?? 'CARD';
      const amount = 100 + Math.floor(random() ** 3 * 500_000);
      const payment = { paymentId: newId(), currency: 'NGN', amount, method, customerCountry: null, requestedGateway: null };
      const health = accountIds.map((accountId, place) => healthOf(accountId, place === 0 && random() < 0.02));
      return decide({ payment, ruleSet, accounts, health, overrides: [], decidedAt: at.toISOString() });
    });
    await insert(resources, merchantId, decisions, random);
  }
  await resources.database.pool.query('VACUUM ANALYZE payment, attempt');
  return { payments, resources, merchantId, accountIds, published, from: new Date(FROM), to: new Date(FROM + MONTH_MS) };
}

async function createMerchantWithRules(resources: Resources) {
  const context = { resources, now: () => new Date(), newId };
  const created = await createMerchant(context, { name: 'Balogun Books', actor: ACTOR });
  if (created.kind !== 'created') throw new Error(created.kind);
  const merchantId = created.merchant.id;
  const account = async (gateway: string, label: string, secretKey: string, place: number): Promise<string> => {
    const { fees, ...settings } = toRoutable('', place);
    const command = { ...settings, fees, label, gateway, merchantId, mode: 'test' as const, baseUrl: null, actor: ACTOR };
    const connected = await connectGateway(context, { ...command, credentials: { secretKey } });
    if (connected.kind !== 'connected') throw new Error(JSON.stringify(connected));
    return connected.account.id;
  };
  const accountIds = [
    await account('paystack', 'paystack-main', `sk_test_${randomBytes(20).toString('hex')}`, 0),
    await account('flutterwave', 'flutterwave-main', `FLWSECK_TEST-${randomBytes(16).toString('hex')}-X`, 1),
    await account('paystack', 'paystack-second', `sk_test_${randomBytes(20).toString('hex')}`, 2),
  ] as const;
  const published = rulesOf(accountIds);
  const outcome = await publishRules(context, {
    merchantId,
    mode: 'test',
    document: published,
    baseVersion: 0,
    reason: null,
    actor: ACTOR,
  });
  if (outcome.kind !== 'published') throw new Error(JSON.stringify(outcome));
  return { merchantId, accountIds, published };
}

function toRoutable(accountId: string, place: number): RoutableAccount {
  return {
    accountId,
    gateway: 'paystack',
    label: accountId,
    enabled: true,
    configured: true,
    currencies: ['NGN'],
    methods: ['CARD', 'TRANSFER', 'USSD'],
    minAmount: 100,
    maxAmount: null,
    fees: { percentBasisPoints: 150 - 10 * place, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 750 },
  };
}

function rulesOf([first, second, third]: readonly [string, string, string]): Omit<RuleSet, 'version'> {
  const rule = (ruleId: string, from: number, to: number | null, then: RuleSet['rules'][number]['then']) => {
    const when = { currency: 'NGN', methods: ['CARD' as const, 'TRANSFER' as const], amount: { from, to } };
    return { ruleId, name: ruleId, enabled: true, when, then };
  };
  const split = [
    { account: first, percent: 60 },
    { account: second, percent: 40 },
  ];
  return {
    rules: [
      rule('small', 0, 5_000, { strategy: 'weighted', split }),
      rule('middle', 5_001, 50_000, {
        strategy: 'success_rate',
        accounts: [first, second, third],
        minSamples: 20,
        explorationPercent: 5,
      }),
      rule('large', 50_001, null, { strategy: 'lowest_cost', accounts: [second, first] }),
    ],
    defaultOrder: [first, second, third],
  };
}

function healthOf(accountId: string, isDown: boolean): AccountHealth {
  return {
    accountId,
    method: null,
    state: isDown ? 'down' : 'healthy',
    why: isDown
      ? 'Down since 14:02 UTC: 18 of 22 checkouts timed out in 5 min.'
      : 'Healthy: 118 of 120 checkouts answered in 5 min.',
    since: '2026-11-20T13:00:00.000Z',
    succeeded: 118,
    faulted: 2,
    probePercent: 0,
    paid: 900,
    unpaid: 100,
  };
}

const INSERT = `
WITH rows AS (
  SELECT * FROM unnest($2::uuid[], $3::int8[], $4::text[], $5::text[], $6::json[], $7::json[], $8::timestamptz[], $9::uuid[],
    $10::uuid[], $11::payment_status[]) AS rows (id, amount, method, rule_id, routing, inputs, at, attempt_id, account_id, status)),
paid AS (
  INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, payment_method,
    routing_mode, smart_routing_bypassed, rule_set_version, rule_id, routing, routing_inputs, recommended_gateway, session,
    fallback_gateways, current_attempt_id, account_id, account_gateway, expires_at, version, status_event_id, status_changed_at, created_at, updated_at)
  SELECT $1, id, 'test', 'order-' || id, status, amount, 'NGN', 'ada@example.com', method, 'smart', false, 1, rule_id, routing,
    inputs, 'paystack', json_build_object('reference', id, 'raw', repeat('x', 600)), '[]', attempt_id, account_id, 'paystack', at, 2, id, at, at, at FROM rows)
INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, created_at, updated_at)
SELECT $1, attempt_id, id, 0, account_id, 'paystack', 'sy' || replace(id::text, '-', '') || '00', 'OPENED', at, at FROM rows`;

async function insert(
  resources: Resources,
  merchantId: string,
  decisions: readonly Decision[],
  random: () => number,
): Promise<void> {
  const column = <T>(read: (decision: Decision) => T) => decisions.map(read);
  const kept = await Promise.all(decisions.map(({ inputs }) => storeInputs(resources.database, merchantId, inputs)));
  await resources.database.pool.query(INSERT, [
    merchantId,
    column(({ inputs }) => inputs.payment.paymentId),
    column(({ inputs }) => inputs.payment.amount),
    column(({ inputs }) => inputs.payment.method),
    column(({ ruleId }) => ruleId),
    column(({ record }) => JSON.stringify(record)),
    kept.map((inputs) => JSON.stringify(inputs)),
    column(({ inputs }) => inputs.decidedAt),
    column(() => newId()),
    column(({ plan }) => plan[0]?.accountId ?? null),
    column(() => (random() < 0.82 ? 'SUCCESS' : 'FAILED')),
  ]);
}
