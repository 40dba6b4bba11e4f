import type { Outcome } from '../gateway.ts';
import type { WireReply } from '../http.ts';
import { failure, protocolViolation, toActionFailure, toRefusedLookup } from '../outcomes.ts';
import { title } from './account.ts';
import { settings } from './settings.ts';
import { type Refusal, refusalSchema } from './wire.ts';

type Answer = Extract<WireReply, { kind: 'answer' }>;

/** Outcome of an action whose answer is no success: refused when Interswitch reports an error, else unreadable. */
export function refusal(reply: Answer): Exclude<Outcome<never>, { outcome: 'yes' }> {
  const refused = readRefusal(reply);
  if (refused === null) return toActionFailure(protocolViolation(title, reply), reply.call);
  const reason = failure(
    'our_configuration',
    codeOf(refused),
    `${title} refused: ${reply.redactor.text(refused.message ?? refused.code)}`,
  );
  // The second request was refused; the first may have made a bill whose address was lost.
  return { outcome: reply.repeated ? 'unknown' : 'no', failure: reason, call: reply.call };
}

export function noSuchRefund(reply: Answer): Exclude<Outcome<never>, { outcome: 'yes' }> {
  const refused = readRefusal(reply);
  const isMissing =
    refused !== null &&
    settings.refundNotFoundStatuses.some((known) => known === reply.status) &&
    settings.refundNotFoundMessage.test(refused.message ?? '');
  if (!isMissing) return unanswered(reply);
  const reason = failure('our_configuration', 'not_found', `${title} knows no such refund.`);
  return { outcome: 'no', failure: reason, call: reply.call };
}

/** Outcome of a look-up whose answer decides nothing. */
export function unanswered(reply: Answer): Extract<Outcome<never>, { outcome: 'unknown' }> {
  const refused = readRefusal(reply);
  return toRefusedLookup(title, reply, refused === null ? null : (refused.message ?? refused.code));
}

function codeOf(refused: Refusal): 'duplicate_reference' | 'invalid_credentials' | 'request_rejected' {
  if (settings.wrongMerchantCodes.some((known) => known === refused.code)) return 'invalid_credentials';
  const isDuplicate = settings.duplicateCodes.some((known) => known === refused.code);
  return isDuplicate || settings.duplicateMessage.test(refused.message ?? '') ? 'duplicate_reference' : 'request_rejected';
}

/** The error that an answer states under an error status, or null. What is stated under 200 is no refusal. */
function readRefusal(reply: Answer): Refusal | null {
  const refused = refusalSchema.safeParse(reply.json);
  return refused.success && reply.status >= 400 ? refused.data : null;
}
