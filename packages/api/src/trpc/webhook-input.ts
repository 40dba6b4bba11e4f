import { z } from 'zod';
import { missing } from './rules-input.ts';

/** One endpoint of a merchant. */
export const endpointKey = z.object({ merchantId: z.uuid().toLowerCase(), endpointId: z.uuid().toLowerCase() });

/** The message where an endpoint does not exist or belongs to another merchant. */
export const NO_ENDPOINT = 'There is no such endpoint, or you have no access to it.';

/** The outcome of a call; throws NOT_FOUND for a missing record. */
export function found<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
  message: string = NO_ENDPOINT,
): Exclude<Outcome, { readonly kind: 'not_found' }> {
  return isFound(outcome) ? outcome : missing(message);
}

function isFound<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
): outcome is Exclude<Outcome, { readonly kind: 'not_found' }> {
  return outcome.kind !== 'not_found';
}
