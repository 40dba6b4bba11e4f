import { randomBytes } from 'node:crypto';
import { issueKey } from '@switchyard/merchants/console/api-keys';
import { connectGateway, describeGateways } from '@switchyard/merchants/console/gateway-accounts';
import { createMerchant } from '@switchyard/merchants/console/merchants';
import { changeHealthThresholds } from '@switchyard/provider-health/console';
import { publishRules } from '@switchyard/rule-sets/versions';
import type { RuntimeContext } from '@switchyard/runtime';
import { ofEachGateway, simulators } from '@switchyard/sandbox';
import { GATEWAYS, type GatewayName, type Gateways, PAIR } from './gateways.ts';

/** A merchant with its keys and its test accounts at gateways. */
export interface TestMerchant {
  readonly merchantId: string;
  readonly merchantNumber: string;
  readonly testKey: string;
  readonly liveKey: string;
  /** Ids of its accounts; empty text at a gateway it has none at. */
  readonly accounts: Readonly<Record<GatewayName, string>>;
  /** Keys of the merchant's accounts at the gateways. */
  readonly gatewayKeys: Readonly<Record<GatewayName, GatewayKeys>>;
}

/** Credentials by the names of the connector's fields. */
export type GatewayKeys = Readonly<Record<string, string>>;

export interface TestMerchantOptions {
  /** Where it has accounts, in the default order; card payments up to 5,000 follow a rule with the same order. */
  readonly order?: readonly [GatewayName, ...GatewayName[]];
  readonly defaultRedirectUrl?: string;
  /** True if the outcomes of other merchants at a gateway count for this one; not by default. */
  readonly learnsFromOthers?: boolean;
  /** Milliseconds that a gateway may take to open a checkout before the next one is tried. */
  readonly openingTimeoutMs?: number;
}

const ACTOR = 'system:test';
const METHODS = ['CARD', 'TRANSFER', 'USSD', 'BANK'] as const;

/** Creates a merchant, connects it to gateways and registers its keys there. Every secret created goes to `secrets`. */
export async function createTestMerchant(
  context: RuntimeContext,
  gateways: Pick<Gateways, 'baseUrlOf' | 'register'>,
  secrets: string[],
  { order = PAIR, defaultRedirectUrl, learnsFromOthers = false, openingTimeoutMs }: TestMerchantOptions,
): Promise<TestMerchant> {
  const command = { name: 'Adaeze Fabrics', defaultRedirectUrl: defaultRedirectUrl ?? null, actor: ACTOR };
  const { merchant } = expectKind(await createMerchant(context, command), 'created');
  const merchantId = merchant.id;
  const testKey = await keyOf('test');
  const liveKey = await keyOf('live');
  const gatewayKeys = ofEachGateway((gateway): GatewayKeys => simulators[gateway].credentialsFor(random()));
  const connected = new Map<GatewayName, string>();
  for (const gateway of GATEWAYS) if (order.includes(gateway)) connected.set(gateway, await accountAt(gateway));
  const accounts = ofEachGateway((gateway) => connected.get(gateway) ?? '');
  const inOrder = order.map((gateway) => accounts[gateway]);
  const document = {
    rules: [
      {
        ruleId: 'small-cards',
        name: 'Cards up to 5,000',
        enabled: true,
        when: { currency: 'NGN', methods: ['CARD'], amount: { from: 0, to: 5_000 } },
        then: { strategy: 'priority', accounts: inOrder },
      },
    ],
    defaultOrder: inOrder,
  };
  expectKind(
    await publishRules(context, { merchantId, mode: 'test', document, baseVersion: 0, reason: null, actor: ACTOR }),
    'published',
  );
  const changes = {
    ...(!learnsFromOthers && { learnFromOthers: false }),
    ...(openingTimeoutMs !== undefined && { openingTimeoutMinMs: openingTimeoutMs, openingTimeoutMaxMs: openingTimeoutMs }),
  };
  if (Object.keys(changes).length > 0) {
    expectKind(
      await changeHealthThresholds(context, { merchantId, mode: 'test', changes, revision: 0, actor: ACTOR }),
      'changed',
    );
  }
  return { merchantId, merchantNumber: merchant.merchantNumber, testKey, liveKey, accounts, gatewayKeys };

  async function keyOf(mode: 'test' | 'live'): Promise<string> {
    const issued = expectKind(
      await issueKey(context, { merchantId, mode, name: `${mode} key`, expiresAt: null, scopes: ['full_access'], actor: ACTOR }),
      'issued',
    );
    secrets.push(issued.secretKey);
    return issued.secretKey;
  }

  async function accountAt(gateway: GatewayName): Promise<string> {
    const credentials = gatewayKeys[gateway];
    const kind = describeGateways().find(({ name }) => name === gateway);
    if (kind === undefined) throw new Error(`the gateway ${gateway} has a simulator and no connector`);
    secrets.push(
      ...kind.fields.flatMap(({ name, secret }) => (secret && credentials[name] !== undefined ? [credentials[name]] : [])),
    );
    const { account } = expectKind(
      await connectGateway(context, {
        merchantId,
        mode: 'test',
        gateway,
        label: `${gateway}-main`,
        enabled: true,
        credentials,
        currencies: ['NGN'],
        methods: METHODS.filter((method) => kind.methods.includes(method)),
        minAmount: 100,
        maxAmount: null,
        fees: null,
        baseUrl: gateways.baseUrlOf(gateway),
        actor: ACTOR,
      }),
      'connected',
    );
    const webhookUrl = `${context.resources.publicUrl}/webhooks/${gateway}/${account.id}`;
    await gateways.register(gateway, { ...credentials, webhookUrl });
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
