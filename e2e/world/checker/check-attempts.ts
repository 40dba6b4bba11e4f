import type { GatewayCall, Move } from './observations.ts';
import { type PaymentObservations, statementKey } from './payment-observations.ts';
import type { Finding } from './violation.ts';

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
