import { type CaseFile, grouped } from './case-files.ts';
import { isPaid } from './check-money.ts';
import { money, type Violation, violation } from './violation.ts';
import type { Witnesses } from './witnesses.ts';

/** Money that goes back was there, and both sides have it down the same. */
export function checkRefunds(file: CaseFile): Violation[] {
  const { payment } = file;
  const found = file.refunds
    .filter(({ state }) => state === 'REQUESTED' || state === 'PROCESSING')
    .map(({ refundId, state }) =>
      violation('never_settled', `refund ${refundId} is ${state} after everything became quiet`, file),
    );
  const done = file.refunds.filter(({ state, duplicate }) => state === 'SUCCEEDED' && !duplicate);
  const sum = done.reduce((total, { amount }) => total + amount, 0);
  if (sum > payment.amount)
    found.push(violation('refunded_too_much', `${money(sum)} went back of ${money(payment.amount)}`, file));
  for (const entry of file.books) {
    if (entry.refunded > (entry.paid ?? 0)) {
      const what = `${entry.gateway} returned ${money(entry.refunded)} of ${money(entry.paid ?? 0)} under ${entry.reference}`;
      found.push(violation('refunded_too_much', what, file));
    }
  }
  if (sum !== payment.refunded) {
    found.push(violation('refund_differs', `refunds sum to ${money(sum)}, the payment says ${money(payment.refunded)}`, file));
  }
  const whole = sum === payment.amount && isPaid(file);
  if (whole !== (payment.status === 'REFUNDED')) {
    found.push(violation('refund_differs', `${money(sum)} went back, and the payment is ${payment.status}`, file));
  }
  const theirs = file.books.reduce((total, { refunded }) => total + refunded, 0);
  const ours = file.refunds.filter(({ state }) => state !== 'FAILED').reduce((total, { amount }) => total + amount, 0);
  if (theirs !== ours) {
    found.push(violation('refund_differs', `gateways have ${money(theirs)} down as returned, we ${money(ours)}`, file));
  }
  return found;
}

/** Per merchant: what our payments sum to is what the gateways received, less what came twice or is under review. */
export function checkSums(witnesses: Witnesses, files: readonly CaseFile[]): Violation[] {
  const found: Violation[] = [];
  const charges = grouped(witnesses.duplicateCharges, ({ merchantId }) => merchantId);
  for (const [merchantId, own] of grouped(files, ({ payment }) => payment.merchantId)) {
    const ours = sumOf(own.filter(isPaid).map(({ payment }) => payment.amount));
    const received = sumOf(own.flatMap(({ books }) => books.map(({ paid }) => paid ?? 0)));
    const twice = sumOf((charges.get(merchantId) ?? []).map(({ amount }) => amount));
    const open = own.filter((file) => !isPaid(file) && file.payment.underReview);
    const inReview = sumOf(open.flatMap(({ books }) => books.map(({ paid }) => paid ?? 0)));
    if (ours !== received - twice - inReview) {
      const what = `merchant ${merchantId}: our payments sum to ${money(ours)}, the gateways' books to ${money(received)} less ${money(twice)} charged twice less ${money(inReview)} under review`;
      found.push(violation('sums_differ', what));
    }
  }
  return found;
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
