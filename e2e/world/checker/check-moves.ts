import type { Status } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import type { Finding } from './violation.ts';

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
