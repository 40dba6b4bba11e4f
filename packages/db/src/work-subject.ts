import { AsyncLocalStorage } from 'node:async_hooks';

/** Subject of a piece of work, for the lines that are logged meanwhile. Ids of ours only. */
export interface WorkSubject {
  merchantId?: string;
  paymentId?: string;
}

const CURRENT = new AsyncLocalStorage<WorkSubject>();

/**
 * Runs a piece of work of its own: a request, a job, one payment of a sweep, one delivery. Whatever is logged until it ends, by
 * whomever it calls, names its subject. What it is about is often only found out on the way: see {@link aboutPayment}.
 */
export function withWorkSubject<T>(subject: WorkSubject, work: () => T): T {
  return CURRENT.run(subject, work);
}

/** Says that the present work is about this payment. Does nothing outside of {@link withWorkSubject}. */
export function aboutPayment({ merchantId, paymentId }: Required<WorkSubject>): void {
  const subject = CURRENT.getStore();
  if (subject === undefined) return;
  subject.merchantId = merchantId;
  subject.paymentId = paymentId;
}

/** Subject of the present work; undefined outside of {@link withWorkSubject}. */
export function workSubject(): Readonly<WorkSubject> | undefined {
  return CURRENT.getStore();
}
