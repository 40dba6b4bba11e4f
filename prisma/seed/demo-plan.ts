import type { GatewayAccountSettings } from '@switchyard/merchants/console';
import type { FeeSchedule, Rule } from '@switchyard/routing';
import type { SeedSettings } from './settings.ts';

/** The definition of a demo merchant. */
export interface DemoMerchantPlan {
  readonly merchantNumber: string;
  readonly name: string;
  readonly paystack: DemoAccountPlan;
  readonly flutterwave: DemoAccountPlan;
}

/** An account at a simulator; every demo account is in test mode. */
export interface DemoAccountPlan extends Omit<GatewayAccountSettings, 'baseUrl'> {
  readonly gateway: 'paystack' | 'flutterwave';
  readonly baseUrl: string;
}

/** Paystack's published price for local cards. */
const paystackFees: FeeSchedule = { percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 0 };
/** Flutterwave's published local price, VAT on top. */
const flutterwaveFees: FeeSchedule = { percentBasisPoints: 140, flat: 0, flatWaivedBelow: null, cap: 2_000, vatBasisPoints: 750 };

/** The first two have API keys for people and tests, the others generated history only. The sandbox gets the same gateway keys. */
const MERCHANTS = [
  ['M-100001', 'Balogun Street Fabrics', 'demo', 'sandbox-flutterwave-hash'],
  ['M-100002', 'Lekki Garden Kitchen', 'second', 'sandbox-flutterwave-hash-second'],
  ['M-100003', 'Yaba Gadget Hub', 'gadgets', 'sandbox-flutterwave-hash-gadgets'],
  ['M-100004', 'Bright Path Schools', 'schools', 'sandbox-flutterwave-hash-schools'],
] as const;

/** The demo merchants, each with an account at both simulators. */
export function demoMerchants(settings: SeedSettings): readonly [DemoMerchantPlan, DemoMerchantPlan, ...DemoMerchantPlan[]] {
  const account = { enabled: true, currencies: ['NGN'], maxAmount: null };
  const planOf = ([merchantNumber, name, key, secretHash]: (typeof MERCHANTS)[number]): DemoMerchantPlan => ({
    merchantNumber,
    name,
    paystack: {
      ...account,
      gateway: 'paystack',
      label: 'paystack-main',
      credentials: { secretKey: `sk_test_sandbox_paystack_${key}` },
      methods: ['CARD', 'TRANSFER', 'USSD', 'BANK', 'QR'],
      minAmount: 50,
      fees: paystackFees,
      baseUrl: settings.paystackUrl,
    },
    flutterwave: {
      ...account,
      gateway: 'flutterwave',
      label: 'flutterwave-main',
      credentials: { secretKey: `FLWSECK_TEST-sandboxflutterwave${key}-X`, secretHash },
      methods: ['CARD', 'TRANSFER', 'USSD', 'BANK', 'QR', 'WALLET'],
      minAmount: 100,
      fees: flutterwaveFees,
      baseUrl: settings.flutterwaveUrl,
    },
  });
  const [first, second, ...others] = MERCHANTS;
  return [planOf(first), planOf(second), ...others.map(planOf)];
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
