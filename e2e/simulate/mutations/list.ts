import type { SourceEdit } from '../kernel/code.ts';
import type { Theme } from '../world/world-plan.ts';

/** A bug put in on purpose, which the simulator has to find. */
export interface Mutation extends SourceEdit {
  readonly name: string;
  /** Theme of the first worlds that are searched for it; null for the ones that their seeds draw. */
  readonly theme: Theme | null;
}

const LIFE_CYCLE = 'packages/payments/src/life-cycle';
const INITIATE = 'packages/payments/src/initiate';
const REFUNDS = 'packages/payments/src/refunds';
const SWEEPING = 'packages/payments/src/sweeping';
const DELIVERIES = 'packages/webhooks/src/deliveries';
const FUNCTIONS = 'prisma/migrations/20261126001500_path_functions/migration.sql';

/** Each is one exact text of a source file and what takes its place. The last three were bugs once. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'the amount received is not compared',
    theme: null,
    file: `${LIFE_CYCLE}/apply-gateway-result.ts`,
    search: 'value.currency !== payment.currency || value.amount !== payment.amount.toString()',
    replace: 'value.currency !== payment.currency',
  },
  {
    name: 'an unknown outcome counts as refused',
    theme: 'second_attempts',
    file: `${INITIATE}/open-checkout.ts`,
    search: `isCertain(outcome) && !calledBefore ? 'REFUSED' : 'UNKNOWN'`,
    replace: `'REFUSED'`,
  },
  {
    name: 'the version is ignored',
    theme: 'slow_database',
    file: FUNCTIONS,
    search: 'AND payment.id = input.payment_id AND payment.version = input.version',
    replace: 'AND payment.id = input.payment_id',
  },
  {
    name: 'a second charge is ignored',
    theme: 'second_attempts',
    file: `${LIFE_CYCLE}/apply-gateway-result.ts`,
    search: `if (isPaid || attempt.state === 'PAID') return applyDuplicate(result, value, detail);`,
    replace: `if (isPaid || attempt.state === 'PAID') return detail === null ? applyDuplicate(result, value, detail) : null;`,
  },
  {
    name: 'a session is closed without asking the gateway',
    theme: null,
    file: `${SWEEPING}/settle-overdue.ts`,
    search: 'if (verified.unanswered !== null)',
    replace: 'if (verified.unanswered !== null && now < payment.expiresAt)',
  },
  {
    name: 'late money is not watched',
    theme: null,
    file: `${SWEEPING}/settle-overdue.ts`,
    search: 'if (verified.watched.length === 0 || !isWatched(now, payment.expiresAt)) return null;',
    replace: 'if (verified.watched.length === 0 || now >= payment.expiresAt) return null;',
  },
  {
    name: 'only the current attempt is watched',
    theme: 'second_attempts',
    file: 'packages/payments/src/verify/watched-attempts.ts',
    search: `state !== 'REFUSED' && state !== 'PAID'`,
    replace: `state !== 'REFUSED' && state !== 'PAID' && state !== 'UNKNOWN'`,
  },
  {
    name: 'an interrupted initiation is never resumed',
    theme: 'crashes_around_calls',
    file: `${SWEEPING}/settle-overdue.ts`,
    search: `await resumeInitiation(context, payment, { cause: 'schedule', timings: untimed });`,
    replace: `if (payment.status !== 'INITIATED') await resumeInitiation(context, payment, { cause: 'schedule', timings: untimed });`,
  },
  {
    name: 'a gateway is called before its attempt is on record',
    theme: 'second_attempts',
    file: `${INITIATE}/open-checkout.ts`,
    search: 'if (next !== null && !(await remember(context, reserved, result, next)))',
    replace:
      'if (next !== null) void remember(context, reserved, result, next).catch(() => undefined);\n    if (next === undefined)',
  },
  {
    name: 'a webhook is acknowledged and not stored',
    theme: null,
    file: 'packages/payments/src/gateway-webhooks/receive-webhook.ts',
    search: `await storeGatewayWebhook(database, webhook, await followUpOf(context, reading, webhook), now);`,
    replace: `void followUpOf(context, reading, webhook).then((followUp) => storeGatewayWebhook(database, webhook, followUp, now)).catch(() => undefined);`,
  },
  {
    name: 'a forged webhook is believed',
    theme: null,
    file: 'packages/gateways/src/webhook-reading.ts',
    search: `if (secret === undefined || secret === '' || !isHexHmac('sha512', secret, body, given)) return`,
    replace: `if (secret === undefined || secret === '') return`,
  },
  {
    name: 'SUCCESS may become FAILED',
    theme: 'second_attempts',
    file: `${LIFE_CYCLE}/apply-gateway-result.ts`,
    search: `if (attempt.id !== payment.currentAttemptId || !canTransition(payment.status, 'FAILED')) {`,
    replace: `if (attempt.id !== payment.currentAttemptId) {`,
  },
  {
    name: 'the paid attempt does not name the reference',
    theme: null,
    file: `${LIFE_CYCLE}/apply-gateway-result.ts`,
    search: '    gatewayReference: value.reference,\n',
    replace: '',
  },
  {
    name: 'a refund that may have arrived is sent again',
    theme: 'refunds_under_doubt',
    file: `${REFUNDS}/fetch-refund.ts`,
    search: `return mayArrive ? { kind: 'unanswered', message } : { kind: 'not_received', sending: refund.sendCount, message };`,
    replace: `return { kind: 'not_received', sending: refund.sendCount, message };`,
  },
  {
    name: 'a lost answer to a refund is a failed refund',
    theme: 'refunds_under_doubt',
    file: `${REFUNDS}/apply-refund-result.ts`,
    search: `return { kind: 'unanswered', message: outcome.failure.message };`,
    replace: `return { kind: 'reported', state: 'FAILED', gatewayRefundId: null, message: outcome.failure.message, sending };`,
  },
  {
    name: 'a refund is sent by every process that sees it',
    theme: 'refunds_under_doubt',
    file: `${REFUNDS}/due-refunds.ts`,
    search: `WHERE merchant_id = $1 AND id = $2 AND state = 'REQUESTED'\nRETURNING id`,
    replace: `WHERE merchant_id = $1 AND id = $2\nRETURNING id`,
  },
  {
    name: 'events overtake each other',
    theme: null,
    file: `${DELIVERIES}/due-deliveries-queries.ts`,
    search: `AND d.next_attempt_at <= $3\n    AND (d.payment_id IS NULL OR NOT EXISTS`,
    replace: `AND d.next_attempt_at <= $3\n    AND (true OR NOT EXISTS`,
  },
  {
    name: 'a delivery that was refused counts as delivered',
    theme: null,
    file: `${DELIVERIES}/deliver-next.ts`,
    search: `return sent.kind === 'answered' && sent.status >= 200 && sent.status < 300;`,
    replace: `return sent.kind === 'answered';`,
  },
  {
    name: 'a delivery that was redirected counts as delivered',
    theme: null,
    file: `${DELIVERIES}/deliver-next.ts`,
    search: `return sent.kind === 'answered' && sent.status >= 200 && sent.status < 300;`,
    replace: `return sent.kind === 'answered' && sent.status >= 200 && sent.status < 400;`,
  },
  {
    name: 'a failed delivery is not retried',
    theme: null,
    file: `${DELIVERIES}/deliver-next.ts`,
    search: `return delayMs === null ? null : new Date(endedAt.getTime() + delayMs);`,
    replace: `return null;`,
  },
  {
    name: 'a reserved payment does not keep its session',
    theme: 'stalled_processes',
    file: FUNCTIONS,
    search: `AND payment.id = input.payment_id AND payment.status = 'INITIATED'`,
    replace: `AND payment.id = input.payment_id`,
  },
  {
    name: 'a process that was held up fails what another has opened',
    theme: 'stalled_processes',
    file: FUNCTIONS,
    search: `WHERE merchant_id = merchant AND id = input.payment_id AND status = 'INITIATED'`,
    replace: `WHERE merchant_id = merchant AND id = input.payment_id`,
  },
  {
    name: 'a checkout that a dead process may have opened counts as refused',
    theme: 'stalled_processes',
    file: `${INITIATE}/open-checkout.ts`,
    search: `isCertain(outcome) && !calledBefore ? 'REFUSED' : 'UNKNOWN'`,
    replace: `isCertain(outcome) ? 'REFUSED' : 'UNKNOWN'`,
  },
  {
    name: 'the payment’s own money is taken for a second charge',
    theme: 'slow_database',
    file: `${LIFE_CYCLE}/apply-change.ts`,
    search: `if (own > 0) return 'known';`,
    replace: `if (own < 0) return 'known';`,
  },
  {
    name: 'whether a refund may arrive goes by the clock of the process',
    theme: 'refunds_under_doubt',
    file: `${REFUNDS}/due-refunds.ts`,
    search: `UPDATE refund SET state = 'PROCESSING', sent_at = now(),`,
    replace: `UPDATE refund SET state = 'PROCESSING', sent_at = $3,`,
  },
];
