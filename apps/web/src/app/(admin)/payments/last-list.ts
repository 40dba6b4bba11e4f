import type { Scope } from '../../../scope/scope.ts';

const KEY = 'payments-list';

/** Remembers, in this tab, which list of payments was looked at last: the query of its address. */
export function rememberList(search: string): void {
  try {
    window.sessionStorage.setItem(KEY, search);
  } catch {
    // Without storage the way back leads to the whole list.
  }
}

/** The address of the list looked at last with a payment open beside it; null where none was, or it was of another scope. */
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
