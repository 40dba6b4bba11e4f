import { randomBytes } from 'node:crypto';
import type { Switchyard } from '@switchyard/api/process';
import { connectGateway, createMerchant, issueKey } from '@switchyard/merchants/console';
import { changeHealthThresholds } from '@switchyard/provider-health/console';
import { publishRules } from '@switchyard/rule-sets';
import { GATEWAYS, type GatewayName, type Gateways } from './gateways.ts';

/** A merchant with its keys and its test accounts at both gateways. */
export interface HouseMerchant {
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
  /** Chosen beside the webhook's address, where the gateway has such a thing. */
  readonly secretHash: string | null;
}

export interface MerchantWishes {
  /** The default order; card payments up to 5,000 follow a rule that says the same. */
  readonly order?: readonly [GatewayName, GatewayName];
  readonly defaultRedirectUrl?: string;
  /** Whether trouble that other merchants of the house have at a gateway counts for this one; not unless it is asked for. */
  readonly learnsFromOthers?: boolean;
}

const ACTOR = 'system:test';

/** Takes in a merchant, connects it to both gateways and tells these its keys. Every secret made on the way goes to `secrets`. */
export async function createTestMerchant(
  switchyard: Pick<Switchyard, 'merchants' | 'resources'>,
  gateways: Pick<Gateways, 'baseUrls' | 'register'>,
  secrets: string[],
  { order = GATEWAYS, defaultRedirectUrl, learnsFromOthers = false }: MerchantWishes,
): Promise<HouseMerchant> {
  const context = switchyard.merchants;
  const command = { name: 'Adaeze Fabrics', defaultRedirectUrl: defaultRedirectUrl ?? null, actor: ACTOR };
  const { merchant } = demand(await createMerchant(context, command), 'created');
  const merchantId = merchant.id;
  const [testKey, liveKey] = [await keyOf('test'), await keyOf('live')];
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
  demand(
    await publishRules(context, { merchantId, mode: 'test', document, baseVersion: 0, reason: null, actor: ACTOR }),
    'published',
  );
  if (!learnsFromOthers) {
    const changes = { learnFromOthers: false };
    demand(await changeHealthThresholds(context, { merchantId, mode: 'test', changes, revision: 0, actor: ACTOR }), 'changed');
  }
  return { merchantId, merchantNumber: merchant.merchantNumber, testKey, liveKey, accounts, gatewayKeys };

  async function keyOf(mode: 'test' | 'live'): Promise<string> {
    const issued = demand(
      await issueKey(context, { merchantId, mode, name: `${mode} key`, expiresAt: null, actor: ACTOR }),
      'issued',
    );
    secrets.push(issued.secretKey);
    return issued.secretKey;
  }

  async function accountAt(gateway: GatewayName): Promise<string> {
    const { secretKey, secretHash } = gatewayKeys[gateway];
    secrets.push(secretKey, ...(secretHash === null ? [] : [secretHash]));
    const { account } = demand(
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

/** The outcome, which must be of this kind. */
function demand<Outcome extends { readonly kind: string }, Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
): Extract<Outcome, { kind: Kind }> {
  if (isOfKind(outcome, kind)) return outcome;
  throw new Error(`the house could not be set up: ${JSON.stringify(outcome)} instead of ${kind}`);
}

function isOfKind<Outcome extends { readonly kind: string }, Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
): outcome is Extract<Outcome, { kind: Kind }> {
  return outcome.kind === kind;
}
