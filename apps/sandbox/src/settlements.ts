import { type SettlementFault, settlementFaults } from './faults/faults.ts';
import { type Account, type Charge, type Checkout, paidCharge, type Refund, type Settlement } from './ledger/records.ts';
import { isoTime, type Simulator } from './simulator.ts';
import { announceSettlement } from './webhooks/announce.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Lagos, which has no summer time. */
const lagosMs = hourMs;
/** Paystack's samples were created soon after 1:00 UTC of the day of the payout. */
const createdHour = 1;
const lateDays = 2;

/** Faults planted in payments, by their reference, beside those that the switch causes. */
export type PlantedFaults = ReadonlyMap<string, SettlementFault>;

/** A payment, or the rest of one, that was not paid out yet. */
interface Due {
  readonly checkout: Checkout;
  readonly charge: Charge;
  readonly amount: number;
  readonly fee: number;
  /** Day of its payout, `YYYY-MM-DD`. */
  readonly day: string;
  /** True where a part was paid out before. */
  readonly isRest: boolean;
}

/**
 * Forms the account's settlements that are due: the payments of a day in one, on the next working day, without the refunds and disputes
 * since the one before. Gateways that document no settlements have none.
 */
export function settleDue(simulator: Simulator, account: Account, planted: PlantedFaults = new Map()): readonly Settlement[] {
  const formed: Settlement[] = [];
  for (;;) {
    const day = payments(simulator, account)
      .filter((due) => Date.parse(createdOn(due.day)) <= simulator.now())
      .map((due) => due.day)
      .sort()[0];
    if (day === undefined) return formed;
    const due = payments(simulator, account).filter((payment) => payment.day === day && !delays(simulator, payment, planted));
    formed.push(...settle(simulator, account, due, { day, createdAt: createdOn(day), planted }));
  }
}

/** Forms the settlements that are due, and one more of everything that is paid, without waiting for its day. */
export function settleNow(simulator: Simulator, account: Account, planted: PlantedFaults = new Map()): readonly Settlement[] {
  const due = settleDue(simulator, account, planted);
  const rest = payments(simulator, account).filter((payment) => !delays(simulator, payment, planted));
  const createdAt = isoTime(simulator);
  return [...due, ...settle(simulator, account, rest, { day: lagosDay(createdAt), createdAt, planted })];
}

/** The settlement that a refund was taken off; null before. */
export function settlementOf({ ledger }: Simulator, refund: Refund): Settlement | null {
  const settlements = ledger.settlementsOf(refund.accountId);
  return settlements.find(({ deductions }) => deductions.some(({ kind, id }) => kind === 'refund' && id === refund.id)) ?? null;
}

/** Payments that were not paid out, or only in part, with the days of their payouts. */
function payments({ ledger, spec }: Simulator, account: Account): readonly Due[] {
  const feeOf = spec.settlementFee;
  if (feeOf === undefined) return [];
  const parts = new Map<number, { amount: number; day: string }>();
  for (const settlement of ledger.settlementsOf(account.id)) {
    for (const { chargeId, amount } of settlement.payments) {
      parts.set(chargeId, { amount: (parts.get(chargeId)?.amount ?? 0) + amount, day: settlement.day });
    }
  }
  return ledger.checkouts().flatMap((checkout) => {
    const charge = paidCharge(checkout);
    if (checkout.accountId !== account.id || checkout.hidden || charge?.finishedAt === null || charge === null) return [];
    const part = parts.get(charge.id);
    const amount = rounded(spec.decimals, charge.amount - (part?.amount ?? 0));
    if (amount <= 0) return [];
    const from = part?.day ?? lagosDay(charge.finishedAt);
    return [
      {
        checkout,
        charge,
        amount,
        fee: part === undefined ? (charge.fee ?? feeOf(charge.amount)) : 0,
        day: workingDaysAfter(from, 1 + checkout.settlementDelayDays),
        isRest: part !== undefined,
      },
    ];
  });
}

/** True where the payment's payout is put off; each is so once at most. */
function delays(simulator: Simulator, { checkout, isRest }: Due, planted: PlantedFaults): boolean {
  if (isRest || checkout.settlementDelayDays > 0) return false;
  const isLate = planted.get(checkout.reference) === 'late_settlement' || simulator.faults.strike(['late_settlement']) !== null;
  if (!isLate) return false;
  checkout.settlementDelayDays = lateDays;
  simulator.ledger.put({ kind: 'checkout', record: checkout });
  return true;
}

/** One settlement for each currency. The switch strikes the first payment of each. */
function settle(
  simulator: Simulator,
  account: Account,
  due: readonly Due[],
  { day, createdAt, planted }: { readonly day: string; readonly createdAt: string; readonly planted: PlantedFaults },
): readonly Settlement[] {
  const { ledger, spec } = simulator;
  const sum = (amounts: readonly number[]) =>
    rounded(
      spec.decimals,
      amounts.reduce((total, amount) => total + amount, 0),
    );
  const currencies = [...new Set(due.map(({ checkout }) => checkout.currency))];
  return currencies.map((currency) => {
    const kind = simulator.faults.strike(settlementFaults)?.kind;
    const struck = settlementFaults.find((fault) => fault === kind) ?? null;
    const paid = due
      .filter(({ checkout }) => checkout.currency === currency)
      .map((payment, at) => part(spec.decimals, payment, planted.get(payment.checkout.reference) ?? (at === 0 ? struck : null)));
    const gross = sum(paid.map(({ amount }) => amount));
    const fees = sum(paid.map(({ fee }) => fee));
    const deductions = fitting(openDeductions(simulator, account, currency, createdAt), gross - fees);
    const deducted = sum(deductions.map(({ amount }) => amount));
    const settlement: Settlement = {
      id: idOf(simulator, account, { day, createdAt }),
      accountId: account.id,
      currency,
      payments: paid,
      deductions,
      gross,
      fees,
      deducted,
      net: rounded(spec.decimals, gross - fees - deducted),
      day,
      createdAt,
    };
    ledger.put({ kind: 'settlement', record: settlement });
    announceSettlement(simulator, settlement);
    return settlement;
  });
}

/** The same for a day's settlement when it is formed again after the ledger was lost: those who read it know it by its id. */
function idOf(
  { ledger }: Simulator,
  account: Account,
  { day, createdAt }: { readonly day: string; readonly createdAt: string },
): number {
  const ofDay = Number(day.replaceAll('-', '')) * 1_000_000 + account.number;
  const isTaken = ledger.settlementsOf(account.id).some(({ id }) => id === ofDay);
  return createdAt === createdOn(day) && !isTaken ? ofDay : ledger.nextId();
}

function part(
  decimals: number,
  { checkout, charge, amount, fee, isRest }: Due,
  wanted: SettlementFault | null,
): Settlement['payments'][number] {
  const fault = isRest ? null : wanted;
  const halved = Math.min(amount, Math.ceil(amount / 2));
  return {
    checkoutId: checkout.id,
    chargeId: charge.id,
    amount: fault === 'split_settlement' ? halved : amount,
    fee: fault === 'wrong_settlement_fee' ? rounded(decimals, fee * 2) : fee,
    listed: fault !== 'missing_settlement_line',
  };
}

/** Refunds and chargebacks by then that no settlement deducts yet, oldest first. */
function openDeductions(
  { ledger, spec }: Simulator,
  account: Account,
  currency: string,
  until: string,
): readonly Settlement['deductions'][number][] {
  const taken = new Set(
    ledger.settlementsOf(account.id).flatMap(({ deductions }) => deductions.map(({ kind, id }) => `${kind}/${id}`)),
  );
  const byThen = (at: string | null) => at !== null && Date.parse(at) <= Date.parse(until);
  const own = ledger.checkouts().filter((checkout) => checkout.accountId === account.id && checkout.currency === currency);
  const refunds = ledger
    .refunds()
    .filter((refund) => refund.accountId === account.id && refund.currency === currency)
    .filter((refund) => spec.refundsFromWallet !== true && refund.status === 'processed' && byThen(refund.updatedAt))
    .map(({ id, amount }) => ({ kind: 'refund', id, amount }) as const);
  const lost = own.flatMap((checkout) => {
    const accepted = checkout.disputes.filter(({ resolution }) => resolution !== null && resolution !== 'declined');
    const disputed = accepted.reduce((total, { amount }) => total + amount, 0);
    return [
      ...accepted
        .filter(({ resolvedAt }) => byThen(resolvedAt))
        .map(({ id, amount }) => ({ kind: 'dispute', id, amount }) as const),
      { kind: 'reversal', id: checkout.id, amount: checkout.reversed - disputed } as const,
    ].filter(({ amount }) => amount > 0);
  });
  return [...refunds, ...lost].filter(({ kind, id }) => !taken.has(`${kind}/${id}`));
}

/** Those that the payments cover; the others wait for a later settlement. */
function fitting(deductions: readonly Settlement['deductions'][number][], available: number): Settlement['deductions'] {
  let left = available;
  return deductions.filter(({ amount }) => {
    if (amount > left) return false;
    left -= amount;
    return true;
  });
}

function rounded(decimals: number, amount: number): number {
  return Number(amount.toFixed(decimals));
}

function createdOn(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + createdHour * hourMs).toISOString();
}

function lagosDay(at: string): string {
  return new Date(Date.parse(at) + lagosMs).toISOString().slice(0, 10);
}

/** A day Monday to Friday, so many after another. */
function workingDaysAfter(day: string, count: number): string {
  let at = Date.parse(`${day}T00:00:00Z`);
  for (let left = count; left > 0; ) {
    at += dayMs;
    const weekday = new Date(at).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return new Date(at).toISOString().slice(0, 10);
}
