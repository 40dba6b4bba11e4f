import type { Outcome } from '../gateway.ts';
import type { WireReply } from '../http.ts';
import { failure, protocolViolation, toActionFailure, toRefusedLookup } from '../outcomes.ts';
import { title } from './account.ts';
import { isDuplicate, isNotFound } from './verdict.ts';
import { refusalSchema } from './wire.ts';

type Answer = Extract<WireReply, { kind: 'answer' }>;

/**
 * Outcome of an action whose answer is no success: refused when Paystack reports an error, else unreadable. A duplicate reference
 * is certainly refused, but it shows that an earlier call with it arrived.
 */
export function refusal(reply: Answer): Exclude<Outcome<never>, { outcome: 'yes' }> {
  const refused = refusalSchema.safeParse(reply.json);
  if (!refused.success) return toActionFailure(protocolViolation(title, reply), reply.call);
  const said = reply.redactor.text(refused.data.message ?? 'no reason given');
  const code = isDuplicate(refused.data) ? 'duplicate_reference' : 'request_rejected';
  const reason = failure('our_configuration', code, `${title} refused: ${said}`);
  // The second request was refused; the first may have opened a checkout whose address was lost.
  return { outcome: reply.repeated ? 'unknown' : 'no', failure: reason, call: reply.call };
}

/** Outcome of a look-up whose answer is no success: only Paystack's own "not found" is final. */
export function notFoundOr(
  reply: Answer,
  what: 'transaction' | 'refund' | 'dispute',
): Exclude<Outcome<never>, { outcome: 'yes' }> {
  const refused = refusalSchema.safeParse(reply.json);
  if (!refused.success || !isNotFound(refused.data, reply.status)) return unanswered(reply);
  const said = reply.redactor.text(refused.data.message ?? 'no reason given');
  const reason = failure('our_configuration', 'not_found', `${title} knows no such ${what}: ${said}`);
  return { outcome: 'no', failure: reason, call: reply.call };
}

/** Outcome of a look-up whose answer decides nothing. */
export function unanswered(reply: Answer): Extract<Outcome<never>, { outcome: 'unknown' }> {
  const refused = refusalSchema.safeParse(reply.json);
  return toRefusedLookup(title, reply, refused.success ? (refused.data.message ?? 'no reason given') : null);
}
