import type { FailureCode, Outcome } from '@switchyard/gateways';
import type { FaultKind } from '@switchyard/routing';
import type { HealthOutcome } from '../assess/outcome-counts.ts';

/** Classifies a call's outcome as evidence of the provider's health. Declines and misconfiguration of ours are no evidence. */
export function classifyOutcome(outcome: Outcome<unknown>): { readonly outcome: HealthOutcome; readonly kind?: FaultKind } {
  if (outcome.outcome === 'yes') return { outcome: 'succeeded' };
  if (outcome.failure.class !== 'provider_fault')
    return isAnswered(outcome.failure.code) ? { outcome: 'succeeded' } : { outcome: 'ignored' };
  return { outcome: 'provider_fault', ...faultKind(outcome.failure.code) };
}

/** The provider works: it looked the payment up and reported its status, also one that we cannot read. */
function isAnswered(code: FailureCode): boolean {
  return code === 'not_found' || code === 'not_paid_yet' || code === 'unrecognised_status' || code === 'undecided';
}

function faultKind(code: FailureCode): { kind: FaultKind } {
  switch (code) {
    case 'timeout':
      return { kind: 'timed_out' };
    case 'connection_refused':
    case 'connection_lost':
      return { kind: 'refused' };
    case 'http_5xx':
      return { kind: 'server_error' };
    case 'rate_limited':
      return { kind: 'rate_limited' };
    case 'malformed_answer':
    case 'answer_too_large':
    case 'unsafe_checkout_url':
    case 'reference_mismatch':
    case 'invalid_credentials':
    case 'request_rejected':
    case 'duplicate_reference':
    case 'not_found':
    case 'not_paid_yet':
    case 'declined':
    case 'checkout_closed':
    case 'unrecognised_status':
    case 'undecided':
    case 'not_supported':
    case 'address_refused':
      return { kind: 'malformed' };
    default:
      return code satisfies never;
  }
}
