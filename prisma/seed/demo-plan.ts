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

/** The two demo merchants. The sandbox gets the same gateway keys. */
export function demoMerchants(settings: SeedSettings): readonly [DemoMerchantPlan, DemoMerchantPlan] {
  return [
    {
      merchantNumber: 'M-100001',
      name: 'Balogun Street Fabrics',
      paystack: paystackAccount(settings, 'sk_test_sandbox_paystack_demo'),
      flutterwave: flutterwaveAccount(settings, {
        secretKey: 'FLWSECK_TEST-sandboxflutterwavedemo-X',
        secretHash: 'sandbox-flutterwave-hash',
      }),
    },
    {
      merchantNumber: 'M-100002',
      name: 'Lekki Garden Kitchen',
      paystack: paystackAccount(settings, 'sk_test_sandbox_paystack_second'),
      flutterwave: flutterwaveAccount(settings, {
        secretKey: 'FLWSECK_TEST-sandboxflutterwavesecond-X',
        secretHash: 'sandbox-flutterwave-hash-second',
      }),
    },
  ];
}

/** Two more merchants, with generated history only. */
export function moreDemoMerchants(settings: SeedSettings): readonly DemoMerchantPlan[] {
  return [
    {
      merchantNumber: 'M-100003',
      name: 'Yaba Gadget Hub',
      paystack: paystackAccount(settings, 'sk_test_sandbox_paystack_gadgets'),
      flutterwave: flutterwaveAccount(settings, {
        secretKey: 'FLWSECK_TEST-sandboxflutterwavegadgets-X',
        secretHash: 'sandbox-flutterwave-hash-gadgets',
      }),
    },
    {
      merchantNumber: 'M-100004',
      name: 'Bright Path Schools',
      paystack: paystackAccount(settings, 'sk_test_sandbox_paystack_schools'),
      flutterwave: flutterwaveAccount(settings, {
        secretKey: 'FLWSECK_TEST-sandboxflutterwaveschools-X',
        secretHash: 'sandbox-flutterwave-hash-schools',
      }),
    },
  ];
}

function paystackAccount(settings: SeedSettings, secretKey: string): DemoAccountPlan {
  return {
    gateway: 'paystack',
    label: 'paystack-main',
    enabled: true,
    credentials: { secretKey },
    currencies: ['NGN'],
    methods: ['CARD', 'TRANSFER', 'USSD', 'BANK', 'QR'],
    minAmount: 50,
    maxAmount: null,
    fees: paystackFees,
    baseUrl: settings.paystackUrl,
  };
}

function flutterwaveAccount(
  settings: SeedSettings,
  credentials: { readonly secretKey: string; readonly secretHash: string },
): DemoAccountPlan {
  return {
    gateway: 'flutterwave',
    label: 'flutterwave-main',
    enabled: true,
    credentials,
    currencies: ['NGN'],
    methods: ['CARD', 'TRANSFER', 'USSD', 'BANK', 'QR', 'WALLET'],
    minAmount: 100,
    maxAmount: null,
    fees: flutterwaveFees,
    baseUrl: settings.flutterwaveUrl,
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
