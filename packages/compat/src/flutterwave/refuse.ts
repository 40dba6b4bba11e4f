import type { DialectAnswer } from '../dialect.ts';
import type { Problem } from '../problem.ts';

const RETRY_AFTER_S = '2';

/** A refusal in Flutterwave's form: `{status: 'error', message, data: null}`. */
export function refuse(problem: Problem): DialectAnswer {
  switch (problem.kind) {
    case 'invalid_key':
      return error(401, 'Invalid authorization key', { 'www-authenticate': 'Bearer' });
    case 'address_not_allowed':
      return error(403, `This key must not be used from ${problem.address ?? 'an unknown address'}`);
    case 'missing_scope':
      return error(403, `This key lacks the scope ${problem.scope}`);
    case 'too_many_requests':
      return error(429, 'Too many requests', { 'retry-after': String(Math.max(1, Math.ceil(problem.retryAfterS))) });
    case 'path_not_mapped':
      return error(404, 'Cannot find this call; /docs/migrating lists those that are answered here');
    case 'method_not_allowed':
      return error(405, `Method not allowed; use ${problem.allow.join(' or ')}`, { allow: problem.allow.join(', ') });
    case 'body_too_large':
      return error(413, 'Request body is too large: at most 64 KiB');
    case 'body_encoded':
      return error(415, 'Send the request body without Content-Encoding');
    case 'body_unreadable':
      return error(400, 'Invalid JSON in request body');
    case 'missing_field':
      return error(400, `${problem.field} is required`);
    case 'invalid_field':
      return error(400, `${problem.field} ${problem.rule}`);
    case 'field_not_mapped':
      return error(400, `${problem.field} is not supported: ${problem.why}`);
    case 'duplicate_reference':
      return error(400, 'Duplicate tx_ref: use one that no other transaction has');
    case 'in_flight':
      return error(409, `The first request with this ${problem.field} is still being worked on; try again shortly`, {
        'retry-after': RETRY_AFTER_S,
      });
    case 'key_reused':
      return error(422, 'This Idempotency-Key was used for another request');
    case 'transaction_not_found':
      return error(400, 'No transaction was found for this id');
    case 'refund_not_found':
      return error(404, 'No refund was found for this id');
    case 'no_gateway_opened':
      return error(400, 'No gateway could open a checkout for this payment; try again with a new tx_ref');
    case 'not_paid':
      return error(400, 'Only a successful transaction can be refunded');
    case 'refund_too_large':
      return error(400, `Refund amount is more than is left to refund: ${problem.left}`);
    case 'list_too_long':
      return error(400, 'Too many records to page through: send from and to for a shorter period');
    case 'unavailable':
      return error(503, 'Service unavailable; try again shortly', { 'retry-after': RETRY_AFTER_S });
    case 'internal':
      return error(500, `An error occurred; contact support with the request id ${problem.requestId}`);
    default:
      return problem satisfies never;
  }
}

function error(status: number, message: string, headers: Readonly<Record<string, string>> = {}): DialectAnswer {
  return { status, headers, body: JSON.stringify({ status: 'error', message, data: null }) };
}
