import { randomBytes } from 'node:crypto';
import type { Switchyard } from '@switchyard/api/process';
import { connectGateway, createMerchant, issueKey } from '@switchyard/merchants/console';
import { changeHealthThresholds } from '@switchyard/provider-health/console';
import { publishRules } from '@switchyard/rule-sets';
import { GATEWAYS, type GatewayName, type Gateways } from './gateways.ts';

/** A merchant with its keys and its test accounts at both gateways. */
export interface TestMerchant {
  readonly merchantId: string;
  readonly merchantNumber: string;
  readonly testKey: string;
  readonly liveKey: string;
  readonly accounts: Readonly<Record<GatewayName, string>>;
  /** What the merchant's accounts are configured with at the gateways. */
  readonly gatewayKeys: Readonly<Record<GatewayName, GatewayKeys>>;
}

export interface GatewayKeys {
  readonly secretKey: string;
  /** The webhook's secret hash, where the gateway has one. */
  readonly secretHash: string | null;
}

export interface TestMerchantOptions {
  /** The default order; card payments up to 5,000 follow a rule with the same order. */
  readonly order?: readonly [GatewayName, GatewayName];
  readonly defaultRedirectUrl?: string;
  /** Whether the outcomes of other merchants at a gateway count for this one; not by default. */
  readonly learnsFromOthers?: boolean;
}

const ACTOR = 'system:test';

/** Creates a merchant, connects it to both gateways and registers its keys there. Every secret created goes to `secrets`. */
export async function createTestMerchant(
  switchyard: Pick<Switchyard, 'merchants' | 'resources'>,
  gateways: Pick<Gateways, 'baseUrls' | 'register'>,
  secrets: string[],
  { order = GATEWAYS, defaultRedirectUrl, learnsFromOthers = false }: TestMerchantOptions,
): Promise<TestMerchant> {
  const context = switchyard.merchants;
  const command = { name: 'Adaeze Fabrics', defaultRedirectUrl: defaultRedirectUrl ?? null, actor: ACTOR };
  const { merchant } = expectKind(await createMerchant(context, command), 'created');
  const merchantId = merchant.id;
  const testKey = await keyOf('test');
  const liveKey = await keyOf('live');
  const gatewayKeys = {
    paystack: { secretKey: `sk_test_${random()}`, secretHash: null },
    flutterwave: { secretKey: `FLWSECK_TEST-${random()}-X`, secretHash: random() },
  };
  const accounts = { paystack: await accountAt('paystack'), flutterwave: await accountAt('flutterwave') };
  const [first, second] = order;
  const document = {
    rules: [
      {
        ruleId: 'small-cards',
        name: 'Cards up to 5,000',
        enabled: true,
        when: { currency: 'NGN', methods: ['CARD'], amount: { from: 0, to: 5_000 } },
        then: { strategy: 'priority', accounts: [accounts[first], accounts[second]] },
      },
    ],
    defaultOrder: [accounts[first], accounts[second]],
  };
  expectKind(
    await publishRules(context, { merchantId, mode: 'test', document, baseVersion: 0, reason: null, actor: ACTOR }),
    'published',
  );
  if (!learnsFromOthers) {
    const changes = { learnFromOthers: false };
    expectKind(
      await changeHealthThresholds(context, { merchantId, mode: 'test', changes, revision: 0, actor: ACTOR }),
      'changed',
    );
  }
  return { merchantId, merchantNumber: merchant.merchantNumber, testKey, liveKey, accounts, gatewayKeys };

  async function keyOf(mode: 'test' | 'live'): Promise<string> {
    const issued = expectKind(
      await issueKey(context, { merchantId, mode, name: `${mode} key`, expiresAt: null, actor: ACTOR }),
      'issued',
    );
    secrets.push(issued.secretKey);
    return issued.secretKey;
  }

  async function accountAt(gateway: GatewayName): Promise<string> {
    const { secretKey, secretHash } = gatewayKeys[gateway];
    secrets.push(secretKey, ...(secretHash === null ? [] : [secretHash]));
    const { account } = expectKind(
      await connectGateway(context, {
        merchantId,
        mode: 'test',
        gateway,
        label: `${gateway}-main`,
        enabled: true,
        credentials: { secretKey, ...(secretHash !== null && { secretHash }) },
        currencies: ['NGN'],
        methods: ['CARD', 'TRANSFER', 'USSD', 'BANK'],
        minAmount: 100,
        maxAmount: null,
        fees: null,
        baseUrl: gateways.baseUrls[gateway],
        actor: ACTOR,
      }),
      'connected',
    );
    const webhookUrl = `${switchyard.resources.publicUrl}/webhooks/${gateway}/${account.id}`;
    await gateways.register(gateway, { secretKey, webhookUrl, webhookSecretHash: secretHash });
    return account.id;
  }
}

function random(): string {
  return randomBytes(18).toString('hex');
}

/** Returns the outcome; throws when it is of another kind. */
function expectKind<Outcome extends { readonly kind: string }, Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
): Extract<Outcome, { kind: Kind }> {
  if (isOfKind(outcome, kind)) return outcome;
  throw new Error(`the test harness could not be set up: ${JSON.stringify(outcome)} instead of ${kind}`);
}

function isOfKind<Outcome extends { readonly kind: string }, Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
): outcome is Extract<Outcome, { kind: Kind }> {
  return outcome.kind === kind;
}
