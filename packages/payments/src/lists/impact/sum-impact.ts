import { addDecimals } from '@switchyard/db/decimals';

/** A payment that met the fault of an incident: one of the incident's accounts failed to open a checkout of it. */
export interface MetPayment {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly currency: string;
  /** Whole main units. */
  readonly amount: bigint;
  /** The method that was used, else the requested one. */
  readonly method: string | null;
  /** When it was paid; null where it was not. */
  readonly paidAt: Date | null;
  readonly outcome: ImpactOutcome;
  /** True if the customer had a checkout at another account than those that failed. */
  readonly isInCheckout: boolean;
  /** The account that was paid, else the one whose checkout the customer was given; null without either. */
  readonly accountId: string | null;
  /** That account's gateway. */
  readonly gateway: string | null;
  /** Where the card that paid is from; null where that is not known. */
  readonly cardOrigin: 'local' | 'international' | null;
  /** The incident's accounts that failed to open a checkout of it, in the order in which they were tried. */
  readonly failedAccountIds: readonly string[];
}

/**
 * Outcome of a payment that met the fault.
 * - `recovered`: paid, at another account.
 * - `same_account`: paid, at an account that had failed: on a later attempt, or in a checkout that it had opened without an answer.
 * - `retried`: not paid; the same customer paid the same amount with another payment within a day.
 * - `open`: not paid yet, and can still be.
 * - `lost`: none of these.
 */
export type ImpactOutcome = 'recovered' | 'same_account' | 'retried' | 'open' | 'lost';

export const IMPACT_OUTCOMES: readonly ImpactOutcome[] = ['recovered', 'same_account', 'retried', 'open', 'lost'];

/** Parts of the impact that a list of payments may be of: the outcomes, and the lost ones that {@link CurrencyImpact.lostInCheckout} counts. */
export const LISTED_OUTCOMES = ['recovered', 'same_account', 'retried', 'open', 'lost', 'lost_in_checkout'] as const;

/** See {@link LISTED_OUTCOMES}. */
export type ListedOutcome = (typeof LISTED_OUTCOMES)[number];

/** Payments counted, and their amounts added up in whole main units. */
export interface ImpactSum {
  readonly payments: number;
  readonly amount: bigint;
}

/** Payments of one currency that met the fault of incidents, by what became of them. */
export interface OutcomeSums {
  readonly currency: string;
  /** All payments that met the fault; the outcomes add up to it. */
  readonly met: ImpactSum;
  readonly outcomes: Readonly<Record<ImpactOutcome, ImpactSum>>;
}

/** The impact of an incident on payments of one currency. */
export interface CurrencyImpact extends OutcomeSums {
  /** The recovered ones by the gateway that was paid, the most payments first. */
  readonly recoveredBy: readonly (ImpactSum & { readonly gateway: string })[];
  /** The lost payments whose customer had a checkout at another account and did not pay. */
  readonly lostInCheckout: ImpactSum;
  /** Extra cost of recovered payments, by contract, over the account that failed first. */
  readonly extraFee: {
    /** An exact decimal of the main unit; negative where the other gateways were cheaper. */
    readonly amount: string;
    /** Recovered payments that it is of, and those of an account without a contract, which it leaves out. */
    readonly payments: number;
    readonly withoutContract: number;
  };
  /** Loss if no other account had been tried: the lost and the recovered. */
  readonly lostWithoutFallbacks: ImpactSum;
}

/** The contract fee of a payment at an account, in hundredths of the main unit; null where the account had no contract then. */
export type FeeAt = (payment: MetPayment, accountId: string) => number | null;

/** Adds up the impact by currency, that of the most payments first. Money of different currencies is never added. */
export function sumImpact(payments: readonly MetPayment[], feeAt: FeeAt): CurrencyImpact[] {
  const byCurrency = Map.groupBy(payments, ({ currency }) => currency);
  return [...byCurrency].map(([currency, own]) => sumCurrency(currency, own, feeAt)).sort(mostPaymentsFirst);
}

/** Compares the impact on payments of two currencies: that of more payments comes first. */
export function mostPaymentsFirst(left: OutcomeSums, right: OutcomeSums): number {
  return right.met.payments - left.met.payments || (left.currency < right.currency ? -1 : 1);
}

function sumCurrency(currency: string, payments: readonly MetPayment[], feeAt: FeeAt): CurrencyImpact {
  const grouped = Map.groupBy(payments, ({ outcome }) => outcome);
  const of = (outcome: ImpactOutcome) => grouped.get(outcome) ?? [];
  const recovered = of('recovered');
  const fees = recovered.map((payment) => extraFee(payment, feeAt)).filter((fee) => fee !== null);
  const byGateway = Map.groupBy(recovered, ({ gateway }) => gateway ?? '');
  return {
    currency,
    met: sum(payments),
    outcomes: {
      recovered: sum(recovered),
      same_account: sum(of('same_account')),
      retried: sum(of('retried')),
      open: sum(of('open')),
      lost: sum(of('lost')),
    },
    recoveredBy: [...byGateway]
      .map(([gateway, own]) => ({ gateway, ...sum(own) }))
      .sort((left, right) => right.payments - left.payments || (left.gateway < right.gateway ? -1 : 1)),
    lostInCheckout: sum(of('lost').filter(({ isInCheckout }) => isInCheckout)),
    extraFee: {
      amount: decimalOf(fees.reduce((total, fee) => total + fee, 0n)),
      payments: fees.length,
      withoutContract: recovered.length - fees.length,
    },
    lostWithoutFallbacks: sum([...of('lost'), ...recovered]),
  };
}

function extraFee(payment: MetPayment, feeAt: FeeAt): bigint | null {
  const [failed] = payment.failedAccountIds;
  if (failed === undefined || payment.accountId === null) return null;
  const paid = feeAt(payment, payment.accountId);
  const spared = feeAt(payment, failed);
  return paid === null || spared === null ? null : BigInt(paid) - BigInt(spared);
}

/** Hundredths of the main unit as an exact decimal. */
function decimalOf(hundredths: bigint): string {
  const size = hundredths < 0n ? -hundredths : hundredths;
  const decimal = `${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
  return addDecimals(hundredths < 0n ? `-${decimal}` : decimal);
}

function sum(payments: readonly { readonly amount: bigint }[]): ImpactSum {
  return { payments: payments.length, amount: payments.reduce((total, { amount }) => total + amount, 0n) };
}
