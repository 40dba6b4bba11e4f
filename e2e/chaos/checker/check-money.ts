import { type CaseFile, moneyReceived } from './case-files.ts';
import { type Violation, violation } from './violation.ts';
import type { BookEntry } from './witnesses.ts';

type Paid = BookEntry & { readonly paid: number };

/** Whether what we say of a payment is what the gateways' books say. */
export function checkMoney(file: CaseFile): Violation[] {
  return [...checkSettled(file), ...checkPaid(file), ...checkSuccess(file), ...checkCharges(file)];
}

/** Once everything is quiet, nothing is left open but what a person has to decide. */
function checkSettled(file: CaseFile): Violation[] {
  const { status, underReview } = file.payment;
  const open = status === 'INITIATED' || (status === 'PENDING' && !underReview);
  return open ? [violation('never_settled', `is ${status} after everything became quiet`, file)] : [];
}

function checkPaid(file: CaseFile): Violation[] {
  const { payment } = file;
  const received = moneyReceived(file);
  if (received.length === 0 || isPaid(file)) return [];
  const right = received.filter((entry) => isRight(file, entry));
  const [first] = right.length > 0 ? right : received;
  // Money of another amount is somebody's to decide; money as asked for is not.
  if (first === undefined || (right.length === 0 && payment.underReview)) return [];
  const what = `${first.gateway} received ${first.paid / 100} under ${first.reference}, and the payment is ${payment.status}`;
  return [violation('paid_but_not_succeeded', what, file)];
}

function checkSuccess(file: CaseFile): Violation[] {
  if (!isPaid(file)) return [];
  const { gatewayReference: reference } = file.payment;
  const proof = moneyReceived(file).find((entry) => entry.reference === reference && isRight(file, entry));
  if (proof !== undefined) return [];
  return [violation('succeeded_but_not_paid', `no gateway's books have this amount under ${reference ?? 'no reference'}`, file)];
}

/** All money but the one that made the payment a success is on record as charged twice, once each, and nothing else is. */
function checkCharges(file: CaseFile): Violation[] {
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
    else found.push(violation('charge_not_recorded', `${asMoney(entry)} came a second time and is on no record`, file));
  }
  for (const charge of left) {
    found.push(violation('charge_made_up', `a second charge of ${charge.amount / 100} under ${charge.reference} was none`, file));
  }
  return found;
}

export function isPaid({ payment: { status } }: CaseFile): boolean {
  return status === 'SUCCESS' || status === 'REFUNDED';
}

function isRight({ payment }: CaseFile, entry: Paid): boolean {
  return entry.paid === payment.amount && entry.currency === payment.currency;
}

function asMoney({ gateway, reference, paid }: Paid): string {
  return `${paid / 100} at ${gateway} under ${reference}`;
}
