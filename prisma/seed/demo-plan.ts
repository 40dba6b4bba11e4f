import { findGateway } from '@switchyard/gateways';
import { type GatewayAccountSettings, PUBLISHED_FEES } from '@switchyard/merchants/console/gateway-accounts';
import { type FeeSchedule, PAYMENT_METHODS, type Rule } from '@switchyard/routing';
import { type GatewayName, gatewayNames, simulators } from '@switchyard/sandbox';
import type { SeedSettings } from './settings.ts';

/** The definition of a demo merchant. */
export interface DemoMerchantPlan {
  readonly merchantNumber: string;
  readonly name: string;
  /** The two accounts that the rules name and that have a past. */
  readonly paystack: DemoAccountPlan;
  readonly flutterwave: DemoAccountPlan;
  /** One at each further gateway, which no rule names: for payments that request it, and when all others are out. */
  readonly others: readonly DemoAccountPlan[];
}

/** An account at a simulator; every demo account is in test mode. */
export interface DemoAccountPlan extends Omit<GatewayAccountSettings, 'baseUrl'> {
  /** Its first contract. */
  readonly fees: FeeSchedule | null;
  readonly gateway: GatewayName;
  readonly baseUrl: string;
}

/** The first two have API keys for people and tests, the others generated history only. The last part is in their accounts' credentials. */
const MERCHANTS = [
  ['M-100001', 'Balogun Street Fabrics', 'demo'],
  ['M-100002', 'Lekki Garden Kitchen', 'second'],
  ['M-100003', 'Yaba Gadget Hub', 'gadgets'],
  ['M-100004', 'Bright Path Schools', 'schools'],
] as const;

/** The demo merchants, each with an account at every gateway that has a simulator. */
export function demoMerchants(settings: SeedSettings): readonly [DemoMerchantPlan, DemoMerchantPlan, ...DemoMerchantPlan[]] {
  const planOf = ([merchantNumber, name, holder]: (typeof MERCHANTS)[number]): DemoMerchantPlan => ({
    merchantNumber,
    name,
    paystack: accountPlan('paystack', holder, settings),
    flutterwave: accountPlan('flutterwave', holder, settings),
    others: gatewayNames
      .filter((gateway) => gateway !== 'paystack' && gateway !== 'flutterwave')
      .map((gateway) => accountPlan(gateway, holder, settings)),
  });
  const [first, second, ...others] = MERCHANTS;
  return [planOf(first), planOf(second), ...others.map(planOf)];
}

/** An account with everything its gateway offers, at the gateway's published price, that the simulator has. */
function accountPlan(gateway: GatewayName, holder: string, { sandboxUrl }: SeedSettings): DemoAccountPlan {
  const connector = findGateway(gateway);
  if (connector === null) throw new Error(`the gateway ${gateway} has a simulator and no connector`);
  const { currencies, methods, minAmount } = connector.capabilities;
  return {
    gateway,
    label: `${gateway}-main`,
    enabled: true,
    credentials: simulators[gateway].credentialsFor(holder),
    currencies: [...currencies],
    methods: PAYMENT_METHODS.filter((method) => methods.includes(method)),
    minAmount,
    maxAmount: null,
    fees: PUBLISHED_FEES.find((published) => published.gateway === gateway)?.schedule ?? null,
    baseUrl: `${sandboxUrl}/${gateway}${simulators[gateway].apiPath}`,
  };
}

/** Small cards and all transfers to Paystack first, larger cards to Flutterwave first; each the other's fallback. */
export function demoRules(paystackId: string, flutterwaveId: string): { rules: Rule[]; defaultOrder: string[] } {
  const priority = (...accounts: string[]) => ({ strategy: 'priority', accounts }) as const;
  const rule = (
    ruleId: string,
    name: string,
    method: 'CARD' | 'TRANSFER',
    amount: Rule['when']['amount'],
    target: Rule['then'],
  ): Rule => ({
    ruleId,
    name,
    enabled: true,
    when: { currency: 'NGN', methods: [method], amount },
    then: target,
  });
  return {
    rules: [
      rule('card-small', 'Cards up to 5,000', 'CARD', { from: 0, to: 5_000 }, priority(paystackId, flutterwaveId)),
      rule('card-medium', 'Cards from 5,001 to 50,000', 'CARD', { from: 5_001, to: 50_000 }, priority(flutterwaveId, paystackId)),
      rule('transfer', 'Bank transfers', 'TRANSFER', { from: 0, to: null }, priority(paystackId, flutterwaveId)),
    ],
    defaultOrder: [paystackId, flutterwaveId],
  };
}
