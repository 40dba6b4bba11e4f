import type { GatewayCall, Move } from './observations.ts';
import { type PaymentObservations, statementKey } from './payment-observations.ts';
import { type Violation, violation } from './violation.ts';

/** Processes' clocks are wrong by up to ten minutes, and a session may end for them as much earlier. */
const CLOCK_TOLERANCE_MS = 11 * 60_000;
/** From a gateway's answer to the committed change, with the database unavailable in between. */
const ANSWER_TO_CHANGE_MS = 10_000;

/** Checks our opened and closed checkouts against the gateways' records. */
export function checkAttempts(file: PaymentObservations): Violation[] {
  return [...checkRefused(file), ...checkClosed(file)];
}

/** An attempt is recorded as refused only if no checkout can be open: one that may be open stays watched. */
function checkRefused(file: PaymentObservations): Violation[] {
  const opened = new Set(file.statements.map(statementKey));
  return file.attempts
    .filter((attempt) => attempt.state === 'REFUSED' && opened.has(statementKey(attempt)))
    .map(({ gateway, reference }) => {
      const what = `attempt ${reference} is on record as refused, and ${gateway} opened a checkout under it that is not watched`;
      return violation('opening_denied', what, file);
    });
}

/** An open checkout is closed only after its gateway has answered a look-up. */
function checkClosed(file: PaymentObservations): Violation[] {
  return file.moves
    .filter(({ from, to }) => from === 'PENDING' && to === 'FAILED')
    .flatMap((move) => {
      const reference = file.timeline.find(({ from, to }) => from === 'INITIATED' && to === 'PENDING')?.reference ?? null;
      if (file.calls.some((call) => call.reference === reference && isAnswerBefore(file, move, call))) return [];
      const what = `became FAILED without a look-up of ${reference ?? 'its checkout'} at the end of its session`;
      return [violation('closed_unasked', what, file)];
    });
}

function isAnswerBefore({ payment }: PaymentObservations, move: Move, { method, answered, at, runAt }: GatewayCall): boolean {
  // Both times are of the same machine's clock, in whole milliseconds.
  if (method !== 'GET' || !answered || at > move.at + 1) return false;
  return move.at - at <= ANSWER_TO_CHANGE_MS || runAt >= payment.expiresAt - CLOCK_TOLERANCE_MS;
}
