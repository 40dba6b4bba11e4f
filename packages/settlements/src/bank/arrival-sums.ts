import { addDecimals, subtractDecimals } from '@switchyard/db/decimals';
import type { ArrivalState } from './arrivals.ts';
import type { BankPayoutItem } from './read-bank.ts';

/** Payouts of one currency with what reached the bank of them. Amounts are exact decimals of the main unit. */
export interface ArrivalSums {
  readonly currency: string;
  readonly payouts: number;
  readonly paidOut: string;
  readonly arrived: string;
  /** Of payouts that may still come, that are missing, and of days that no statement is of; less what came of them. */
  readonly onTheWay: string;
  readonly missing: string;
  readonly notCovered: string;
  /** Difference between the money that came and the payouts it is of; negative where it is short. */
  readonly difference: string;
}

/** An account's payouts of a day. */
export interface ArrivalDay extends ArrivalSums {
  readonly merchantId: string;
  readonly accountId: string;
  readonly gateway: string;
  /** `YYYY-MM-DD`. */
  readonly settledOn: string;
}

type Arrived = Pick<
  BankPayoutItem,
  'merchantId' | 'accountId' | 'gateway' | 'settledOn' | 'currency' | 'net' | 'state' | 'arrived'
>;

/** Payouts added up by currency, and by day, account and currency in their order. Pure. */
export function sumArrivals(payouts: readonly Arrived[]): {
  readonly sums: readonly ArrivalSums[];
  readonly days: readonly ArrivalDay[];
} {
  const byDay = Map.groupBy(payouts, ({ settledOn, accountId, currency }) => `${settledOn} ${accountId} ${currency}`);
  return {
    sums: [...Map.groupBy(payouts, ({ currency }) => currency)].map(([currency, own]) => sumsOf(currency, own)),
    days: [...byDay.values()].flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const { merchantId, accountId, gateway, settledOn, currency } = first;
      return [{ merchantId, accountId, gateway, settledOn, ...sumsOf(currency, own) }];
    }),
  };
}

function sumsOf(currency: string, payouts: readonly Arrived[]): ArrivalSums {
  const lacking = (...states: readonly ArrivalState[]) => {
    const own = payouts.filter(({ state }) => states.includes(state));
    return addDecimals(...own.map(({ net, arrived }) => subtractDecimals(net, arrived ?? '0')));
  };
  return {
    currency,
    payouts: payouts.length,
    paidOut: addDecimals(...payouts.map((payout) => payout.net)),
    arrived: addDecimals(...payouts.flatMap((payout) => payout.arrived ?? [])),
    onTheWay: lacking('on_the_way'),
    missing: lacking('missing'),
    notCovered: lacking('not_covered'),
    difference: subtractDecimals('0', lacking('arrived', 'short', 'over')),
  };
}
