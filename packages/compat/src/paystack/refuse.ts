import type { DialectAnswer, Problem } from '../problem.ts';

const RETRY_AFTER_S = '2';

/** A refusal in Paystack's form: `{status: false, message, meta: {nextStep}, type, code}`. */
export function refuse(problem: Problem): DialectAnswer {
  switch (problem.kind) {
    case 'invalid_key':
      return validation(
        401,
        'Invalid key',
        'invalid_Key',
        'Use a secret key of Switchyard, as Bearer in the Authorization header',
        {
          'www-authenticate': 'Bearer',
        },
      );
    case 'address_not_allowed':
      return validation(
        403,
        `Your IP address is not allowed to make this call: ${problem.address ?? 'unknown'}`,
        'unauthorized_access',
        'Add the address to those the key may be used from',
      );
    case 'missing_scope':
      return validation(403, `This key lacks the scope ${problem.scope}`, 'unauthorized_access', 'Give the key the scope');
    case 'too_many_requests':
      return api(429, 'Please wait a few minutes and try again.', 'rate_limited', 'Try again after the time in Retry-After', {
        'retry-after': String(Math.max(1, Math.ceil(problem.retryAfterS))),
      });
    case 'path_not_mapped':
      return validation(404, 'Invalid route', 'route_not_found', 'See /docs/migrating for the calls that are answered here');
    case 'method_not_allowed':
      return validation(405, 'Invalid route', 'method_not_allowed', `Use ${problem.allow.join(' or ')}`, {
        allow: problem.allow.join(', '),
      });
    case 'body_too_large':
      return validation(413, 'Request body is too large', 'invalid_params', 'Send at most 64 KiB');
    case 'body_encoded':
      return validation(415, 'Request body is encoded', 'invalid_params', 'Send the body without Content-Encoding');
    case 'body_unreadable':
      return validation(400, 'Invalid JSON in request body', 'invalid_params', 'Send a JSON object');
    case 'missing_field':
      return validation(
        400,
        `${capital(problem.field)} is required`,
        'missing_params',
        `Provide ${problem.field} in the request`,
      );
    case 'invalid_field':
      return invalidField(problem.field, problem.rule);
    case 'field_not_mapped':
      return validation(
        400,
        `${problem.field} is not supported: ${problem.why}`,
        'unsupported_parameter',
        `Leave ${problem.field} out`,
      );
    case 'duplicate_reference':
      return validation(
        400,
        'Duplicate Transaction Reference',
        'duplicate_reference',
        'Use a reference that no other transaction has',
      );
    case 'in_flight':
      return validation(
        409,
        'The first request is still being worked on',
        'request_in_flight',
        `Try again shortly: ${problem.field} is in use by a request without an answer`,
        { 'retry-after': RETRY_AFTER_S },
      );
    case 'key_reused':
      return validation(
        422,
        'This Idempotency-Key was used for another request',
        'idempotency_key_reused',
        'Use a key for one request only',
      );
    case 'transaction_not_found':
      // Paystack verifies with 400 and reads with 404.
      return validation(
        problem.by === 'verify' ? 400 : 404,
        'Transaction reference not found',
        'transaction_not_found',
        'Ensure that the transaction exists on this integration',
      );
    case 'refund_not_found':
      return validation(404, 'Refund not found', 'refund_not_found', 'Pass the id of one of your refunds');
    case 'no_gateway_opened':
      return problemOf(
        'processor_error',
        400,
        'No gateway could open a checkout for this transaction',
        'transaction_failed',
        'Try again with a new reference',
      );
    case 'not_paid':
      return validation(
        400,
        'Transaction has not been paid for',
        'invalid_transaction_status',
        'Refund only a successful transaction',
      );
    case 'refund_too_large':
      return tooMuch(problem.left);
    case 'list_too_long':
      return validation(
        400,
        'Too many records to page through',
        'invalid_params',
        'Send from and to for a shorter period; GET /transaction also takes use_cursor=true',
      );
    case 'unavailable':
      return api(503, 'Service unavailable', 'unavailable', 'Try again shortly', { 'retry-after': RETRY_AFTER_S });
    case 'internal':
      return api(500, 'An error occurred', 'unknown', `Contact support with the request id ${problem.requestId}`);
    default:
      return problem satisfies never;
  }
}

function invalidField(field: string, rule: string): DialectAnswer {
  switch (field) {
    case 'email':
      return validation(400, 'Invalid Email Address Passed', 'invalid_email_address', `email ${rule}`);
    case 'amount':
      return validation(400, 'Invalid Amount Sent', 'invalid_amount', `amount ${rule}`);
    case 'currency':
      return validation(400, 'Currency not supported by merchant', 'unsupported_currency', `currency ${rule}`);
    default:
      return validation(400, `Invalid value for ${field}`, 'invalid_params', `${field} ${rule}`);
  }
}

function tooMuch(left: bigint): DialectAnswer {
  if (left === 0n) {
    return validation(400, 'Transaction has been fully reversed', 'transaction_reversed', 'Nothing is left to refund');
  }
  return validation(
    400,
    'Refund amount cannot be more than the original transaction amount',
    'invalid_amount',
    `Refund at most ${left * 100n} kobo`,
  );
}

function capital(field: string): string {
  return field.charAt(0).toUpperCase() + field.slice(1);
}

function validation(
  status: number,
  message: string,
  code: string,
  nextStep: string,
  headers: Readonly<Record<string, string>> = {},
): DialectAnswer {
  return problemOf('validation_error', status, message, code, nextStep, headers);
}

function api(
  status: number,
  message: string,
  code: string,
  nextStep: string,
  headers: Readonly<Record<string, string>> = {},
): DialectAnswer {
  return problemOf('api_error', status, message, code, nextStep, headers);
}

function problemOf(
  type: 'validation_error' | 'api_error' | 'processor_error',
  status: number,
  message: string,
  code: string,
  nextStep: string,
  headers: Readonly<Record<string, string>> = {},
): DialectAnswer {
  return { status, headers, body: JSON.stringify({ status: false, message, meta: { nextStep }, type, code }) };
}
