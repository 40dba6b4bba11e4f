import type { SourceEdit } from '../kernel/code.ts';
import type { Theme } from '../world/world-plan.ts';

/** A bug put in on purpose, which something has to find. */
export interface Mutation extends SourceEdit {
  readonly name: string;
  /** Theme of the first worlds that are searched for it; null for the ones that their seeds draw. */
  readonly theme: Theme | null;
}

const PAYMENTS = 'packages/payments/src';
const LIFE_CYCLE = `${PAYMENTS}/life-cycle`;
const INITIATE = `${PAYMENTS}/initiate`;
const REFUNDS = `${PAYMENTS}/refunds`;
const SWEEPING = `${PAYMENTS}/sweeping`;
const VERIFY = `${PAYMENTS}/verify`;
const DELIVERIES = 'packages/webhooks/src/deliveries';
const DECIDE = 'packages/routing/src/decide';
const GATEWAYS = 'packages/gateways/src';
const HEALTH = 'packages/provider-health/src';
const RECONCILIATION = 'packages/reconciliation/src';
const SETTLEMENTS = 'packages/settlements/src';
const DISPUTES = 'packages/disputes/src';
const WEBHOOKS = 'packages/webhooks/src';
const FUNCTIONS = 'prisma/migrations/20261126001500_path_functions/migration.sql';
const PACKED_CALLS = 'prisma/migrations/20261126002305_attempt_packed_call/migration.sql';
const OPENED = 'prisma/migrations/20261127110020_second_event/migration.sql';
const ANNOUNCED = 'prisma/migrations/20261127110006_packed_events/migration.sql';
const DELIVERED = 'prisma/migrations/20261127110031_delivered_at_once/migration.sql';
const PACKED_PAYMENTS = 'prisma/migrations/20261127005001_packed_payments/migration.sql';

interface Bug {
  readonly name: string;
  readonly theme?: Theme;
  readonly search: string;
  readonly replace: string;
}

const of = (file: string, bugs: readonly Bug[]): readonly Mutation[] =>
  bugs.map(({ name, theme = null, search, replace }) => ({ name, theme, file, search, replace }));

/**
 * Each is one exact text of a source file and what takes its place: bugs that were there once, and guards, comparisons, steps and moves of the
 * path of a payment and of what is around it, each left out or turned once.
 */
export const MUTATIONS: readonly Mutation[] = [
  ...of(`${LIFE_CYCLE}/apply-gateway-result.ts`, [
    {
      name: 'money that was refunded on review pays the payment',
      search: '  if (result.returns.refunded > 0n) return null;',
      replace: '',
    },
    {
      name: 'the amount received is not compared',
      search: 'value.currency !== payment.currency || value.amount !== payment.amount.toString()',
      replace: 'value.currency !== payment.currency',
    },
    {
      name: 'a second charge is ignored',
      theme: 'second_attempts',
      search: `if (isPaid || attempt.state === 'PAID') return applyDuplicate(result, value, detail);`,
      replace: `if (isPaid || attempt.state === 'PAID') return detail === null ? applyDuplicate(result, value, detail) : null;`,
    },
    {
      name: 'SUCCESS may become FAILED',
      theme: 'second_attempts',
      search: `if (attempt.id !== payment.currentAttemptId || !canTransition(payment.status, 'FAILED')) {`,
      replace: `if (attempt.id !== payment.currentAttemptId) {`,
    },
    {
      name: 'the paid attempt does not name the reference',
      search: '    gatewayReference: value.reference,\n',
      replace: '',
    },
    {
      name: 'the currency received is not compared',
      search: 'value.currency !== payment.currency || value.amount !==',
      replace: 'value.amount !==',
    },
    {
      name: 'an open checkout that the gateway does not list yet counts as unpaid',
      search: 'return isFinal(result, outcome.failure) ? applyUnpaid(result, outcome.failure) : null;',
      replace: 'return applyUnpaid(result, outcome.failure);',
    },
    {
      name: 'proof that nothing was paid does not close an attempt that was never answered',
      search: `if (attempt.state === 'UNKNOWN' || code === 'checkout_closed') return true;`,
      replace: `if (code === 'checkout_closed') return true;`,
    },
    {
      name: 'a paid attempt becomes unpaid',
      search: `if (attempt.state === 'PAID' || attempt.state === 'UNPAID') return null;`,
      replace: `if (attempt.state === 'UNPAID') return null;`,
    },
    {
      name: 'a refusal is recorded again each time that it is heard',
      search: `if (attempt.state === 'PAID' || attempt.state === 'UNPAID') return null;`,
      replace: `if (attempt.state === 'PAID') return null;`,
    },
    {
      name: 'another attempt that was declined fails the payment',
      search: 'if (attempt.id !== payment.currentAttemptId || !canTransition(',
      replace: 'if (!canTransition(',
    },
    {
      name: 'a second transaction at an attempt counts as the first',
      search: `attempt.state === 'PAID' && attempt.transactionId === value.transactionId`,
      replace: `attempt.state === 'PAID'`,
    },
    {
      name: 'money that comes after the whole was refunded is no second charge',
      search: `payment.status === 'SUCCESS' || payment.status === 'REFUNDED';`,
      replace: `payment.status === 'SUCCESS';`,
    },
    {
      name: 'a payment succeeds before its checkout is on record',
      search: `if (!canTransition(payment.status, 'SUCCESS')) return null;
`,
      replace: '',
    },
    {
      name: 'late money is not marked as late',
      search: `const late = payment.status === 'FAILED';`,
      replace: `const late = payment.status !== 'FAILED' && payment.status !== 'PENDING';`,
    },
    {
      name: 'the payment does not name the attempt that paid it',
      search: '{ paidAttemptId: attempt.id }',
      replace: '{}',
    },
    {
      name: 'other checkouts are not watched once one is paid',
      search: 'result.othersOpen ? lateCheckAt(',
      replace: '!result.othersOpen ? lateCheckAt(',
    },
    {
      name: 'a second charge that is taken back counts as taken back from the payment',
      search: 'if (attempt.duplicate) return null;\n',
      replace: '',
    },
    {
      name: 'money that was returned at once counts as a second charge',
      search: 'if (value.reversed) return null;\n',
      replace: '',
    },
    {
      name: 'a second charge in doubt is refunded by itself',
      search: 'merchant.refundDuplicates && value.doubt === undefined',
      replace: 'merchant.refundDuplicates',
    },
    {
      name: 'second charges are refunded against the merchant’s wish',
      search: 'merchant.refundDuplicates && value.doubt',
      replace: 'value.doubt',
    },
    {
      name: 'a second transaction takes the place of the first at its attempt',
      search: `...(attempt.state === 'PAID' ? {} : { attempt: paid }),`,
      replace: 'attempt: paid,',
    },
    {
      name: 'the same amount in another currency is nothing new',
      search: 'attempt.receivedAmount === received.amount && attempt.receivedCurrency === received.currency',
      replace: 'attempt.receivedAmount === received.amount',
    },
    {
      name: 'a review is opened anew each time that the money is seen',
      search: 'if (known) return null;\n',
      replace: '',
    },
    {
      name: 'a review is closed while mismatched money is left',
      search: `if (payment.review !== 'OPEN' || holdsMismatched) return {};`,
      replace: `if (payment.review !== 'OPEN') return {};`,
    },
    {
      name: 'returned money proves the payment',
      search: `if (value.reversed) return \`The gateway says`,
      replace: `if (value.reversed && value.doubt !== undefined) return \`The gateway says`,
    },
    {
      name: 'money that the gateway puts in doubt proves the payment',
      search: 'if (value.doubt !== undefined) return',
      replace: `if (value.doubt === '') return`,
    },
  ]),
  ...of(`${INITIATE}/open-checkout.ts`, [
    {
      name: 'an unknown outcome counts as refused',
      theme: 'second_attempts',
      search: `isCertain(outcome) && !calledBefore ? 'REFUSED' : 'UNKNOWN'`,
      replace: `'REFUSED'`,
    },
    {
      name: 'a gateway is called before its attempt is on record',
      theme: 'second_attempts',
      search:
        'if (next === null ? performance.now() > reserved.deadline + GRACE_MS : !(await remember(context, reserved, result, next)))',
      replace:
        'if (next !== null) void remember(context, reserved, result, next).catch(() => undefined);\n    if (next === undefined)',
    },
    {
      name: 'a checkout that a dead process may have opened counts as refused',
      theme: 'stalled_processes',
      search: `isCertain(outcome) && !calledBefore ? 'REFUSED' : 'UNKNOWN'`,
      replace: `isCertain(outcome) ? 'REFUSED' : 'UNKNOWN'`,
    },
    {
      name: 'gateways are tried after the deadline',
      search: 'reserved.deadline > performance.now()',
      replace: 'reserved.deadline !== performance.now()',
    },
    {
      name: 'a fault of ours fails a payment',
      search: `outcome.outcome === 'yes' || outcome.failure.code !== 'address_refused'`,
      replace: 'true',
    },
    {
      name: 'one fault of ours makes a payment wait that every gateway refused',
      search: 'failed.every(({ asked }) => !asked)',
      replace: 'failed.some(({ asked }) => !asked)',
    },
    {
      name: 'a used reference proves that no checkout is open',
      theme: 'second_attempts',
      search: `outcome.outcome === 'no' && outcome.failure.code !== 'duplicate_reference'`,
      replace: `outcome.outcome === 'no'`,
    },
  ]),
  ...of(OPENED, [
    {
      name: 'a reserved payment does not keep its session',
      theme: 'stalled_processes',
      search: `AND payment.id = input.payment_id AND payment.status = 'INITIATED'`,
      replace: `AND payment.id = input.payment_id`,
    },
  ]),
  ...of(PACKED_PAYMENTS, [
    {
      name: 'a process that was held up fails what another has opened',
      theme: 'stalled_processes',
      search: `WHERE merchant_id = merchant AND id = input.payment_id AND status = 'INITIATED'`,
      replace: `WHERE merchant_id = merchant AND id = input.payment_id`,
    },
  ]),
  ...of(PACKED_CALLS, [
    {
      name: 'two processes go on to the next gateway',
      theme: 'stalled_processes',
      search: `AND id = input.attempt_id AND attempt.state = 'STARTED' RETURNING`,
      replace: 'AND id = input.attempt_id RETURNING',
    },
  ]),
  ...of(FUNCTIONS, [
    {
      name: 'the version is ignored',
      theme: 'slow_database',
      search: 'AND payment.id = input.payment_id AND payment.version = input.version',
      replace: 'AND payment.id = input.payment_id',
    },
    {
      name: 'a payment that succeeds late keeps why it failed',
      search: 'ELSE input.failure_reason END',
      replace: 'ELSE coalesce(input.failure_reason, payment.failure_reason) END',
    },
  ]),
  ...of(ANNOUNCED, [
    {
      name: 'events of test payments go to live endpoints',
      search: 'AND webhook_endpoint.mode = event.mode\n      AND webhook_endpoint.enabled',
      replace: 'AND webhook_endpoint.enabled',
    },
  ]),
  ...of(DELIVERED, [
    {
      name: 'a delivery whose lease ran out is settled by the process that had it',
      search: 'AND id = input.delivery_id AND attempts = input.number',
      replace: 'AND id = input.delivery_id',
    },
  ]),
  ...of(`${SWEEPING}/settle-overdue.ts`, [
    {
      name: 'a session is closed without asking the gateway',
      search: 'if (verified.unanswered !== null)',
      replace: 'if (verified.unanswered !== null && now < payment.expiresAt)',
    },
    {
      name: 'late money is not watched',
      search: 'if (verified.watched.length === 0 || !isWatched(now, payment.expiresAt)) return null;',
      replace: 'if (verified.watched.length === 0 || now >= payment.expiresAt) return null;',
    },
    {
      name: 'an interrupted initiation is never resumed',
      theme: 'crashes_around_calls',
      search: `await resumeInitiation(context, payment, { cause: 'schedule', timings: untimed });`,
      replace: `if (payment.status !== 'INITIATED') await resumeInitiation(context, payment, { cause: 'schedule', timings: untimed });`,
    },
    {
      name: 'a payment under review is closed by the clock',
      search: `verified.payment.status === 'PENDING' && verified.payment.review === null`,
      replace: `verified.payment.status === 'PENDING'`,
    },
    {
      name: 'a session that is open is closed',
      search: `if (now < payment.expiresAt) return { kind: 'check', at: nextCheckAt({ ...payment, now, webhooksArrive, random }) };
`,
      replace: '',
    },
    {
      name: 'only the last gateway’s silence counts',
      theme: 'second_attempts',
      search: 'unanswered ??= verified.unanswered;',
      replace: 'unanswered = verified.unanswered;',
    },
    {
      name: 'a turn at an account is never released',
      search: 'await verifyAll(context, payment, attempts).finally(turn.done)',
      replace: 'await verifyAll(context, payment, attempts)',
    },
  ]),
  ...of(`${PAYMENTS}/attempts/queries.ts`, [
    {
      name: 'only the current attempt is watched',
      theme: 'second_attempts',
      search: `state !== 'REFUSED' && state !== 'PAID'`,
      replace: `state !== 'REFUSED' && state !== 'PAID' && state !== 'UNKNOWN'`,
    },
  ]),
  ...of(`${PAYMENTS}/gateway-webhooks/receive-webhook.ts`, [
    {
      name: 'a webhook is acknowledged and not stored',
      search: `await storeGatewayWebhook(database, webhook, await followUpOf(context, reading, webhook), now);`,
      replace: `void followUpOf(context, reading, webhook).then((followUp) => storeGatewayWebhook(database, webhook, followUp, now)).catch(() => undefined);`,
    },
    {
      name: 'an old webhook is taken again',
      search: 'if (reading.occurredAt !== null && now.getTime() - reading.occurredAt.getTime() > STALE_MS)',
      replace: 'if (reading.occurredAt !== null && now.getTime() < STALE_MS)',
    },
    {
      name: 'a webhook is read by another gateway’s address',
      search: 'known === undefined || known.gateway !== gateway ?',
      replace: 'known === undefined ?',
    },
  ]),
  ...of(`${GATEWAYS}/webhook-reading.ts`, [
    {
      name: 'a forged webhook is believed',
      search: `if (secret === undefined || secret === '' || !isHexHmac('sha512', secret, body, given)) return`,
      replace: `if (secret === undefined || secret === '') return`,
    },
  ]),
  ...of(`${REFUNDS}/fetch-refund.ts`, [
    {
      name: 'a refund that may have arrived is sent again',
      theme: 'refunds_under_doubt',
      search: `return mayArrive ? { kind: 'unanswered', message } : { kind: 'not_received', sending: refund.sendCount, message };`,
      replace: `return { kind: 'not_received', sending: refund.sendCount, message };`,
    },
    {
      name: 'the refusal of a second sending counts, whatever the gateway lists',
      theme: 'refunds_under_doubt',
      search: 'sending > 1 && refused ?',
      replace: 'sending > 1 && !refused ?',
    },
    {
      name: 'a process that did not get to send a refund sends it',
      theme: 'refunds_under_doubt',
      search: 'if (!mine) return null;\n',
      replace: '',
    },
    {
      name: 'a list that cannot be read proves that a refund did not arrive',
      theme: 'refunds_under_doubt',
      search: `if (listed.outcome !== 'yes') return { kind: 'unanswered', message: listed.failure.message };`,
      replace: `if (listed.outcome !== 'yes') return null;`,
    },
    {
      name: 'another refund of the same amount is taken for one that was lost',
      search: 'if (known.some((other) => other.gatewayRefundId === gatewayRefundId)) continue;\n',
      replace: '',
    },
  ]),
  ...of(`${REFUNDS}/apply-refund-result.ts`, [
    {
      name: 'a lost answer to a refund is a failed refund',
      theme: 'refunds_under_doubt',
      search: `return { kind: 'unanswered', message: outcome.failure.message };`,
      replace: `return { kind: 'reported', state: 'FAILED', gatewayRefundId: null, message: outcome.failure.message, sending };`,
    },
    {
      name: 'a refund that has ended changes again',
      search: 'if (isFinalRefund(refund.state)) return null;\n',
      replace: '',
    },
    {
      name: 'the refusal of an earlier sending counts',
      search: 'if (sending !== refund.sendCount) return null;\n',
      replace: '',
    },
    {
      name: 'a refund that was sent again since is sent once more',
      search: 'if (result.sending !== refund.sendCount) return null;\n',
      replace: '',
    },
    {
      name: 'a refund makes any move that its gateway says',
      search: 'if (state !== refund.state && !canTransitionRefund(refund.state, state)) return null;\n',
      replace: '',
    },
    {
      name: 'a status of a refund that no document lists is taken as it is read',
      search: 'if (result.unrecognised !== undefined) {',
      replace: 'if (result.unrecognised === null) {',
    },
    {
      name: 'a used reference of a refund is its failure',
      search: `code === 'malformed_answer' || code === 'duplicate_reference'`,
      replace: `code === 'malformed_answer'`,
    },
    {
      name: 'an answer to a refund that cannot be read is its failure',
      search: `code === 'malformed_answer' || code === 'duplicate_reference'`,
      replace: `code === 'duplicate_reference'`,
    },
    {
      name: 'a gateway’s fault is a refusal of the refund',
      search: `if (of === 'provider_fault') return { kind: 'not_received', sending, message };
`,
      replace: '',
    },
    {
      name: 'a refund that does not end counts as failed',
      search: `{ state: 'NEEDS_ATTENTION', failureMessage } : { failureMessage }`,
      replace: `{ state: 'FAILED', failureMessage } : { failureMessage }`,
    },
    {
      name: 'a refund that never reaches its gateway is tried for ever',
      search: 'now.getTime() - createdAt.getTime() > SENDING_MAX_MS',
      replace: 'now.getTime() < createdAt.getTime()',
    },
  ]),
  ...of(`${REFUNDS}/due-refunds.ts`, [
    {
      name: 'a refund is sent by every process that sees it',
      theme: 'refunds_under_doubt',
      search: `WHERE merchant_id = $1 AND id = $2 AND state = 'REQUESTED'\nRETURNING id`,
      replace: `WHERE merchant_id = $1 AND id = $2\nRETURNING id`,
    },
    {
      name: 'whether a refund may arrive goes by the clock of the process',
      theme: 'refunds_under_doubt',
      search: `UPDATE refund SET state = 'PROCESSING', sent_at = now(),`,
      replace: `UPDATE refund SET state = 'PROCESSING', sent_at = $3,`,
    },
  ]),
  ...of(`${DELIVERIES}/due-deliveries-queries.ts`, [
    {
      name: 'events overtake each other',
      search: `AND d.next_attempt_at <= $3\n    AND (d.payment_id IS NULL OR NOT EXISTS`,
      replace: `AND d.next_attempt_at <= $3\n    AND (true OR NOT EXISTS`,
    },
  ]),
  ...of(`${DELIVERIES}/deliver.ts`, [
    {
      name: 'a delivery that was refused counts as delivered',
      search: `return sent.kind === 'answered' && sent.status >= 200 && sent.status < 300;`,
      replace: `return sent.kind === 'answered';`,
    },
    {
      name: 'a delivery that was redirected counts as delivered',
      search: `return sent.kind === 'answered' && sent.status >= 200 && sent.status < 300;`,
      replace: `return sent.kind === 'answered' && sent.status >= 200 && sent.status < 400;`,
    },
    {
      name: 'a failed delivery is not retried',
      search: `return delayMs === null ? null : new Date(endedAt.getTime() + delayMs);`,
      replace: `return null;`,
    },
    {
      name: 'an endpoint is switched off at its first failure',
      search: 'now.getTime() - failingSince.getTime() >= FAILING_MAX_MS',
      replace: 'now.getTime() - failingSince.getTime() < FAILING_MAX_MS',
    },
    {
      name: 'a retry sends the payment as it is now',
      search: 'if (claimed.formattedBody !== null) return claimed.formattedBody;\n',
      replace: '',
    },
  ]),
  ...of(`${LIFE_CYCLE}/apply-change.ts`, [
    {
      name: 'the payment’s own money is taken for a second charge',
      theme: 'slow_database',
      search: `if (own > 0) return 'known';`,
      replace: `if (own < 0) return 'known';`,
    },
    {
      name: 'a second charge is recorded for a payment that has moved on',
      search: `if (locked[0]?.version !== version) return 'moved_on';
`,
      replace: '',
    },
    {
      name: 'a second charge is announced each time that it is seen',
      search: `if (!inserted) return 'known';
`,
      replace: 'if (!inserted) void 0;\n',
    },
    {
      name: 'a change that was not written counts as applied',
      search: `(changed.has(paymentId) ? 'applied' : 'moved_on')`,
      replace: `(changed.has(paymentId) ? 'applied' : 'applied')`,
    },
    {
      name: 'an event that changes no status becomes the event of the status',
      search: 'findLast((event) => event.toStatus !== null)',
      replace: 'findLast((event) => event.toStatus !== undefined)',
    },
  ]),
  ...of(`${LIFE_CYCLE}/transitions.ts`, [
    {
      name: 'an initiated payment cannot fail',
      search: `INITIATED: ['PENDING', 'FAILED'],`,
      replace: `INITIATED: ['PENDING'],`,
    },
    {
      name: 'an initiated payment may succeed',
      search: `INITIATED: ['PENDING', 'FAILED'],`,
      replace: `INITIATED: ['PENDING', 'FAILED', 'SUCCESS'],`,
    },
    {
      name: 'an open payment cannot fail',
      search: `PENDING: ['SUCCESS', 'FAILED'],`,
      replace: `PENDING: ['SUCCESS'],`,
    },
    {
      name: 'an open payment cannot succeed',
      search: `PENDING: ['SUCCESS', 'FAILED'],`,
      replace: `PENDING: ['FAILED'],`,
    },
    {
      name: 'late proof does not make a failed payment succeed',
      search: `FAILED: ['SUCCESS'],`,
      replace: 'FAILED: [],',
    },
    {
      name: 'a failed payment may be pending again',
      search: `FAILED: ['SUCCESS'],`,
      replace: `FAILED: ['SUCCESS', 'PENDING'],`,
    },
    {
      name: 'a payment whose whole amount went back stays paid',
      search: `SUCCESS: ['REFUNDED'],`,
      replace: 'SUCCESS: [],',
    },
    {
      name: 'a paid payment may fail, by the table',
      search: `SUCCESS: ['REFUNDED'],`,
      replace: `SUCCESS: ['REFUNDED', 'FAILED'],`,
    },
    {
      name: 'a refunded payment may succeed again',
      search: 'REFUNDED: [],',
      replace: `REFUNDED: ['SUCCESS'],`,
    },
  ]),
  ...of(`${LIFE_CYCLE}/find-payment.ts`, [
    {
      name: 'a key of one mode reads payments of the other',
      search: 'return payment?.mode === mode ? payment : undefined;',
      replace: 'return payment;',
    },
  ]),
  ...of(`${INITIATE}/settle-initiation.ts`, [
    {
      name: 'an attempt without an answer is not watched once another was refused',
      theme: 'second_attempts',
      search: 'failed.some(({ uncertain }) => uncertain)',
      replace: 'failed.every(({ uncertain }) => uncertain)',
    },
    {
      name: 'a checkout that came too late is shown as the payment’s',
      theme: 'stalled_processes',
      search: 'if (!settled) return settledByAnother(context, payment);\n',
      replace: '',
    },
  ]),
  ...of(`${INITIATE}/resume-initiation.ts`, [
    {
      name: 'an interrupted payment fails at its end without an answer',
      theme: 'crashes_around_calls',
      search: 'if (!answered) return { payment, answered };\n',
      replace: '',
    },
    {
      name: 'a checkout that may be open is opened again',
      theme: 'crashes_around_calls',
      search: `outcome !== null && outcome.outcome !== 'yes' && canReopen.has(outcome.failure.code)`,
      replace: 'outcome !== null',
    },
    {
      name: 'a second opening of a checkout counts as the first',
      theme: 'crashes_around_calls',
      search: 'calledBefore: true',
      replace: 'calledBefore: false',
    },
    {
      name: 'the last gateway’s silence fails an interrupted payment',
      theme: 'crashes_around_calls',
      search: 'return answered ? failWithoutCheckout(context, reserved, last, failed) : { payment, answered };',
      replace: 'return failWithoutCheckout(context, reserved, last, failed);',
    },
  ]),
  ...of(`${SWEEPING}/unsettled.ts`, [
    {
      name: 'a payment that no gateway decides goes to review at once',
      search: 'now >= reviewDueAt(expiresAt)',
      replace: 'now < reviewDueAt(expiresAt)',
    },
  ]),
  ...of(`${SWEEPING}/next-check.ts`, [
    {
      name: 'late money is watched for a tenth of the time',
      search: 'const LATE_WATCH_MS = 72 * HOUR_MS;',
      replace: 'const LATE_WATCH_MS = 7.2 * HOUR_MS;',
    },
  ]),
  ...of(`${SWEEPING}/queries.ts`, [
    {
      name: 'two processes follow the same payment',
      search: 'ORDER BY next_check_at LIMIT $4 FOR UPDATE SKIP LOCKED)',
      replace: 'ORDER BY next_check_at LIMIT $4)',
    },
    {
      name: 'a process without its lease schedules the next check',
      search: '  AND payment.next_check_at = input.leased_until AND input.next_check_at IS NOT NULL',
      replace: '  AND input.next_check_at IS NOT NULL',
    },
  ]),
  ...of(`${VERIFY}/verify.ts`, [
    {
      name: 'a paid payment is looked up at each question',
      search: `payment.status === 'SUCCESS' || payment.status === 'REFUNDED' || payment.status === 'INITIATED'`,
      replace: `payment.status === 'REFUNDED' || payment.status === 'INITIATED'`,
    },
    {
      name: 'attempts without an answer are not looked up when asked',
      theme: 'second_attempts',
      search: `current.length > 0 ? current : attempts.filter(({ state }) => state === 'UNKNOWN')`,
      replace: 'current',
    },
  ]),
  ...of(`${VERIFY}/verify-attempt.ts`, [
    {
      name: 'a look-up without an answer is not repeated',
      search: 'if (!answered) throw',
      replace: 'if (answered === null) throw',
    },
  ]),
  ...of(`${VERIFY}/fetch-gateway-result.ts`, [
    {
      name: 'a change that lost its race is not computed again',
      theme: 'slow_database',
      search: `if (applied !== 'moved_on') return current;`,
      replace: 'return current;',
    },
    {
      name: 'a change that lost its race is computed from the old payment again',
      theme: 'slow_database',
      search: '    payment = current;\n',
      replace: '',
    },
    {
      name: '“not paid yet” is no answer',
      search: `outcome.outcome !== 'unknown' || outcome.failure.class === 'customer'`,
      replace: `outcome.outcome !== 'unknown'`,
    },
    {
      name: 'silence is an answer',
      search: `outcome.outcome !== 'unknown' || outcome.failure.class === 'customer'`,
      replace: `outcome.outcome !== 'unknown' || outcome.failure.class !== 'customer' || true`,
    },
    {
      name: 'verify answers with the payment as it was before',
      search: '((await readPayment(database, merchantId, paymentId)) ?? payment)',
      replace: 'payment',
    },
    {
      name: 'our own refunds count as taken back by the gateway',
      search: 'return { refunded, disputed };',
      replace: 'return { refunded: refunded - refunded, disputed };',
    },
  ]),
  ...of(`${VERIFY}/return-from-checkout.ts`, [
    {
      name: 'a checkout’s address of one mode shows a payment of the other',
      search: 'payment === undefined || payment.mode !== known.account.mode',
      replace: 'payment === undefined',
    },
  ]),
  ...of(`${PAYMENTS}/gateway-webhooks/follow-up-webhook.ts`, [
    {
      name: 'a webhook whose gateway gives no answer counts as followed up',
      search: 'if (!answered) throw',
      replace: 'if (answered === null) throw',
    },
    {
      name: 'a webhook that comes before its checkout is on record is forgotten',
      search: `if (payment.status === 'INITIATED') throw new Error(\`payment \${payment.paymentId} is still being initiated\`);`,
      replace: `if (payment.status === 'INITIATED') return;`,
    },
  ]),
  ...of(`${REFUNDS}/refund-transitions.ts`, [
    {
      name: 'a refund that was not sent cannot fail',
      search: `REQUESTED: ['PROCESSING', 'FAILED'],`,
      replace: `REQUESTED: ['PROCESSING'],`,
    },
    {
      name: 'a refund that was not sent may succeed',
      search: `REQUESTED: ['PROCESSING', 'FAILED'],`,
      replace: `REQUESTED: ['PROCESSING', 'FAILED', 'SUCCEEDED'],`,
    },
    {
      name: 'a refund that never arrived cannot be sent again, by the table',
      search: `PROCESSING: ['REQUESTED', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'],`,
      replace: `PROCESSING: ['SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'],`,
    },
    {
      name: 'a refund that does not end is not handed over',
      search: `PROCESSING: ['REQUESTED', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'],`,
      replace: `PROCESSING: ['REQUESTED', 'SUCCEEDED', 'FAILED'],`,
    },
    {
      name: 'a refund that a person paid out cannot succeed',
      search: `NEEDS_ATTENTION: ['PROCESSING', 'SUCCEEDED', 'FAILED'],`,
      replace: `NEEDS_ATTENTION: ['PROCESSING', 'FAILED'],`,
    },
    {
      name: 'a refund that succeeded may fail',
      search: 'SUCCEEDED: [],',
      replace: `SUCCEEDED: ['FAILED'],`,
    },
    {
      name: 'a refund that failed may succeed',
      search: '  FAILED: [],',
      replace: `  FAILED: ['SUCCEEDED'],`,
    },
  ]),
  ...of(`${REFUNDS}/request-refund.ts`, [
    {
      name: 'more than was paid is refunded',
      search: 'amount > refundable || refundable <= 0n',
      replace: 'refundable <= 0n',
    },
    {
      name: 'nothing is refunded once more',
      search: 'amount > refundable || refundable <= 0n',
      replace: 'amount > refundable',
    },
    {
      name: 'a key of one mode refunds payments of the other',
      search: 'locked === null || (mode !== null && locked.mode !== mode)',
      replace: 'locked === null',
    },
    {
      name: 'a refund’s id answers for another payment',
      search: 'known.paymentId === paymentId ?',
      replace: `known.paymentId !== '' ?`,
    },
    {
      name: 'an unpaid payment is refunded',
      search: `if (locked.status !== 'SUCCESS' && locked.status !== 'REFUNDED') return`,
      replace: `if (locked.status === 'INITIATED') return`,
    },
    {
      name: 'money that the gateway took back is refunded as well',
      search: 'subtractReversed(locked.amount, locked.reversal)',
      replace: `subtractReversed(locked.amount, { ...locked.reversal, amount: '0' })`,
    },
    {
      name: 'the second charge is refunded in place of the payment',
      search: `state === 'PAID' && !duplicate`,
      replace: `state === 'PAID' || duplicate`,
    },
  ]),
  ...of(`${REFUNDS}/queries.ts`, [
    {
      name: 'a payment is not locked while a refund is recorded',
      theme: 'refunds_under_doubt',
      search: `lock = Prisma.sql\`FOR UPDATE\`,`,
      replace: 'lock = Prisma.empty,',
    },
    {
      name: 'two results of a refund are applied at once',
      search: 'where: { merchantId, id, version },',
      replace: 'where: { merchantId, id },',
    },
  ]),
  ...of(`${REFUNDS}/sum-refunds.ts`, [
    {
      name: 'a refund that failed keeps its money',
      search: `accountId, transactionId, state: { not: 'FAILED' } }`,
      replace: 'accountId, transactionId }',
    },
  ]),
  ...of(`${REFUNDS}/settle-refund.ts`, [
    {
      name: 'a refund is announced again at each look-up',
      search: 'after.state === refund.state ? NONE :',
      replace: `after.state === 'REQUESTED' ? NONE :`,
    },
  ]),
  ...of(`${REFUNDS}/refund-consequences.ts`, [
    {
      name: 'a payment whose whole amount went back stays paid, by its sum',
      search: 'refundedAmount >= locked.amount',
      replace: 'refundedAmount > locked.amount',
    },
    {
      name: 'a refund of a second charge counts as one of the payment',
      search: 'if (refund.duplicate) return { change: {}, events: [done] };\n',
      replace: '',
    },
    {
      name: 'a review is closed while other money of it is left',
      search: `if (more || locked.review !== 'OPEN')`,
      replace: `if (locked.review !== 'OPEN')`,
    },
    {
      name: 'a second charge whose refund failed stays in refunding',
      search: `if (refund.duplicate) await moveDuplicate(context, transaction, refund, 'OPEN');
      else if`,
      replace: 'if',
    },
  ]),
  ...of(`${REFUNDS}/record-refund-outcome.ts`, [
    {
      name: 'a person decides a refund that its gateway decides',
      search: `refund.state !== 'NEEDS_ATTENTION'`,
      replace: `refund.state === 'SUCCEEDED'`,
    },
  ]),
  ...of(`${PAYMENTS}/duplicates/refund-duplicate.ts`, [
    {
      name: 'a second charge is refunded again',
      search: `if (charge.state !== 'OPEN') return { kind: 'not_open', state: charge.state };
`,
      replace: '',
    },
    {
      name: 'a fraction of a second charge is kept in silence',
      search: `if (remainder !== '0') {`,
      replace: `if (remainder === '') {`,
    },
  ]),
  ...of(`${PAYMENTS}/reviews/resolve-review.ts`, [
    {
      name: 'a review is closed while a refund of it is under way',
      search: `if (mismatched.some(({ state }) => state === 'refunding')) return { kind: 'refunding' };
`,
      replace: '',
    },
    {
      name: 'a decision acts on money that came after it',
      search: `if (money.refundable !== amount) return { kind: 'changed' };
`,
      replace: '',
    },
  ]),
  ...of(`${PAYMENTS}/reversals/decide-reversal.ts`, [
    {
      name: 'what the gateway took back counts again each time',
      search: 'if (compareDecimals(taken, reversal.amount) <= 0) return null;\n',
      replace: '',
    },
    {
      name: 'a transaction that says nothing of it undoes a chargeback',
      search: `reversal.cause === 'gateway' ? NOT_REVERSED : null`,
      replace: 'reversal.cause !== null ? NOT_REVERSED : null',
    },
    {
      name: 'more goes back than was paid',
      search: 'compareDecimals(lost, left) < 0 ? lost : left',
      replace: 'lost',
    },
  ]),
  ...of(`${PAYMENTS}/claim-by-merchant.ts`, [
    {
      name: 'a claim that fails loses what was claimed of other merchants',
      search: 'if (claimed.length === 0 && failed !== undefined) throw',
      replace: 'if (failed !== undefined) throw',
    },
  ]),
  ...of(`${PAYMENTS}/idempotency/queries.ts`, [
    {
      name: 'a key answers another request',
      search: `if (!Buffer.from(record.requestHash).equals(request.requestHash)) return { kind: 'other_request' };
`,
      replace: '',
    },
    {
      name: 'the last answer takes the place of the first',
      search:
        'WHERE merchant_id = $1 AND mode = $2 AND key = $3 AND status_code IS NULL`,\n    values: [merchantId, mode, key, answer',
      replace: 'WHERE merchant_id = $1 AND mode = $2 AND key = $3`,\n    values: [merchantId, mode, key, answer',
    },
  ]),
  ...of(`${DELIVERIES}/schedule.ts`, [
    {
      name: 'deliveries are retried one time too few',
      search: 'DELAYS_MS[failedAttempts - 1]',
      replace: 'DELAYS_MS[failedAttempts]',
    },
  ]),
  ...of(`${DELIVERIES}/sign.ts`, [
    {
      name: 'only the newest secret signs while it is replaced',
      search: 'secrets.map((secret)',
      replace: 'secrets.slice(0, 1).map((secret)',
    },
  ]),
  ...of(`${DELIVERIES}/dispatcher.ts`, [
    {
      name: 'a slow endpoint keeps all of its slots',
      search: `outcome === 'timeout' ? queue.timeoutsInARow + 1 : 0`,
      replace: `outcome === 'timeout' ? queue.timeoutsInARow : 0`,
    },
    {
      name: 'the next event of a payment waits for a sweep',
      search: 'if (isNextDue) queue.isWoken = true;\n',
      replace: '',
    },
    {
      name: 'what is due beyond one claim waits for a sweep',
      search: 'if (begun === limit) queue.isWoken = true;\n',
      replace: '',
    },
  ]),
  ...of(`${DECIDE}/eligibility.ts`, [
    {
      name: 'an account gets payments in a currency that it does not take',
      search: 'holds: ({ currencies }, { currency }) => currencies.includes(currency),',
      replace: 'holds: ({ currencies }) => currencies.length > 0,',
    },
    {
      name: 'an account that is switched off gets payments',
      search: 'holds: ({ enabled }) => enabled }',
      replace: 'holds: ({ enabled }) => enabled || !enabled }',
    },
    {
      name: 'the greatest amount of an account is beyond it',
      search: 'amount <= maxAmount)',
      replace: 'amount < maxAmount)',
    },
    {
      name: 'a drained account gets payments',
      search: `override.action !== 'force'`,
      replace: `override.action === 'disable'`,
    },
    {
      name: 'an override lasts a moment too long',
      search: '!(Date.parse(expiresAt) <= now)',
      replace: '!(Date.parse(expiresAt) < now)',
    },
    {
      name: 'an override of one method holds for all',
      search: '(override.method === null || override.method === method)',
      replace: 'override.method !== undefined',
    },
  ]),
  ...of(`${DECIDE}/plan.ts`, [
    {
      name: 'a payment probes two accounts',
      search: 'eligibility.keepsRank && probe === null',
      replace: 'eligibility.keepsRank',
    },
    {
      name: 'accounts that are not healthy are tried in any order',
      search: '  last.sort(byChance);\n',
      replace: '',
    },
    {
      name: 'a probe payment has no fallback',
      search: 'probe === null || order.length === 1 || order.at(-1) !== probe',
      replace: 'probe === null || order.length >= 1',
    },
  ]),
  ...of(`${DECIDE}/compile.ts`, [
    {
      name: 'a rule that is switched off matches',
      search: 'if (!rule.enabled) continue;\n',
      replace: '',
    },
    {
      name: 'a later rule of a country wins',
      search: 'localPosition < position)',
      replace: 'localPosition > position)',
    },
  ]),
  ...of(`${DECIDE}/rank.ts`, [
    {
      name: 'a gateway that was asked for is not tried first',
      search: `if (path.kind === 'requested') {`,
      replace: `if (path.kind === 'requested' && path.gateway === '') {`,
    },
  ]),
  ...of(`${DECIDE}/strategy.ts`, [
    {
      name: 'the dearest account is the cheapest',
      search: 'left.fee - right.fee',
      replace: 'right.fee - left.fee',
    },
    {
      name: 'too few payments measure an account',
      search: '>= target.minSamples',
      replace: '>= 0',
    },
  ]),
  ...of('packages/routing/src/fee.ts', [
    {
      name: 'a fee is not capped',
      search: 'terms.cap === null ? uncapped :',
      replace: 'terms.cap !== undefined ? uncapped :',
    },
    {
      name: 'a flat fee is waived at its threshold',
      search: 'payment.amount < terms.flatWaivedBelow * 100',
      replace: 'payment.amount <= terms.flatWaivedBelow * 100',
    },
  ]),
  ...of('packages/provider-health/src/assess/assess-health.ts', [
    {
      name: 'an account that fails is proven by the first success',
      search: 'proven = samplesIn(counts) >= needed && faultShare',
      replace: 'proven = samplesIn(counts) >= 1 && faultShare',
    },
    {
      name: 'an account that rests is probed at once',
      search: 'return now - previous.since >= (probes.kind',
      replace: 'return now >= previous.since || 0 > (probes.kind',
    },
  ]),
  ...of('packages/provider-health/src/monitor/classify-outcome.ts', [
    {
      name: 'a key of ours that is refused counts against the gateway',
      search: `outcome.failure.class !== 'provider_fault'`,
      replace: `outcome.failure.class === 'customer'`,
    },
  ]),
  ...of(`${GATEWAYS}/paystack/verdict.ts`, [
    {
      name: 'Paystack’s answer about another payment counts',
      search: 'if (found.reference !== query.reference) return otherReference(api.title);\n',
      replace: '',
    },
    {
      name: 'Paystack’s answer from the other mode counts',
      search: 'if (otherMode !== null) return',
      replace: 'if (otherMode === undefined) return',
    },
    {
      name: 'an overpayment at Paystack is taken for its fee',
      search: 'amount - requested === fees ?',
      replace: 'amount - requested >= fees ?',
    },
  ]),
  ...of(`${GATEWAYS}/flutterwave/verdict.ts`, [
    {
      name: 'an underpayment at Flutterwave is not seen',
      search: 'compareDecimals(charged, requested) < 0 ? charged : requested',
      replace: 'requested',
    },
  ]),
  ...of(`${GATEWAYS}/kora/verdict.ts`, [
    {
      name: 'money of a failed charge at Kora is not seen',
      search: `paid !== null && paid !== undefined && readDecimal(paid) !== '0'`,
      replace: `paid === '0'`,
    },
  ]),
  ...of(`${GATEWAYS}/interswitch/verdict.ts`, [
    {
      name: 'a part that Interswitch approved is the whole',
      search: `? received(found, query, \`Interswitch does not say that the whole amount was paid: \${said}\`)`,
      replace: '? received(found, query)',
    },
  ]),
  ...of(`${GATEWAYS}/monnify/verdict.ts`, [
    {
      name: 'Monnify’s answer about another payment counts',
      search: 'if (found.paymentReference !== query.reference) return otherReference(api.title);\n',
      replace: '',
    },
  ]),
  ...of(`${GATEWAYS}/squad/verdict.ts`, [
    {
      name: 'Squad’s answer about another payment counts',
      search: 'if (found.transaction_ref !== query.reference) return otherReference(api.title);\n',
      replace: '',
    },
  ]),
  ...of(`${GATEWAYS}/squad/webhooks.ts`, [
    {
      name: 'a webhook of Squad whose two references differ is taken',
      search: `if (named !== reference) return refused('malformed');
`,
      replace: '',
    },
  ]),
  ...of(`${GATEWAYS}/flutterwave/webhooks.ts`, [
    {
      name: 'the hash alone makes a webhook genuine where a signature is sent too',
      search: 'return isBase64Hmac(secret, body, overBody) ? null',
      replace: 'return isBase64Hmac(secret, body, overBody) || isSameText(secret, hash) ? null',
    },
  ]),
  ...of(`${GATEWAYS}/states.ts`, [
    {
      name: 'a word that no document lists means that the payment failed',
      search: `return { outcome: 'unknown', failure: unrecognisedStatus(title, word) };`,
      replace: `return { outcome: 'no', failure: unrecognisedStatus(title, word) };`,
    },
  ]),
  ...of('packages/settlements/src/matching/judge-entry.ts', [
    {
      name: 'a payout that is short counts as settled',
      search: 'compareDecimals(magnitude(difference), tolerance) <= 0',
      replace: 'compareDecimals(difference, tolerance) <= 0',
    },
    {
      name: 'money that is awaited is never missing',
      search: `if (settled === null) return 'missing';
`,
      replace: '',
    },
  ]),
  ...of(`${HEALTH}/assess/assess-health.ts`, [
    {
      name: 'a relapse is not counted',
      search: 'now - since >= restMaxMs ? 0 : relapses + 1;',
      replace: 'now - since >= restMaxMs ? 0 : relapses;',
    },
    {
      name: 'an account rests without limit',
      search: 'Math.min(thresholds.restMs * 2 ** previous.relapses, thresholds.restMaxMs)',
      replace: 'thresholds.restMs * 2 ** previous.relapses',
    },
    {
      name: 'the faults that demoted an account count again',
      search: `countFrom: nextBucketOf(now),
    relapses,`,
      replace: `countFrom: previous.countFrom,
    relapses,`,
    },
    {
      name: 'an account that was slow recovers by openings that are less slow',
      search: `demotion?.cause === 'slow' ? fastUntilMs`,
      replace: `demotion?.cause === 'faults' ? fastUntilMs`,
    },
  ]),
  ...of(`${HEALTH}/monitor/classify-outcome.ts`, [
    {
      name: 'a look-up of an unpaid payment says nothing of the gateway',
      search: `code === 'not_found' || code === 'not_paid_yet'`,
      replace: `code === 'not_found'`,
    },
  ]),
  ...of(`${HEALTH}/monitor/health-ledger.ts`, [
    {
      name: 'a look-up counts as traffic',
      search: 'countLookup(at({ ...where, method: ANY_METHOD }), classifyOutcome(outcome).outcome);',
      replace: 'countOpening(at({ ...where, method: ANY_METHOD }), classifyOutcome(outcome).outcome, undefined, 0);',
    },
    {
      name: 'a success does not end a run of faults',
      search: `        if (seen.outcome === 'succeeded') runs.delete(key);
`,
      replace: '',
    },
    {
      name: 'ends of payments count for their method alone',
      search: 'for (const series of seriesOf(where)) at(series)[end] += 1;',
      replace: 'for (const series of seriesOf(where).slice(-1)) at(series)[end] += 1;',
    },
    {
      name: 'counts are shared again and again',
      search: `      pending.clear();
`,
      replace: '',
    },
  ]),
  ...of(`${HEALTH}/monitor/health-series.ts`, [
    {
      name: 'a bucket that is read again counts twice',
      search: 'at < readFrom && at >= now - WINDOW_MS',
      replace: 'at <= readFrom && at >= now - WINDOW_MS',
    },
  ]),
  ...of(`${HEALTH}/monitor/queries.ts`, [
    {
      name: 'two processes change the health of an account',
      search: 'where: { merchantId, accountId, method, version }, data',
      replace: 'where: { merchantId, accountId, method }, data',
    },
  ]),
  ...of(`${HEALTH}/monitor/health-monitor.ts`, [
    {
      name: 'late counts of other processes are not read',
      search: 'readFrom = at - REREAD_MS;',
      replace: 'readFrom = at + BUCKET_MS;',
    },
    {
      name: 'test accounts go by the thresholds of live ones',
      search: 'thresholdsOf(configuration.merchant(merchantId), mode)',
      replace: `thresholdsOf(configuration.merchant(merchantId), 'live')`,
    },
  ]),
  ...of(`${HEALTH}/monitor/probe-slots.ts`, [
    {
      name: 'a probe slot is freed by an opening from before it',
      search: 'if (last?.inFlight && begunAt >= last.at)',
      replace: 'if (last?.inFlight)',
    },
  ]),
  ...of(`${HEALTH}/probes/probe-pace.ts`, [
    {
      name: 'an idle account is not probed',
      search: 'return isIdle ? IDLE_EVERY_MS : null;',
      replace: 'return null;',
    },
  ]),
  ...of(`${HEALTH}/probes/probe-accounts.ts`, [
    {
      name: 'accounts that are switched off are probed',
      search: '(account.enabled ? (dueProbe(account, health, state.get(account.id), now) ?? []) : [])',
      replace: '(dueProbe(account, health, state.get(account.id), now) ?? [])',
    },
    {
      name: 'a probe counts as an opening of a checkout',
      search: 'context.health.observeLookup({ merchantId, accountId, method: null }, outcome);',
      replace: 'context.health.observeOpening({ merchantId, accountId, method: null }, outcome, 0);',
    },
  ]),
  ...of(`${HEALTH}/probes/queries.ts`, [
    {
      name: 'a probe asks about the oldest attempt',
      search: `orderBy: { createdAt: 'desc' },`,
      replace: `orderBy: { createdAt: 'asc' },`,
    },
  ]),
  ...of(`${HEALTH}/assess/evidence.ts`, [
    {
      name: 'exactly the share of faults that is down is not',
      search: 'samplesIn(counts) >= minSamples && faultShare(counts) >= downShare',
      replace: 'samplesIn(counts) >= minSamples && faultShare(counts) > downShare',
    },
  ]),
  ...of(`${HEALTH}/assess/judge-probes.ts`, [
    {
      name: 'answers beside the last failure prove its end',
      search: 'lookupsOf(known.filter(({ at }) => at > lastFailedAt))',
      replace: 'lookupsOf(known.filter(({ at }) => at >= lastFailedAt))',
    },
  ]),
  ...of(`${HEALTH}/monitor/openings-in-flight.ts`, [
    {
      name: 'an opening that fails shows that the account answers',
      search: `          if (end === 'failed') continue;
`,
      replace: '',
    },
  ]),
  ...of(`${RECONCILIATION}/compare-payments.ts`, [
    {
      name: 'a payment of the next midnight is of this day',
      search: 'own.createdAt < day.to',
      replace: 'own.createdAt <= day.to',
    },
    {
      name: 'a payment that went back as a whole counts as not returned',
      search: 'compareDecimals(returned, ledger.amount) >= 0',
      replace: 'compareDecimals(returned, ledger.amount) > 0',
    },
    {
      name: 'a try that failed is taken for the one that paid',
      search: `if (row.status === 'paid') return 2;`,
      replace: `if (row.status === 'paid') return 0;`,
    },
    {
      name: 'the currency of a statement is not compared',
      search: `  if (statement.currency !== counted.currency) return 'CURRENCY';
`,
      replace: '',
    },
  ]),
  ...of(`${RECONCILIATION}/reconcile.ts`, [
    {
      name: 'a fee on record is taken from the statement again',
      search: 'row.fee !== null && entry?.lacksFee ?',
      replace: 'row.fee !== null && entry != null ?',
    },
  ]),
  ...of(`${RECONCILIATION}/compare-refunds.ts`, [
    {
      name: 'a refund that its gateway accepted and does not list is not missed',
      search: `state === 'SUCCEEDED' || (gatewayRefundId !== null && state !== 'FAILED')`,
      replace: `state === 'SUCCEEDED'`,
    },
    {
      name: 'a refund of the gateway that we do not have is no discrepancy',
      search: `statement.state === 'failed' ? null : found('MISSING_HERE'`,
      replace: `statement.state !== 'needs_attention' ? null : found('MISSING_HERE'`,
    },
  ]),
  ...of(`${RECONCILIATION}/resolve-discrepancies.ts`, [
    {
      name: 'a discrepancy that comes again stays closed',
      search: '(!each.same || each.stored.resolvedBy === RECONCILIATION_ACTOR)',
      replace: '!each.same',
    },
    {
      name: 'an explanation is replaced once its discrepancy is gone',
      search: `stored.filter((discrepancy) => discrepancy.state === 'OPEN' && !now.has(`,
      replace: 'stored.filter((discrepancy) => !now.has(',
    },
  ]),
  ...of(`${RECONCILIATION}/tolerance.ts`, [
    {
      name: 'a difference of exactly the tolerance exceeds it',
      search: '.greaterThan(tolerance)',
      replace: '.greaterThanOrEqualTo(tolerance)',
    },
  ]),
  ...of(`${RECONCILIATION}/change-discrepancy.ts`, [
    {
      name: 'another status is accepted within a tolerance',
      search: `if (before.kind !== 'AMOUNT') return`,
      replace: `if (before.kind === 'MISSING_HERE') return`,
    },
    {
      name: 'the change of a discrepancy is not audited',
      search: `    await auditDiscrepancy(context, transaction, { action, actor, before, after }, now);
`,
      replace: '',
    },
  ]),
  ...of(`${RECONCILIATION}/write-comparison.ts`, [
    {
      name: 'a process without its lease writes a comparison',
      search: 'if (!(await completeReconciliationRun(transaction, run, totalsJson(comparison), now))) return false;',
      replace: 'await completeReconciliationRun(transaction, run, totalsJson(comparison), now);',
    },
  ]),
  ...of(`${RECONCILIATION}/read-ledger.ts`, [
    {
      name: 'only the first thousand payments of a day are compared',
      search: 'if (page.length < BATCH) break;',
      replace: 'break;',
    },
    {
      name: 'a refund that the next day lists by our reference is missing',
      search: 'for (const name of [row.gatewayRefundId, ...namesIn(row.note)])',
      replace: 'for (const name of [row.gatewayRefundId])',
    },
  ]),
  ...of(`${RECONCILIATION}/reconcile-day.ts`, [
    {
      name: 'a statement that could not be read is not read again',
      search: 'return fail(context, lease, error.message, true);',
      replace: 'return fail(context, lease, error.message, false);',
    },
  ]),
  ...of(`${RECONCILIATION}/ledger-queries.ts`, [
    {
      name: 'the statement of a day is compared with the ledger of all accounts',
      search: `attempt.account_id = \${accountId}::uuid AND attempt.state = 'PAID'`,
      replace: `(attempt.account_id = \${accountId}::uuid OR true) AND attempt.state = 'PAID'`,
    },
    {
      name: 'a refund that failed counts as returned',
      search: ` AND refund.state <> 'FAILED'), 0)::text AS refunded`,
      replace: '), 0)::text AS refunded',
    },
  ]),
  ...of(`${SETTLEMENTS}/matching/judge-entry.ts`, [
    {
      name: 'money is late on the day on which it is expected',
      search: 'asOf <= expectedOn',
      replace: 'asOf < expectedOn',
    },
    {
      name: 'holidays are days of grace',
      search: 'addWorkingDays(expectedOn, graceDays, holidays)',
      replace: 'addWorkingDays(expectedOn, graceDays, [])',
    },
    {
      name: 'too little counts as too much',
      search: `compareDecimals(difference, '0') > 0 ? 'over' : 'under'`,
      replace: `compareDecimals(difference, '0') < 0 ? 'over' : 'under'`,
    },
  ]),
  ...of(`${SETTLEMENTS}/matching/link-lines.ts`, [
    {
      name: 'a line is linked to money in another currency',
      search: 'kinds.includes(kind) && currency === line.currency',
      replace: 'kinds.includes(kind)',
    },
    {
      name: 'a deduction is of a refund that came after it',
      search: '(line.settledOn === null || day <= line.settledOn) && ',
      replace: '',
    },
  ]),
  ...of(`${SETTLEMENTS}/intake/store-settlement.ts`, [
    {
      name: 'amounts of a settlement change after its lines were stored',
      search: ': { status, unrecognised, unrecognisedRecord };',
      replace: ': { ...head, status };',
    },
  ]),
  ...of(`${SETTLEMENTS}/matching/assign-by-time.ts`, [
    {
      name: 'a line exactly as far from its payment as is tolerated is too far',
      search: 'timeOf(entries, to) <= time + reach',
      replace: 'timeOf(entries, to) < time + reach',
    },
  ]),
  ...of(`${SETTLEMENTS}/fees/audit-fee.ts`, [
    {
      name: 'a local card may be charged as an international one',
      search: 'isPriceByOrigin && cardOrigin === null',
      replace: 'isPriceByOrigin',
    },
    {
      name: 'an overcharge counts as too little',
      search: 'subtractDecimals(charged, usual.expected) };',
      replace: 'subtractDecimals(usual.expected, charged) };',
    },
  ]),
  ...of(`${SETTLEMENTS}/calendar.ts`, [
    {
      name: 'money is expected on holidays',
      search: 'weekday !== SUNDAY && !holidays.includes(day)',
      replace: 'weekday !== SUNDAY && holidays.length >= 0',
    },
  ]),
  ...of(`${SETTLEMENTS}/console/link-line.ts`, [
    {
      name: 'a line is linked by staff to money in another currency',
      search: '    if (entry.currency !== line.currency) return',
      replace: `    if (entry.currency === '') return`,
    },
    {
      name: 'what the gateway matched is undone by staff',
      search: `if (line.linkedBy !== 'STAFF') return`,
      replace: `if (line.linkedBy === 'REFERENCE') return`,
    },
    {
      name: 'a link by staff is not audited',
      search: `    await appendAuditEntry(transaction, auditKeys, entry, context.now());
`,
      replace: '',
    },
  ]),
  ...of(`${DISPUTES}/console/answer-dispute.ts`, [
    {
      name: 'an answer that was refused cannot be given again',
      search: `, state: { not: 'REFUSED' } } as const`,
      replace: ' } as const',
    },
    {
      name: 'a dispute that is decided is answered',
      search: `if (dispute.state !== 'NEEDS_RESPONSE') return`,
      replace: `if (dispute.state === 'EXPIRED') return`,
    },
    {
      name: 'the whole amount is more than the disputed one',
      search: 'compareDecimals(amount, dispute.amount.toFixed()) > 0)',
      replace: 'compareDecimals(amount, dispute.amount.toFixed()) >= 0)',
    },
    {
      name: 'evidence of another dispute is sent',
      search: 'where: { merchantId, disputeId, id: evidenceId }',
      replace: 'where: { merchantId, id: evidenceId }',
    },
    {
      name: 'an answer to a dispute is not audited',
      search: `    await auditDispute(context, transaction, audited, now);
`,
      replace: '',
    },
  ]),
  ...of(`${DISPUTES}/console/record-dispute.ts`, [
    {
      name: 'a dispute is opened by hand before it was there',
      search: 'if (seen.openedAt > context.now())',
      replace: 'if (seen.openedAt < new Date(0))',
    },
  ]),
  ...of(`${DISPUTES}/responses/send-response.ts`, [
    {
      name: 'an answer that may have arrived is sent again',
      search: `if (response.attemptedAt !== null) return askAbout(context, sending, response);
`,
      replace: '',
    },
    {
      name: 'an answer whose outcome is not known counts as refused',
      search: 'return leaveOpen(context, response, dispute, outcome.failure);',
      replace: 'return refuse(context, response, dispute, outcome.failure.message);',
    },
  ]),
  ...of(`${DISPUTES}/intake/read-disputes.ts`, [
    {
      name: 'disputes that are open for long are not read again',
      search: 'Math.min(known, opened)',
      replace: 'known',
    },
  ]),
  ...of(`${PAYMENTS}/reversals/apply-dispute.ts`, [
    {
      name: 'the date of the gateway’s rule stays when it names its own',
      search: 'if (reported.dueAt !== null) return',
      replace: 'if (reported.dueAt !== null && known === null) return',
    },
    {
      name: 'a dispute under review is closed',
      search: `state !== 'NEEDS_RESPONSE' && state !== 'UNDER_REVIEW'`,
      replace: `state !== 'NEEDS_RESPONSE'`,
    },
  ]),
  ...of(`${PAYMENTS}/reversals/settle-dispute.ts`, [
    {
      name: 'a lost dispute of a second charge takes the payment’s money back',
      search: 'taking === null || attempt.duplicate',
      replace: 'taking === null',
    },
    {
      name: 'a lost dispute of another transaction takes the payment’s money back',
      search: ` && transactionId === named;
    const money`,
      replace: `;
    const money`,
    },
  ]),
  ...of(`${PAYMENTS}/reversals/decide-reversal.ts`, [
    {
      name: 'a dispute takes back what was refunded',
      search: 'const left = String(amount - refunded);',
      replace: 'const left = String(amount);',
    },
    {
      name: 'money that comes back is announced with the wrong sign',
      search: `more > 0 ? difference : subtractDecimals('0', difference)`,
      replace: 'difference',
    },
  ]),
  ...of(`${DISPUTES}/deadlines/working-hours.ts`, [
    {
      name: 'a working day that is just long enough is too short',
      search: 'begins + leftMs <= ends',
      replace: 'begins + leftMs < ends',
    },
  ]),
  ...of(`${PAYMENTS}/reversals/dispute-rows.ts`, [
    {
      name: 'disputes of another attempt are summed',
      search: 'where: { merchantId, paymentId, attemptId, transactionId, state: { in: [...LOST_STATES] } }',
      replace: 'where: { merchantId, paymentId, state: { in: [...LOST_STATES] } }',
    },
  ]),
  ...of(`${REFUNDS}/apply-refund-result.ts`, [
    {
      name: 'the gateway’s id of a refund changes',
      search: '...(gatewayRefundId !== null && refund.gatewayRefundId === null && { gatewayRefundId })',
      replace: '...(gatewayRefundId !== null && { gatewayRefundId })',
    },
  ]),
  ...of(`${REFUNDS}/refund-consequences.ts`, [
    {
      name: 'a refused refund does not ask what became of the money',
      search: 'else if (!refund.mismatched) await checkReversal(transaction, refund);',
      replace: '',
    },
    {
      name: 'failed refunds of a payment stay open once all of it went back',
      search: 'await resolveFailedRefunds(transaction, { merchantId, paymentId, amount: locked.amount }, resolution);',
      replace: 'void resolution;',
    },
    {
      name: 'a paid payment fails with the refund of what did not match',
      search: `  if (locked.status !== 'PENDING') return { change: { review }, events: [done, resolved] };
`,
      replace: '',
    },
  ]),
  ...of(`${REFUNDS}/record-refund.ts`, [
    {
      name: 'a refund by staff is not audited',
      search: `  await auditMoney(context, transaction, locked, what, detail, author);
  hintAfterCommit`,
      replace: '  hintAfterCommit',
    },
  ]),
  ...of(`${REFUNDS}/record-refund-outcome.ts`, [
    {
      name: 'the recorded outcome of a refund is not audited',
      search: `    await auditMoney(context, transaction, locked, what, detail, author);
`,
      replace: '',
    },
  ]),
  ...of(`${PAYMENTS}/refund-control/hold-refund.ts`, [
    {
      name: 'exactly the amount that one person may refund needs a second',
      search: 'before + amount <= secondPersonAbove',
      replace: 'before + amount < secondPersonAbove',
    },
    {
      name: 'parts of a payment need no second person',
      search: 'if (before + amount <=',
      replace: 'if (amount <=',
    },
    {
      name: 'what a person has requested on a day is forgotten',
      search: 'if (amount > left) return',
      replace: 'if (amount > limit) return',
    },
  ]),
  ...of(`${PAYMENTS}/refund-control/decide-approval.ts`, [
    {
      name: 'the requester is the second person',
      search: `approval.requestedBy === actor ? { kind: 'own_request' } : null`,
      replace: 'null',
    },
    {
      name: 'less than was approved is refunded',
      search: 'refund.amount !== amount ||',
      replace: '',
    },
  ]),
  ...of(`${PAYMENTS}/refund-control/approval-queries.ts`, [
    {
      name: 'an approval holds a moment beyond its end',
      search: `state === 'WAITING' && expiresAt <= now`,
      replace: `state === 'WAITING' && expiresAt < now`,
    },
  ]),
  ...of(`${REFUNDS}/queries.ts`, [
    {
      name: 'a greater failed refund is resolved by a smaller one',
      search: ', amount: { lte: amount } }',
      replace: ' }',
    },
  ]),
  ...of(`${REFUNDS}/sum-refunds.ts`, [
    {
      name: 'refunds at another account take from what can be refunded',
      search: 'where: { merchantId, paymentId, accountId, transactionId,',
      replace: 'where: { merchantId, paymentId, transactionId,',
    },
  ]),
  ...of(`${REFUNDS}/fetch-refund.ts`, [
    {
      name: 'the list of refunds is read from after the refund',
      search: 'from: new Date(refund.createdAt.getTime() - DAY_MS)',
      replace: 'from: new Date(refund.createdAt.getTime() + DAY_MS)',
    },
  ]),
  ...of(`${REFUNDS}/follow-up-refund-webhook.ts`, [
    {
      name: 'a webhook sends a refund',
      search: `if (refund.state !== 'REQUESTED') await`,
      replace: 'await',
    },
  ]),
  ...of(`${PAYMENTS}/gateway-webhooks/receive-webhook.ts`, [
    {
      name: 'webhooks are stored with the account’s secrets',
      search: `createRedactor(gateway.secretFields.map((field) => credentials[field] ?? ''))`,
      replace: `createRedactor(gateway.secretFields.map((field) => credentials[field] === undefined ? '' : ''))`,
    },
    {
      name: 'a webhook about a refund is kept without its body',
      search: `relevant: reading.kind !== 'ignored',`,
      replace: `relevant: reading.kind === 'payment',`,
    },
  ]),
  ...of(`${PAYMENTS}/idempotency/queries.ts`, [
    {
      name: 'a key is taken over from a process that lives',
      search: '(locked_until <= $4 OR locked_until > $7 OR process_id = $9)',
      replace: '(true OR locked_until <= $4 OR locked_until > $7 OR process_id = $9)',
    },
    {
      name: 'a key is released by a process that has lost it',
      search: ` AND status_code IS NULL AND locked_until = $4\``,
      replace: ` AND status_code IS NULL AND ($4::timestamptz IS NOT NULL)\``,
    },
    {
      name: 'a key is used again a moment early',
      search: 'WHERE record.expires_at <= excluded.created_at',
      replace: `WHERE record.expires_at - interval '1 hour' <= excluded.created_at`,
    },
  ]),
  ...of(`${VERIFY}/fetch-gateway-result.ts`, [
    {
      name: 'payments that end unpaid do not count against their account',
      search: `  if (status === 'FAILED') context.health.observeEnd(where, 'unpaid');
`,
      replace: '',
    },
    {
      name: 'a webhook that came counts as missed',
      search: `if (change.status === 'SUCCESS' && cause === 'schedule')`,
      replace: `if (change.status === 'SUCCESS')`,
    },
    {
      name: 'a status check counts as a payment',
      search: 'context.health.observeLookup(where, outcome);',
      replace: 'context.health.observeOpening(where, outcome, 0);',
    },
  ]),
  ...of(`${GATEWAYS}/kora/webhooks.ts`, [
    {
      name: 'a webhook of Kora is signed by any secret',
      search: `if (!isHexHmac('sha256', secret, signed, given)) {`,
      replace: `if (!isHexHmac('sha256', secret, signed, given) && given.length !== 64) {`,
    },
    {
      name: 'a later state of a charge at Kora is a repeated webhook',
      search: `const dedupeKey = \`\${event}:\${reference}:\${charge.status}\`;`,
      replace: `const dedupeKey = \`\${event}:\${reference}\`;`,
    },
  ]),
  ...of(`${GATEWAYS}/monnify/webhooks.ts`, [
    {
      name: 'a second transfer at Monnify is a repeated webhook',
      search: `:\${collection.amountPaid ?? ''}\``,
      replace: `\``,
    },
  ]),
  ...of(`${GATEWAYS}/flutterwave/webhooks.ts`, [
    {
      name: 'a charge that succeeds at Flutterwave after it failed is a repeated webhook',
      search: `const dedupeKey = \`\${event}:\${data.id}:\${data.status}\`;`,
      replace: `const dedupeKey = \`\${event}:\${data.id}\`;`,
    },
  ]),
  ...of(`${WEBHOOKS}/endpoints/endpoint-secrets.ts`, [
    {
      name: 'a secret that was replaced signs for ever',
      search: 'previousSecretEndsAt !== null && previousSecretEndsAt > now ?',
      replace: 'previousSecretEndsAt !== null ?',
    },
  ]),
  ...of(`${DELIVERIES}/deliver.ts`, [
    {
      name: 'an endpoint that is gone stays on',
      search: `  if (sent.kind === 'answered' && sent.status === GONE) return 'gone';
`,
      replace: '',
    },
    {
      name: 'a test event is sent again',
      search: 'gone || type === TEST_EVENT_TYPE ?',
      replace: 'gone ?',
    },
    {
      name: 'the lease of a delivery ends before its request',
      search: 'export const LEASE_MS = 60_000;',
      replace: 'export const LEASE_MS = 6_000;',
    },
  ]),
  ...of(`${WEBHOOKS}/endpoints/endpoint-state.ts`, [
    {
      name: 'a failure from before a change switches an endpoint off',
      search: `command.reason !== 'staff' && command.attemptedAt <= updatedAt`,
      replace: `command.reason !== 'staff' && command.attemptedAt < new Date(0)`,
    },
    {
      name: 'what waits for an endpoint is kept when it is switched off',
      search: 'const givenUp = await giveUpDeliveries(transaction, command, now);',
      replace: 'const givenUp = 0;',
    },
  ]),
  ...of(`${DELIVERIES}/sign.ts`, [
    {
      name: 'messages are stamped in milliseconds',
      search: 'String(Math.floor(at.getTime() / 1000))',
      replace: 'String(at.getTime())',
    },
  ]),
  ...of(`${DELIVERIES}/resends-queries.ts`, [
    {
      name: 'a resend takes the event after its end',
      search: `v.created_at < \${scope.toAt}::timestamptz`,
      replace: `v.created_at <= \${scope.toAt}::timestamptz`,
    },
    {
      name: 'a resend sends what was delivered',
      search: `AND (NOT \${scope.onlyUndelivered}::boolean OR d.delivered_at IS NULL)`,
      replace: `AND (\${scope.onlyUndelivered}::boolean IS NOT NULL)`,
    },
  ]),
  ...of(`${DELIVERIES}/resend-range.ts`, [
    {
      name: 'a resend of types that an endpoint does not take sends all',
      search: `? ['none'] : wanted`,
      replace: '? wanted : wanted',
    },
  ]),
  ...of(`${WEBHOOKS}/retention/age-out-deliveries.ts`, [
    {
      name: 'a delivery that is still to be tried is deleted',
      search: `AND (delivery.state <> 'PENDING' OR NOT endpoint.enabled)`,
      replace: `AND (delivery.state <> 'DELIVERED' OR delivery.state = 'DELIVERED')`,
    },
  ]),
  ...of(`${DELIVERIES}/due-deliveries-queries.ts`, [
    {
      name: 'a delivery to an endpoint that is off is sent',
      search: `AND e.id = due.endpoint_id AND e.enabled
`,
      replace: `AND e.id = due.endpoint_id
`,
    },
    {
      name: 'a certificate is noted for another address',
      search: 'WHERE merchant_id = $1 AND id = $2 AND url = $3 AND certificate',
      replace: 'WHERE merchant_id = $1 AND id = $2 AND $3::text IS NOT NULL AND certificate',
    },
    {
      name: 'failures of a week ago switch an endpoint off',
      search: 'new Date(endedAt.getTime() - FORGOTTEN_MS),',
      replace: 'new Date(endedAt.getTime() - 1_000 * FORGOTTEN_MS),',
    },
  ]),
  ...of(`${DELIVERIES}/send.ts`, [
    {
      name: 'an answer is kept with the endpoint’s secret',
      search: 'createRedactor(secrets)',
      replace: 'createRedactor([])',
    },
    {
      name: 'an endpoint that answers late counts as delivered',
      search: 'const TOTAL_TIMEOUT_MS = 15_000;',
      replace: 'const TOTAL_TIMEOUT_MS = 150_000;',
    },
  ]),
  ...of(`${WEBHOOKS}/endpoints/rotate-endpoint-secret.ts`, [
    {
      name: 'an old secret signs until any time',
      search: '.max(new Date(now.getTime() + OVERLAP_MAX_MS),',
      replace: '.max(new Date(now.getTime() + 10 * OVERLAP_MAX_MS),',
    },
  ]),
  ...of('packages/api/src/rest/idempotency.ts', [
    {
      name: 'a key used elsewhere answers another endpoint',
      search: `const text = \`\${request.method} \${request.path}\\n\${canonicalJson(json)}\`;`,
      replace: 'const text = canonicalJson(json);',
    },
    {
      name: 'an answer that asks to come back is kept for a day',
      search: `answer.kind === 'failure' && answer.headers?.['retry-after'] !== undefined ? null : envelope(answer)`,
      replace: 'envelope(answer)',
    },
  ]),
  ...of('packages/api/src/mcp/tools/drafts.ts', [
    {
      name: 'an agent of test mode replaces a live draft',
      search: 'if (present.mode !== of) throw',
      replace: `if (present.mode !== of && of === 'live') throw`,
    },
    {
      name: 'an agent asks for publication in live mode uninvited',
      search: `    await requireWritable(agent, query.merchantId, present.mode);
`,
      replace: '',
    },
  ]),
  ...of(`${PAYMENTS}/refund-control/hold-refund.ts`, [
    {
      name: 'a reason code that the merchant does not keep is taken',
      search: '(needsCode || reasonCode !== null) &&',
      replace: 'needsCode &&',
    },
  ]),
  ...of(`${PAYMENTS}/refund-control/decide-approval.ts`, [
    {
      name: 'anyone withdraws a request for a refund',
      search: `  if (kind === 'withdrawn' && approval.requestedBy !== author.actor) return { kind: 'not_own_request' };
`,
      replace: '',
    },
  ]),
  ...of('packages/staff/src/permissions/session-permissions.ts', [
    {
      name: 'a role at one merchant is one everywhere',
      search: 'session.grants.some(({ merchantId, role }) => merchantId === null && may(role, permission))',
      replace: 'session.grants.some(({ role }) => may(role, permission))',
    },
  ]),
  ...of(`${PAYMENTS}/retention/evidence.ts`, [
    {
      name: 'what a dispute under review needs ages out',
      search: `AND dispute.state IN ('NEEDS_RESPONSE', 'UNDER_REVIEW'))`,
      replace: `AND dispute.state IN ('NEEDS_RESPONSE'))`,
    },
    {
      name: 'what a payout that is missing needs ages out',
      search: `
  OR EXISTS (SELECT FROM settlement_discrepancy AS found WHERE found.merchant_id = $1
    AND found.payment_id = payment.id AND found.state = 'OPEN'))\`;`,
      replace: ')`;',
    },
  ]),
  ...of('packages/privacy/src/customers/erase-customer.ts', [
    {
      name: 'a webhook stored during an erasure keeps the customer',
      search: `  await eraseGatewayWebhooks(prisma, subject.merchantId, paymentIds);
`,
      replace: '',
    },
  ]),
  ...of(`${DISPUTES}/responses/send-response.ts`, [
    {
      name: 'two processes answer a dispute',
      search: `  if (count === 0) return;
`,
      replace: '',
    },
    {
      name: 'a dispute that still waits counts as answered',
      search: `  if (settled.state === 'NEEDS_RESPONSE') return false;
`,
      replace: '',
    },
  ]),
  ...of('packages/client/src/send.ts', [
    {
      name: 'the client sends again what may be done twice',
      search: 'request.mayRepeat === false ? 0 :',
      replace: 'request.mayRepeat === undefined ? (options.retriesMax ?? connection.retriesMax) :',
    },
    {
      name: 'the client sends again under another key',
      search: `if (request.once) headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());`,
      replace: `if (request.once && options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey);`,
    },
  ]),
  ...of('packages/cli/src/event-stream.ts', [
    {
      name: 'events come twice after a break',
      search: `        if (seen.has(event.id)) continue;
`,
      replace: '',
    },
  ]),
  ...of('packages/cli/src/listener.ts', [
    {
      name: 'the secret of live mode signs in test mode',
      search: `return \`\${url} \${apiKey.startsWith('sk_live_') ? 'live' : 'test'}\`;`,
      replace: `return \`\${url} \${apiKey === '' ? 'live' : 'test'}\`;`,
    },
  ]),
  ...of('packages/cli/src/commands/rules.ts', [
    {
      name: 'a warning passes a strict check',
      search: `grade === 'critical' || grade === 'warning'`,
      replace: `grade === 'critical'`,
    },
  ]),
  ...of('packages/cli/src/run-cli.ts', [
    {
      name: 'a command whose server is away counts as refused',
      search: 'return EXIT.unreachable;',
      replace: 'return EXIT.refused;',
    },
  ]),
  ...of('packages/accounting/src/month-close/sign-off.ts', [
    {
      name: 'who reviewed a month signs it off',
      search: `    if (close.reviewedBy === actor) return refuse('You reviewed it: another person signs it off.');
`,
      replace: '',
    },
  ]),
  ...of('packages/staff/src/second-person/change-rule.ts', [
    {
      name: 'one person lifts the need for a second',
      search: 'return waiver !== null && waiver.requestedBy !== actor ?',
      replace: 'return waiver !== null ?',
    },
  ]),
  ...of('packages/rule-sets/src/versions/publish-scheduled-rules.ts', [
    {
      name: 'rules that were cancelled are published all the same',
      search: `return state === 'SCHEDULED' && publishAt !== null && publishAt <= now;`,
      replace: 'return publishAt === null || publishAt <= now;',
    },
  ]),
  ...of('packages/alerts/src/channels/quiet-hours.ts', [
    {
      name: 'quiet hours end a minute early',
      search: 'if (elapsed >= length) return now;',
      replace: 'if (elapsed >= length - 1) return now;',
    },
  ]),
  ...of('packages/api/src/mcp/handle.ts', [
    {
      name: 'each token of a person has a limit of its own',
      search: 'async function overLimit(switchyard: Switchyard, { staffId }: MachineAccess)',
      replace: 'async function overLimit(switchyard: Switchyard, { tokenId: staffId }: MachineAccess)',
    },
  ]),
  ...of('packages/api/src/graphql/requested-merchants.ts', [
    {
      name: 'a token of test mode reads live reports',
      search: `  if (!viewer.modes.includes(mode)) throw forbidden(\`You have no access to \${mode} payments.\`);
`,
      replace: '',
    },
  ]),
  ...of('packages/staff/src/machine-tokens/authenticate-token.ts', [
    {
      name: 'a token works at the moment of its end',
      search: 'found.expiresAt <= now',
      replace: 'found.expiresAt < now',
    },
  ]),
  ...of('packages/db/src/audit/audit-log.ts', [
    {
      name: 'the next entry heals a chain that was cut',
      search: 'const last = head !== null && head.position > (entry?.position ?? 0) ? head : entry;',
      replace: 'const last = entry ?? head;',
    },
    {
      name: 'what was before a change is not in the hash',
      search: `    objectId,
    before,
    after,
`,
      replace: `    objectId,
    after,
`,
    },
  ]),
  ...of('packages/staff/src/audit-log/hash-chain.ts', [
    {
      name: 'a head that was kept elsewhere is not compared',
      search: `    if (kept?.position === position && !same(kept.hash, hash)) return { kind: 'broken', at: position, why: 'not_as_kept' };
`,
      replace: '',
    },
  ]),
  ...of('packages/api/src/rest/endpoint.ts', [
    {
      name: 'a key over its limit is served',
      search: '  if (limit.exceeded) return refuse',
      replace: '  if (limit.exceeded && limit.remaining > 0) return refuse',
    },
  ]),
  ...of('packages/merchants/src/api-keys/key-restrictions.ts', [
    {
      name: 'an unknown address passes a list of addresses',
      search: 'return plain !== null && networks.check(',
      replace: 'return plain === null || networks.check(',
    },
    {
      name: 'a key of scopes may also do what is granted by name',
      search: '(allowedScopes.size === 0 && !GRANTED_BY_NAME.has(scope))',
      replace: '(allowedScopes.size === 0)',
    },
  ]),
  ...of(`${PAYMENTS}/idempotency/queries.ts`, [
    {
      name: 'an answer whose lock ran out is run again',
      search: `AND request_hash = $6 AND status_code IS NULL
`,
      replace: `AND request_hash = $6
`,
    },
  ]),
  ...of(`${HEALTH}/assess/evidence.ts`, [
    {
      name: 'faults from before a demotion count in a row',
      search: 'run: run.filter(({ at }) => at >= countFrom && at >',
      replace: 'run: run.filter(({ at }) => at >',
    },
    {
      name: 'a few look-ups that fail are an outage of a busy account',
      search: `  if (!idle) return null;
`,
      replace: '',
    },
  ]),
  ...of(`${REFUNDS}/due-refunds.ts`, [
    {
      name: 'a refund under way is sent by a second process',
      search: `WHERE merchant_id = $1 AND id = $2 AND state = 'REQUESTED'
RETURNING id`,
      replace: `WHERE merchant_id = $1 AND id = $2 AND state IN ('REQUESTED', 'PROCESSING')
RETURNING id`,
    },
  ]),
  ...of(`${PAYMENTS}/gateway-webhooks/receive-webhook.ts`, [
    {
      name: 'an ignored webhook counts as one that arrives',
      search: `  if (reading.kind === 'payment') {
    const { webhookArrivals`,
      replace: `  if (reading.kind !== 'settlement') {
    const { webhookArrivals`,
    },
  ]),
  ...of(`${WEBHOOKS}/endpoints/update-endpoint.ts`, [
    {
      name: 'an endpoint is changed to an address that may not be called',
      search: 'const problems = [...urlProblems(parsed.data.url ?? before.url, before.mode, resolved), ',
      replace: 'const problems = [...urlProblems(before.url, before.mode, resolved), ',
    },
  ]),
  ...of(`${DELIVERIES}/dispatcher.ts`, [
    {
      name: 'an endpoint that answers again stays slow',
      search: `outcome === 'timeout' ? queue.timeoutsInARow + 1 : 0;`,
      replace: `outcome === 'timeout' ? queue.timeoutsInARow + 1 : queue.timeoutsInARow;`,
    },
  ]),
  ...of(`${DELIVERIES}/sign.ts`, [
    {
      name: 'the oldest secret signs in a gateway’s format',
      search: 'function newest({ secrets: [secret] }: WebhookMessage): string {',
      replace: `function newest({ secrets }: WebhookMessage): string {
  const secret = secrets.at(-1);`,
    },
  ]),
  ...of(`${WEBHOOKS}/endpoints/endpoint-secrets.ts`, [
    {
      name: 'a sealed secret opens at another endpoint',
      search: `return \`webhook_endpoint:\${merchantId}:\${endpointId}\`;`,
      replace: `return \`webhook_endpoint:\${merchantId}:\${endpointId === '' ? '' : 0}\`;`,
    },
  ]),
  ...of(`${SETTLEMENTS}/intake/store-settlement.ts`, [
    {
      name: 'a payout that does not add up has no rest',
      search: `compareDecimals(rest, '0') === 0 ? amounts`,
      replace: `compareDecimals(rest, '0') <= 0 ? amounts`,
    },
  ]),
  ...of(`${SETTLEMENTS}/calendar.ts`, [
    {
      name: 'money of a Saturday is expected on Saturday',
      search: `  return firstWorkingDay(at, holidays);
}

function`,
      replace: `  return at;
}

function`,
    },
  ]),
  ...of(`${SETTLEMENTS}/matching/link-lines.ts`, [
    {
      name: 'of two payments of one name the earlier is settled, whatever the amount',
      search: 'return exact ?? candidates.find(',
      replace: 'return candidates.find(',
    },
    {
      name: 'a refund of the day of a payout is not deducted in it',
      search: 'day <= line.settledOn)',
      replace: 'day < line.settledOn)',
    },
  ]),
  ...of(`${PAYMENTS}/reversals/decide-reversal.ts`, [
    {
      name: 'a gateway that gives money back leaves it taken',
      search: `if (!reversed) return reversal.cause === 'gateway' ? NOT_REVERSED : null;`,
      replace: 'if (!reversed) return null;',
    },
  ]),
  ...of(`${RECONCILIATION}/compare-refunds.ts`, [
    {
      name: 'a refund that failed has to be listed',
      search: `(gatewayRefundId !== null && state !== 'FAILED')`,
      replace: 'gatewayRefundId !== null',
    },
  ]),
  ...of(`${RECONCILIATION}/days.ts`, [
    {
      name: 'a day that lasts is compared',
      search: 'dayOf(addDays(today, -at - 1), zone)',
      replace: 'dayOf(addDays(today, -at), zone)',
    },
  ]),
  ...of(`${RECONCILIATION}/compare-payments.ts`, [
    {
      name: 'another transaction of the reference is the one that paid',
      search: 'if (known === null || known === row.transactionId) matched.set',
      replace: 'if (known !== undefined) matched.set',
    },
  ]),
  ...of(`${DECIDE}/eligibility.ts`, [
    {
      name: 'a planned override holds at once',
      search: '(startsAt === undefined || !(Date.parse(startsAt) > now)) && (',
      replace: '(',
    },
  ]),
  ...of(`${DECIDE}/split.ts`, [
    {
      name: 'who takes over is drawn with the first',
      search: `drawOf(paymentId, \`split:\${round}\`)`,
      replace: `drawOf(paymentId, \`split:\${round * 0}\`)`,
    },
  ]),
  ...of(`${SETTLEMENTS}/fees/audit-fee.ts`, [
    {
      name: 'stamp duty is expected before a payment is settled',
      search: 'const computation = isSettled ? computed : {',
      replace: 'const computation = isSettled || computed.stampDuty > 0 ? computed : {',
    },
  ]),
  ...of('packages/routing/src/fee.ts', [
    {
      name: 'a capped fee has the VAT of an uncapped one',
      search: 'partOf(capped, terms.vatBasisPoints',
      replace: 'partOf(uncapped, terms.vatBasisPoints',
    },
    {
      name: 'the greatest amount of an exception has the usual price',
      search: 'payment.amount < (amount.to + 1) * 100',
      replace: 'payment.amount < amount.to * 100',
    },
  ]),
  ...of(`${GATEWAYS}/answers.ts`, [
    {
      name: 'a refusal of a call that was sent twice proves that nothing was done',
      search: 'const nothingDone = !reply.repeated;',
      replace: 'const nothingDone = true;',
    },
    {
      name: 'a success that comes with a status of failure counts',
      search: 'return parsed.success && reply.status < 400 ?',
      replace: 'return parsed.success ?',
    },
  ]),
  ...of(`${GATEWAYS}/webhook-reading.ts`, [
    {
      name: 'a webhook may be signed by an account without a secret',
      search: `if (secret === undefined || secret === '' || !isHexHmac(`,
      replace: 'if (secret === undefined || !isHexHmac(',
    },
  ]),
  ...of(`${GATEWAYS}/flutterwave/webhooks.ts`, [
    {
      name: 'an account of Flutterwave without a hash takes any webhook',
      search: `  if (secret === '') return 'bad_signature';
`,
      replace: '',
    },
  ]),
  ...of(`${GATEWAYS}/monnify/verdict.ts`, [
    {
      name: 'half a naira of a fee at Monnify is five kobo',
      search: `BigInt(fraction.padEnd(2, '0'))`,
      replace: `BigInt(fraction || '0')`,
    },
  ]),
  ...of(`${GATEWAYS}/interswitch/verdict.ts`, [
    {
      name: 'a payment of another amount at Interswitch counts as failed',
      search: 'return isOurs && !settings.amountMismatchMessage.test(said) ?',
      replace: 'return isOurs ?',
    },
  ]),
  ...of(`${GATEWAYS}/list-answers.ts`, [
    {
      name: 'the first row of the next day is one of this day',
      search: 'row.createdAt < to);',
      replace: 'row.createdAt <= to);',
    },
    {
      name: 'the last page of a list is not read',
      search: 'return page < pages ? { page: page + 1 } : null;',
      replace: 'return page + 1 < pages ? { page: page + 1 } : null;',
    },
  ]),
  ...of(`${GATEWAYS}/paystack/settlements.ts`, [
    {
      name: 'a payout has the refunds of every payout',
      search: 'found.value.filter((refund) => refund.settlementId === settlement.settlementId)',
      replace: 'found.value.filter((refund) => refund.settlementId !== null)',
    },
  ]),
  ...of(`${SETTLEMENTS}/matching/judge-entry.ts`, [
    {
      name: 'a payment is missing on the last day of grace',
      search: 'if (asOf <= addWorkingDays(',
      replace: 'if (asOf < addWorkingDays(',
    },
  ]),
  ...of('packages/reporting/src/list-file.ts', [
    {
      name: 'the last row of a part begins the next',
      search: 'return Prisma.sql`(p.created_at, p.id) > (',
      replace: 'return Prisma.sql`(p.created_at, p.id) >= (',
    },
  ]),
  ...of('packages/reporting/src/write-file.ts', [
    {
      name: 'a formula after a line end is executed',
      search: 'const FORMULA = /^[=+\\-@\\t\\r\\n',
      replace: 'const FORMULA = /^[=+\\-@\\t\\r',
    },
  ]),
];
