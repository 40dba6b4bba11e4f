import type { Scope } from '../scope/scope.ts';

/** An account as a question about it names it: merchants give their accounts the same labels, so that each is said to be whose. */
export function nameAccount(
  { label, merchantName }: { readonly label: string; readonly merchantName: string },
  { merchantId }: Pick<Scope, 'merchantId'>,
): string {
  return merchantId === null ? `${label} of ${merchantName}` : label;
}
