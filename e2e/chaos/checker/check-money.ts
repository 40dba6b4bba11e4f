import type { StatementEntry } from './observations.ts';
import { moneyReceived, type PaymentObservations } from './payment-observations.ts';
import { type Violation, violation } from './violation.ts';

type Paid = StatementEntry & { readonly paid: number };

/** Checks a payment against the gateways' statements. */
export function checkMoney(file: PaymentObservations): Violation[] {
  return [...checkSettled(file), ...checkPaid(file), ...checkSuccess(file), ...checkCharges(file)];
}

/** Once the run has settled, only payments under review are open. */
function checkSettled(file: PaymentObservations): Violation[] {
  const { status, underReview } = file.payment;
  const open = status === 'INITIATED' || (status === 'PENDING' && !underReview);
  return open ? [violation('never_settled', `is ${status} after the run has settled`, file)] : [];
}

function checkPaid(file: PaymentObservations): Violation[] {
  const { payment } = file;
  const received = moneyReceived(file);
  if (received.length === 0 || isPaid(file)) return [];
  const right = received.filter((entry) => isRight(file, entry));
  const [first] = right.length > 0 ? right : received;
  // Another amount is for review; the exact amount is not.
  if (first === undefined || (right.length === 0 && payment.underReview)) return [];
  const what = `${first.gateway} received ${first.paid / 100} under ${first.reference}, and the payment is ${payment.status}`;
  return [violation('paid_but_not_succeeded', what, file)];
}

function checkSuccess(file: PaymentObservations): Violation[] {
  if (!isPaid(file)) return [];
  const { gatewayReference: reference } = file.payment;
  const proof = moneyReceived(file).find((entry) => entry.reference === reference && isRight(file, entry));
  if (proof !== undefined) return [];
  return [
    violation('succeeded_but_not_paid', `no gateway's statement has this amount under ${reference ?? 'no reference'}`, file),
  ];
}

/** All money beyond the one successful charge is recorded as duplicate charges, once each, and nothing else is. */
function checkCharges(file: PaymentObservations): Violation[] {
  const received = moneyReceived(file);
  const ownReference = isPaid(file) ? file.payment.gatewayReference : null;
  const own = received.find((entry) => entry.reference === ownReference && isRight(file, entry));
  const second = isPaid(file) ? received.filter((entry) => entry !== own) : [];
  const found: Violation[] = [];
  const left = [...file.duplicateCharges];
  for (const entry of second) {
    const at = left.findIndex(
      (charge) => charge.reference === entry.reference && charge.amount === entry.paid && charge.currency === entry.currency,
    );
    if (at >= 0) left.splice(at, 1);
    else found.push(violation('charge_not_recorded', `${asMoney(entry)} was charged a second time and is not recorded`, file));
  }
  for (const charge of left) {
    found.push(
      violation('charge_made_up', `a second charge of ${charge.amount / 100} under ${charge.reference} did not happen`, file),
    );
  }
  return found;
}

export function isPaid({ payment: { status } }: PaymentObservations): boolean {
  return status === 'SUCCESS' || status === 'REFUNDED';
}

function isRight({ payment }: PaymentObservations, entry: Paid): boolean {
  return entry.paid === payment.amount && entry.currency === payment.currency;
}

function asMoney({ gateway, reference, paid }: Paid): string {
  return `${paid / 100} at ${gateway} under ${reference}`;
}
