import type { Scope } from '#/scope/scope.ts';

const KEY = 'payments-list';

/** Stores, in this tab, the last list of payments that was shown: the query of its address. */
export function rememberList(search: string): void {
  try {
    window.sessionStorage.setItem(KEY, search);
  } catch {
    // Without storage the link back leads to the unfiltered list.
  }
}

/** The address of the last list with a payment open beside it; null when there was none, or it had another scope. */
export function lastListHref(scope: Scope, paymentId: string): string | null {
  const search = new URLSearchParams(readLast());
  if (search.get('mode') !== scope.mode || search.get('merchant') !== scope.merchantId) return null;
  search.set('payment', paymentId);
  return `/payments?${search}`;
}

function readLast(): string {
  try {
    return window.sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}
