import { drawsFor, type Rng } from '../../../world/plan/rng.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Gateways of the model: names of real ones, with ways of their own in each world. */
export const GATEWAYS = ['paystack', 'flutterwave', 'monnify', 'squad', 'kora', 'interswitch'] as const;
export type GatewayName = (typeof GATEWAYS)[number];

/** Ways of a gateway in which it differs from others. */
export interface Quirks {
  /** How long a payment is only pending after the customer has paid. */
  readonly settlesAfterMs: number;
  /** True if it knows nothing of a checkout until the customer acts. */
  readonly forgetsUnpaid: boolean;
  /** The answer to a checkout under a used reference: the first one, or a refusal. */
  readonly repeatedReference: 'same' | 'refused';
  /** True if it sends webhooks. */
  readonly sendsWebhooks: boolean;
  /** Most milliseconds that a webhook is on its way. */
  readonly webhookMs: number;
  /** True if a repeated request for a refund is refused by its reference, and not paid out again. */
  readonly knowsRefundReferences: boolean;
  /** True if a transaction that went back as a whole has a status of its own. */
  readonly saysReversed: boolean;
  /** For how long after a payment it answers a status that no document lists. */
  readonly strangeForMs: number;
  /** True if a refused payment cannot be tried again on the same page. */
  readonly declinesForGood: boolean;
  /** Its fee in hundredths of a percent, and most of it in hundredths of the main unit. */
  readonly feeBasisPoints: number;
  readonly feeMax: number;
}

/** Behaviour of the customer at the checkout. */
export const CUSTOMERS = [
  ['pays', 50],
  ['walks_away', 12],
  ['is_declined', 6],
  ['is_declined_then_pays', 5],
  ['pays_less', 2],
  ['pays_cents_more', 2],
  ['pays_other_currency', 2],
  ['pays_everywhere', 9],
  /** Declined at the checkout that was given out, after a payment at one that was not. */
  ['pays_elsewhere_and_is_declined', 2],
  ['pays_late', 8],
  ['pays_everywhere_late', 4],
] as const;
export type Customer = (typeof CUSTOMERS)[number][0];

export const REFUNDS = [
  ['none', 58],
  ['whole', 16],
  ['part', 12],
  ['in_parts', 10],
  ['too_much', 4],
] as const;

export interface PaymentPlan {
  readonly number: number;
  readonly merchant: number;
  readonly orderId: string;
  readonly startMs: number;
  /** Whole main units. */
  readonly amount: number;
  readonly currency: 'NGN' | 'GHS' | 'USD';
  readonly method: 'CARD' | 'TRANSFER' | null;
  /** True if the merchant's server sends the order a second time at once. */
  readonly isSentTwice: boolean;
  readonly customer: Customer;
  /** True if the customer first pays at checkouts whose address was not given out. */
  readonly paysElsewhereFirst: boolean;
  readonly thinkMs: number;
  /** How long after the session's end a late customer pays. */
  readonly lateMs: number;
  /** True if the customer's browser returns to us after a payment. */
  readonly returns: boolean;
  /** True if it is checked for as long as money may come, though its customer does nothing more. */
  readonly isFollowed: boolean;
  /** How often the merchant verifies it. */
  readonly polls: number;
  readonly refund: (typeof REFUNDS)[number][0];
  readonly refundAfterMs: number;
  /** How a refund ends at its gateway, after how long. */
  readonly refundEnds: 'succeeds' | 'fails';
  readonly refundTakesMs: number;
  /** How long after the payment its customer disputes it, and who keeps the money; null for no dispute. */
  readonly dispute: { readonly afterMs: number; readonly decidedAfterMs: number; readonly isLost: boolean } | null;
  /** How long after the payment its gateway takes the money back by itself; null for never. */
  readonly reversedAfterMs: number | null;
}

/** Faults, each of a length of its own. */
export const FAULTS = [
  'gateway_down',
  'gateway_errors',
  'gateway_silent',
  'gateway_late',
  'gateway_limits_rate',
  'webhook_backlog',
  'webhooks_lost',
  'webhooks_repeated',
  'process_crashes',
  'process_pauses',
  'clock_jumps',
  'database_away',
  'database_slow',
  'connections_lost',
  'endpoint_refuses',
  'endpoint_redirects',
  'endpoint_silent',
  'hints_lost',
] as const;
export type FaultKind = (typeof FAULTS)[number];

export interface FaultPlan {
  readonly kind: FaultKind;
  readonly atMs: number;
  readonly lengthMs: number;
  /** Selects the target, modulo their number. */
  readonly which: number;
  /** Share of what meets the fault that it strikes. */
  readonly share: number;
}

/** A payout of each account, which leaves out one of the charges that it should pay. */
export interface PayoutPlan {
  /** How the gateway names its items. */
  readonly naming: 'reference' | 'transaction';
  /** Selects the charge that is left out, modulo their number. */
  readonly leftOut: number;
}

export interface MerchantPlan {
  readonly sessionMinutes: number;
  readonly refundDuplicates: boolean;
  readonly endpoints: number;
  /** Gateways of its accounts, in the order in which they are tried. */
  readonly gateways: readonly GatewayName[];
}

/** The theme of a world: faults and customers that make likely what a world about everything hardly ever does. */
const THEMES = [
  'everything',
  'everything',
  'second_attempts',
  'refunds_under_doubt',
  'stalled_processes',
  'slow_database',
] as const;
export type ModelTheme = (typeof THEMES)[number];

/** A world of the model, from its seed. */
export interface ModelPlan {
  readonly seed: number;
  readonly theme: ModelTheme;
  readonly merchants: readonly MerchantPlan[];
  readonly quirks: Readonly<Record<GatewayName, Quirks>>;
  readonly processes: number;
  /** Most milliseconds of a statement between faults. */
  readonly latencyMs: number;
  readonly busyMs: number;
  readonly payments: readonly PaymentPlan[];
  readonly faults: readonly FaultPlan[];
  /** How payouts name their items, and which of them they leave out. */
  readonly payout: PayoutPlan;
  /** None beside {@link ModelPlan.faults}. */
  readonly outage: null;
}

/** A theme by its name; null for one that the model does not have. */
export function findTheme(name: string | null): ModelTheme | null {
  return THEMES.find((theme) => theme === name) ?? null;
}

/** Plans the world of a seed, about something else where a theme is given. */
export function planModel(seed: number, payments: number, about: ModelTheme | null = null): ModelPlan {
  const draws = drawsFor(seed, 'model');
  const drawn = draws.pick(THEMES);
  const theme = about ?? drawn;
  const busyMs = theme === 'everything' ? draws.pick([10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 2 * DAY_MS]) : 20 * MINUTE_MS;
  const faults = planFaults(draws, theme, busyMs);
  const merchants = Array.from({ length: 2 }, (): MerchantPlan => {
    const gateways = draws.shuffled(GATEWAYS).slice(0, draws.between(2, 4));
    return {
      sessionMinutes: draws.pick([15, 15, 15, 30, 60]),
      refundDuplicates: draws.chance(0.6),
      endpoints: draws.pick([1, 1, 2]),
      gateways,
    };
  });
  return {
    seed,
    theme,
    merchants,
    quirks: {
      paystack: planQuirks(draws),
      flutterwave: planQuirks(draws),
      monnify: planQuirks(draws),
      squad: planQuirks(draws),
      kora: planQuirks(draws),
      interswitch: planQuirks(draws),
    },
    processes: draws.pick([2, 2, 3]),
    latencyMs: draws.pick([1, 5, 40]),
    busyMs,
    payments: planReversals(seed, planPayments(draws, theme, payments, merchants.length, busyMs, faults)),
    faults: faults.sort((one, other) => one.atMs - other.atMs),
    payout: { naming: draws.pick(['reference', 'transaction']), leftOut: draws.between(0, 1_000) },
    outage: null,
  };
}

function planQuirks(draws: Rng): Quirks {
  return {
    settlesAfterMs: draws.pick([0, 0, 0, 2 * SECOND_MS, 2 * SECOND_MS, 5 * MINUTE_MS, 5 * MINUTE_MS, 20 * HOUR_MS]),
    forgetsUnpaid: draws.chance(0.4),
    repeatedReference: draws.pick(['same', 'refused']),
    sendsWebhooks: draws.chance(0.75),
    webhookMs: draws.pick([2 * SECOND_MS, MINUTE_MS]),
    knowsRefundReferences: draws.chance(0.3),
    saysReversed: draws.chance(0.4),
    strangeForMs: draws.pick([0, 0, 0, 10 * MINUTE_MS, 2 * HOUR_MS]),
    declinesForGood: draws.chance(0.5),
    feeBasisPoints: draws.pick([100, 140, 150]),
    feeMax: draws.pick([0, 200_000]),
  };
}

/** Kinds of faults that the worlds of a theme have most of. */
const FAULTS_OF: Readonly<Record<Exclude<ModelTheme, 'everything'>, readonly [FaultKind, ...FaultKind[]]>> = {
  second_attempts: ['gateway_silent', 'gateway_errors', 'gateway_late'],
  refunds_under_doubt: ['gateway_late', 'gateway_late', 'gateway_silent', 'clock_jumps', 'hints_lost'],
  stalled_processes: ['process_crashes', 'process_pauses', 'gateway_down', 'gateway_limits_rate', 'gateway_late'],
  slow_database: ['database_slow', 'webhooks_repeated', 'connections_lost'],
};

function planFaults(draws: Rng, theme: ModelTheme, busyMs: number): FaultPlan[] {
  if (theme === 'everything')
    return Array.from({ length: draws.between(0, 6) }, () => planFault(draws, draws.pick(FAULTS), busyMs));
  // All of the time, one after the other and on each other.
  return Array.from({ length: draws.between(4, 8) }, () => {
    const fault = planFault(draws, draws.pick(FAULTS_OF[theme]), busyMs);
    // A gateway that refuses some calls and answers others is worse than one that refuses all.
    const share = theme === 'stalled_processes' ? draws.pick([0.2, 0.5]) : fault.share;
    return { ...fault, share, lengthMs: Math.max(fault.lengthMs, draws.between(MINUTE_MS, 15 * MINUTE_MS)) };
  });
}

function planFault(draws: Rng, kind: FaultKind, busyMs: number): FaultPlan {
  return {
    kind,
    atMs: draws.between(0, busyMs),
    lengthMs: draws.pick(LENGTHS_MS[kind]),
    which: draws.between(0, 11),
    share: draws.pick([0.2, 0.5, 1]),
  };
}

const LONG = [MINUTE_MS, 10 * MINUTE_MS, 40 * MINUTE_MS, 3 * HOUR_MS] as const;

/** Lengths of each kind of fault, from moments to hours. */
const LENGTHS_MS: Readonly<Record<FaultKind, readonly [number, ...number[]]>> = {
  gateway_down: LONG,
  gateway_errors: LONG,
  gateway_silent: LONG,
  gateway_late: LONG,
  gateway_limits_rate: LONG,
  webhook_backlog: [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS],
  webhooks_lost: [10 * MINUTE_MS, 6 * HOUR_MS, DAY_MS],
  webhooks_repeated: [10 * MINUTE_MS, 6 * HOUR_MS],
  process_crashes: [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS],
  process_pauses: [10 * SECOND_MS, 40 * SECOND_MS, 90 * SECOND_MS, 5 * MINUTE_MS],
  clock_jumps: [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS],
  database_away: [5 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS],
  database_slow: [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS],
  connections_lost: [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS],
  endpoint_refuses: LONG,
  endpoint_redirects: LONG,
  endpoint_silent: LONG,
  hints_lost: [10 * MINUTE_MS, 6 * HOUR_MS],
};

/** Faults under which a checkout opens whose answer is lost, so that a second one is opened elsewhere. */
const LOSING: readonly FaultKind[] = ['gateway_errors', 'gateway_silent', 'gateway_late', 'process_crashes', 'process_pauses'];

/** One of so many payments is checked to the end of the three days in which money may come. */
const FOLLOWED = 10;

function planPayments(
  draws: Rng,
  theme: ModelTheme,
  count: number,
  merchants: number,
  busyMs: number,
  faults: readonly FaultPlan[],
): PaymentPlan[] {
  // Half of the payments come while something is wrong, or just before.
  const startOf = (): number => {
    const fault = faults.length > 0 && draws.chance(0.5) ? faults[draws.between(0, faults.length - 1)] : undefined;
    return fault === undefined ? draws.between(0, busyMs) : fault.atMs + draws.between(-2 * MINUTE_MS, fault.lengthMs);
  };
  const isAboutRefunds = theme === 'refunds_under_doubt';
  const starts = Array.from({ length: count }, () => Math.max(0, startOf())).sort((one, other) => one - other);
  return starts.map((startMs, at) => {
    const mayPayTwice = faults.some(
      ({ kind, atMs, lengthMs }) => LOSING.includes(kind) && startMs >= atMs && startMs <= atMs + lengthMs,
    );
    return {
      number: at + 1,
      merchant: draws.between(0, merchants - 1),
      orderId: `order-${at + 1}`,
      startMs,
      amount: draws.between(100, 50_000),
      currency: draws.pick(['NGN', 'NGN', 'NGN', 'GHS', 'USD']),
      method: draws.pick(['CARD', 'CARD', 'TRANSFER', null]),
      isSentTwice: draws.chance(0.1),
      customer: customerOf(draws, theme, mayPayTwice),
      paysElsewhereFirst: draws.chance(0.4),
      thinkMs:
        draws.pick(theme === 'everything' ? [SECOND_MS, 20 * SECOND_MS, 5 * MINUTE_MS] : [SECOND_MS, 20 * SECOND_MS]) +
        draws.between(0, SECOND_MS),
      lateMs: draws.pick([SECOND_MS, 10 * MINUTE_MS, 6 * HOUR_MS, 30 * HOUR_MS]),
      isFollowed: at % FOLLOWED === 0,
      polls: draws.pick([0, 0, 1, 2]),
      returns: draws.chance(0.7),
      refund: isAboutRefunds ? draws.pick(['part', 'in_parts', 'whole']) : draws.weighted(REFUNDS),
      refundAfterMs: isAboutRefunds ? draws.between(0, 5 * MINUTE_MS) : draws.pick([0, MINUTE_MS, HOUR_MS, 3 * DAY_MS]),
      refundEnds: draws.chance(0.12) ? 'fails' : 'succeeds',
      refundTakesMs: draws.pick([0, 0, 0, 0, MINUTE_MS, MINUTE_MS, MINUTE_MS, MINUTE_MS, 5 * HOUR_MS, 2 * DAY_MS]),
      dispute: draws.chance(0.05) ? planDispute(draws) : null,
      reversedAfterMs: null,
    };
  });
}

function customerOf(draws: Rng, theme: ModelTheme, mayPayTwice: boolean): Customer {
  if (theme === 'refunds_under_doubt' || theme === 'slow_database') return draws.chance(0.8) ? 'pays' : draws.weighted(CUSTOMERS);
  if (!mayPayTwice || draws.chance(0.4)) return draws.weighted(CUSTOMERS);
  return draws.pick(['pays_everywhere', 'pays_everywhere', 'pays_everywhere_late', 'pays_elsewhere_and_is_declined']);
}

function planReversals(seed: number, payments: readonly PaymentPlan[]): PaymentPlan[] {
  const draws = drawsFor(seed, 'reversals');
  return payments.map((payment) => {
    const isReversed = payment.dispute === null && draws.chance(0.06);
    return { ...payment, reversedAfterMs: isReversed ? draws.pick([MINUTE_MS, HOUR_MS, 5 * DAY_MS]) : null };
  });
}

function planDispute(draws: Rng): PaymentPlan['dispute'] {
  return {
    afterMs: draws.pick([HOUR_MS, 5 * DAY_MS, 60 * DAY_MS]),
    decidedAfterMs: draws.pick([HOUR_MS, 10 * DAY_MS]),
    isLost: draws.chance(0.6),
  };
}
