import type { Answer, AnsweredPayment, ForbiddenKind, GatewayCall, Move, Observations, Status } from './observations.ts';
import { orderKey, type PaymentObservations, statementKey } from './payment-observations.ts';
import { describeAnswer, type Finding, money, type Violation, violation } from './violation.ts';

/** The statuses allowed under faults: try later, or a request in progress. A 409 also refuses a refund. */
const EXPECTED_STATUSES: readonly (number | null)[] = [null, 200, 409, 429, 500, 503];

/** The statuses that may follow each. */
const LATER: Readonly<Record<Status, readonly Status[]>> = {
  INITIATED: ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'],
  PENDING: ['PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'],
  FAILED: ['FAILED', 'SUCCESS', 'REFUNDED'],
  SUCCESS: ['SUCCESS', 'REFUNDED'],
  REFUNDED: ['REFUNDED'],
};

type AnswerWithPayment = Answer & { readonly payment: AnsweredPayment };

/** Checks that the answers about one payment are true, and stay so. */
export function* checkAnswers({ payment: row, answers, timeline }: PaymentObservations): Generator<Finding> {
  const answered = answers.filter((answer): answer is AnswerWithPayment => answer.payment !== null);
  for (const { payment } of answered) {
    const isWrong = payment.amount !== row.amount || payment.currency !== row.currency;
    if (payment.paymentId === row.paymentId && isWrong) {
      yield ['answers_differ', `an answer has ${money(payment.amount)} ${payment.currency}`];
    }
  }
  // All answers under one idempotency key are the same.
  const withKey = answers.filter(({ httpStatus, idempotencyKey }) => httpStatus === 200 && idempotencyKey !== null);
  for (const [key, own] of Map.groupBy(withKey, ({ idempotencyKey }) => idempotencyKey)) {
    const digests = new Set(own.map(({ digest }) => digest));
    if (digests.size > 1) yield ['answers_differ', `${digests.size} answers were given under the key ${key}`];
  }
  const sessions = new Set(
    answered.flatMap(({ payment: { session } }) => (session ? [`${session.reference} at ${session.redirectUrl}`] : [])),
  );
  if (sessions.size > 1) yield ['two_sessions', `sessions ${[...sessions].join(' and ')} were given out`];
  // Repeats of an initiate are excluded: they repeat the first answer.
  for (const later of answered.filter(({ to }) => to !== 'initiate')) {
    const { status } = later.payment;
    const before = answered.find(({ ended, payment }) => ended < later.begun && !LATER[payment.status].includes(status));
    if (before) yield ['status_went_back', `${before.payment.status} was answered first, then ${status}`];
  }
  // The record of one status always has the same id.
  const recorded = new Map(timeline.map(({ eventId, to }) => [eventId, to]));
  for (const { recordId, status } of answered.map(({ payment }) => payment)) {
    if (recordId === null || recorded.get(recordId) === status) continue;
    yield ['answers_differ', `verify answered ${status} as ${recordId}, which the timeline does not have`];
  }
}

/** Checks all answers to merchants, whichever payment they are about. */
export function* checkAllAnswers({ payments, answers, forgeries }: Observations): Generator<Finding> {
  const known = new Set(payments.map((row) => `${orderKey(row)} ${row.paymentId}`));
  for (const answer of answers) {
    const { merchantOrderId, payment, httpStatus } = answer;
    if (!EXPECTED_STATUSES.includes(httpStatus)) yield ['unexpected_answer', describeAnswer(answer)];
    if (httpStatus === 500) yield ['internal_error', describeAnswer(answer)];
    if (payment === null || known.has(`${orderKey(answer)} ${payment.paymentId}`)) continue;
    yield ['answer_without_payment', `order ${merchantOrderId} was answered ${payment.paymentId}, which is no such payment`];
  }
  for (const [order, own] of Map.groupBy(answers, orderKey)) {
    const ids = new Set(own.flatMap(({ payment }) => (payment === null ? [] : [payment.paymentId])));
    if (ids.size > 1) yield ['two_payments_for_an_order', `${order} was answered ${[...ids].join(' and ')}`];
    // A get follows an answer; an initiate is retried until there is one.
    if (own.some(({ to }) => to === 'initiate') && ids.size === 0) {
      yield ['never_answered', `${order} never got an answer:\n${own.map(describeAnswer).join('\n')}`];
    }
  }
  for (const { gateway, event, reference, httpStatus } of forgeries) {
    if (httpStatus === null || httpStatus >= 400) continue;
    yield ['forgery_accepted', `a forged ${event} of ${reference} in the name of ${gateway} was answered ${httpStatus}`];
  }
}

/** Checks that gateways saw no reference that was not committed before. */
export function* checkReferences({ calls, committed, statements, differences }: Observations): Generator<Finding> {
  const atAccount = new Map(committed.map((attempt) => [statementKey(attempt), attempt.at]));
  const anywhere = new Map(committed.map(({ reference, at }) => [reference, at]));
  for (const [first] of Map.groupBy(calls, statementKey).values()) {
    if (first === undefined) continue;
    const { gateway, accountId, reference, at } = first;
    const since = accountId === null ? anywhere.get(reference) : atAccount.get(statementKey(first));
    if (since === undefined) {
      yield ['reference_unknown', `${gateway} was sent ${reference}, which is no attempt of ours there`];
    } else if (at + 1 < since) {
      // Both times are of the same clock, in whole milliseconds.
      yield ['reference_too_early', `${gateway} was sent ${reference} ${(since - at).toFixed(1)} ms before it was on record`];
    }
  }
  const foreign = new Set(differences.filter(({ finds }) => finds === 'MISSING_HERE').map(statementKey));
  for (const entry of statements) {
    if (atAccount.has(statementKey(entry)) || foreign.has(statementKey(entry))) continue;
    yield ['reference_unknown', `${entry.gateway} has ${entry.reference}, which is no attempt of ours there`];
  }
}

/** Processes' clocks are wrong by up to ten minutes, and a session may end for them as much earlier. */
const CLOCK_TOLERANCE_MS = 11 * 60_000;
/** From a gateway's answer to the committed change, which may wait for a connection and lose one more than once in between. */
const ANSWER_TO_CHANGE_MS = 30_000;

/** Checks our opened and closed checkouts against the gateways' records. */
export function* checkAttempts(file: PaymentObservations): Generator<Finding> {
  // An attempt is recorded as refused only if no checkout can be open: one that may be open stays watched.
  const opened = new Set(file.statements.map(statementKey));
  for (const attempt of file.attempts) {
    if (attempt.state !== 'REFUSED' || !opened.has(statementKey(attempt))) continue;
    const { gateway, reference } = attempt;
    yield [
      'opening_denied',
      `attempt ${reference} is on record as refused, and ${gateway} opened a checkout that is not watched`,
    ];
  }
  // An open checkout is closed only after its gateway has answered a look-up.
  const opening = file.timeline.find(({ from, to }) => from === 'INITIATED' && to === 'PENDING');
  const lookups = file.calls.filter(({ reference }) => reference === (opening?.reference ?? null));
  for (const move of file.moves.filter(({ from, to }) => from === 'PENDING' && to === 'FAILED')) {
    if (lookups.some((call) => isAnswerBefore(file, move, call))) continue;
    const checkout = opening?.reference ?? 'its checkout';
    yield ['closed_unasked', `became FAILED without a look-up of ${checkout} at the end of its session`];
  }
}

function isAnswerBefore({ payment }: PaymentObservations, move: Move, { method, answered, at }: GatewayCall): boolean {
  // Both times are of the same clock, in whole milliseconds.
  if (method !== 'GET' || !answered || at > move.at + 1) return false;
  return move.at - at <= ANSWER_TO_CHANGE_MS || at >= payment.expiresAt - CLOCK_TOLERANCE_MS;
}

/** The documented transitions. */
const ALLOWED: readonly string[] = [
  '– → INITIATED',
  'INITIATED → PENDING',
  'INITIATED → FAILED',
  'PENDING → SUCCESS',
  'PENDING → FAILED',
  'FAILED → SUCCESS',
  'SUCCESS → REFUNDED',
];

/** Checks that a payment moved only as documented, one version at a time, and that its timeline agrees. */
export function* checkMoves({ payment, moves, timeline }: PaymentObservations): Generator<Finding> {
  let status: Status | null = null;
  let version = 0;
  for (const { from, to, toVersion } of moves) {
    const named = name(from, to);
    if (from !== to && !ALLOWED.includes(named)) yield ['move_not_allowed', named];
    if (from !== status) yield ['move_not_allowed', `${named} when it was ${status ?? '–'}`];
    if (toVersion <= version) yield ['move_not_allowed', `version ${toVersion} after ${version}`];
    status = to;
    version = toVersion;
  }
  const inRow = moves.filter(({ from, to }) => from !== to).map(({ from, to }) => name(from, to));
  const inTimeline = timeline.filter(({ to }) => to !== null).map(({ from, to }) => name(from, to));
  if (inRow.toSorted().join() !== inTimeline.toSorted().join()) {
    yield ['timeline_differs', `the row went ${inRow.join(', ')}; the timeline has ${inTimeline.join(', ')}`];
  }
  if (status !== payment.status) yield ['timeline_differs', `ended as ${status ?? 'nothing'}`];
  const last = timeline.find(({ eventId }) => eventId === payment.statusEventId);
  if (last?.to !== payment.status) yield ['timeline_differs', 'its last event is not of its status'];
}

function name(from: Status | null, to: Status | null): string {
  return `${from ?? '–'} → ${to ?? '–'}`;
}

/** The statuses that refuse each kind of request that must not be granted. */
const REFUSED_WITH: Readonly<Record<ForbiddenKind, readonly number[]>> = {
  refund_of_too_much: [409],
  refund_of_nothing: [400],
  unknown_key: [401],
  no_key: [401],
  foreign_payment: [404],
  refund_of_foreign_payment: [404],
  refund_without_scope: [403],
  initiate_without_scope: [403],
  forged_webhook: [400, 401],
};
/** Statuses that say neither; a failure of ours is found by its own check. */
const UNDECIDED: readonly (number | null)[] = [null, 429, 500, 503];

/** Checks that what must be refused was refused, with the status that is documented. */
export function* checkRefusals({ forbidden }: Observations, files: readonly PaymentObservations[]): Generator<Violation> {
  const fileOf = new Map(files.map((file) => [file.payment.paymentId, file]));
  for (const { kind, paymentId, httpStatus, answer } of forbidden) {
    const file = fileOf.get(paymentId) ?? null;
    if (httpStatus === 500) yield violation('internal_error', `${kind} of ${paymentId} was answered 500: ${answer}`, file);
    if (UNDECIDED.includes(httpStatus) || REFUSED_WITH[kind].some((status) => status === httpStatus)) continue;
    const expected = REFUSED_WITH[kind].join(' or ');
    yield violation('not_refused', `${kind} of ${paymentId} was answered ${httpStatus} and not ${expected}: ${answer}`, file);
  }
}

/** Checks that refunds on record are those that their merchant asked for and was not refused, beside those of duplicate charges. */
export function* checkRefundRequests({ refunds, answers }: PaymentObservations): Generator<Finding> {
  const requests = answers.filter(({ to, idempotencyKey }) => to === 'refund' && idempotencyKey !== null);
  const keys = [...Map.groupBy(requests, ({ idempotencyKey }) => idempotencyKey).values()];
  const granted = keys.filter((own) => own.some(({ httpStatus }) => httpStatus === 200));
  const undecided = keys.filter((own) => !granted.includes(own) && own.some(({ httpStatus }) => UNDECIDED.includes(httpStatus)));
  const recorded = refunds.filter(({ duplicate, mismatched }) => !duplicate && !mismatched);
  if (recorded.length < granted.length) {
    yield ['refund_lost', `${granted.length} requests for refunds were granted, and ${recorded.length} refunds are on record`];
  }
  if (recorded.length > granted.length + undecided.length) {
    const asked = `${granted.length} requests were granted, ${undecided.length} not answered`;
    yield ['refund_not_asked_for', `${recorded.length} refunds are on record, and ${asked}`];
  }
}
