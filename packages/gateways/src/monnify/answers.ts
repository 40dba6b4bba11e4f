import type { Failure, Outcome } from '../gateway.ts';
import type { WireReply } from '../http.ts';
import { failure, protocolViolation, toActionFailure, toRefusedLookup } from '../outcomes.ts';
import { title } from './account.ts';
import { type Refusal, refusalSchema } from './wire.ts';

type Answer = Extract<WireReply, { kind: 'answer' }>;

/** Why an action was refused, from Monnify's own words. */
export function refusal(
  reply: Answer,
  codeOf: (refused: Refusal) => Failure['code'],
): Exclude<Outcome<never>, { outcome: 'yes' }> {
  const refused = refusalSchema.safeParse(reply.json);
  if (!refused.success) return toActionFailure(protocolViolation(title, reply), reply.call);
  // The second request was refused; the first may have been carried out.
  return {
    outcome: reply.repeated ? 'unknown' : 'no',
    failure: refusedBecause(reply, refused.data, codeOf(refused.data)),
    call: reply.call,
  };
}

/** Outcome of a look-up whose answer decides nothing. */
export function unanswered(reply: Answer): Extract<Outcome<never>, { outcome: 'unknown' }> {
  const refused = refusalSchema.safeParse(reply.json);
  return toRefusedLookup(title, reply, refused.success ? (refused.data.responseMessage ?? 'no reason given') : null);
}

/** Outcome of a look-up: `no` when Monnify states that there is no such thing, else whatever the answer leaves open. */
export function notFound(reply: Answer, message: RegExp, thing: string): Exclude<Outcome<never>, { outcome: 'yes' }> {
  const refused = refusalSchema.safeParse(reply.json);
  if (!refused.success || !message.test(refused.data.responseMessage ?? '')) return unanswered(reply);
  const reason = failure('our_configuration', 'not_found', `${title} knows no such ${thing}.`);
  return { outcome: 'no', failure: reason, call: reply.call };
}

function refusedBecause(reply: Answer, refused: Refusal, code: Failure['code']): Failure {
  const said = reply.redactor.text(refused.responseMessage ?? 'no reason given');
  return failure('our_configuration', code, `${title} refused: ${said}`);
}
