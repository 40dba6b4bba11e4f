import { bookKey, type CaseFile } from './case-files.ts';
import { type Violation, violation } from './violation.ts';
import type { GatewayCall, Move } from './witnesses.ts';

/** Processes' clocks are wrong by up to ten minutes, and a session may end for them as much earlier. */
const CLOCK_TOLERANCE_MS = 11 * 60_000;
/** From a gateway's answer to the change that is made of it, with the database away in between. */
const ANSWER_TO_CHANGE_MS = 10_000;

/** Whether what we say of openings and endings of checkouts is what the gateways saw of them. */
export function checkAttempts(file: CaseFile): Violation[] {
  return [...checkRefused(file), ...checkClosed(file)];
}

/** An attempt is on record as refused only if no checkout can be open: one that may be has to stay on watch. */
function checkRefused(file: CaseFile): Violation[] {
  const opened = new Set(file.books.map(bookKey));
  return file.attempts
    .filter((attempt) => attempt.state === 'REFUSED' && opened.has(bookKey(attempt)))
    .map(({ gateway, reference }) => {
      const what = `attempt ${reference} is on record as refused, and ${gateway} opened a checkout under it that nobody watches`;
      return violation('opening_denied', what, file);
    });
}

/** A checkout that was open is given up only after its gateway has been asked what became of it, and has answered. */
function checkClosed(file: CaseFile): Violation[] {
  return file.moves
    .filter(({ from, to }) => from === 'PENDING' && to === 'FAILED')
    .flatMap((move) => {
      const reference = file.timeline.find(({ from, to }) => from === 'INITIATED' && to === 'PENDING')?.reference ?? null;
      if (file.calls.some((call) => call.reference === reference && isAnswerBefore(file, move, call))) return [];
      const what = `became FAILED without its gateway having been asked about ${reference ?? 'its checkout'} at the end of its session`;
      return [violation('closed_unasked', what, file)];
    });
}

function isAnswerBefore({ payment }: CaseFile, move: Move, { method, answered, at, runAt }: GatewayCall): boolean {
  // Both are told by the same machine's clock, in whole milliseconds.
  if (method !== 'GET' || !answered || at > move.at + 1) return false;
  return move.at - at <= ANSWER_TO_CHANGE_MS || runAt >= payment.expiresAt - CLOCK_TOLERANCE_MS;
}
