import type { Status } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import { type Violation, violation } from './violation.ts';

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
export function checkMoves(file: PaymentObservations): Violation[] {
  const found: Violation[] = [];
  let status: Status | null = null;
  let version = 0;
  for (const move of file.moves) {
    const named = name(move.from, move.to);
    if (move.from !== move.to && !ALLOWED.includes(named)) found.push(violation('move_not_allowed', named, file));
    if (move.from !== status) found.push(violation('move_not_allowed', `${named} when it was ${status ?? '–'}`, file));
    if (move.toVersion <= version) found.push(violation('move_not_allowed', `version ${move.toVersion} after ${version}`, file));
    status = move.to;
    version = move.toVersion;
  }
  const rows = file.moves.filter(({ from, to }) => from !== to).map(({ from, to }) => name(from, to));
  const timeline = file.timeline.filter(({ to }) => to !== null).map(({ from, to }) => name(from, to));
  if (rows.toSorted().join() !== timeline.toSorted().join()) {
    found.push(violation('timeline_differs', `the row went ${rows.join(', ')}; the timeline has ${timeline.join(', ')}`, file));
  }
  if (status !== file.payment.status) found.push(violation('timeline_differs', `ended as ${status ?? 'nothing'}`, file));
  const last = file.timeline.find(({ eventId }) => eventId === file.payment.statusEventId);
  if (last?.to !== file.payment.status) found.push(violation('timeline_differs', 'its last event is not of its status', file));
  return found;
}

function name(from: Status | null, to: Status | null): string {
  return `${from ?? '–'} → ${to ?? '–'}`;
}
