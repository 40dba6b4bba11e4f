import type { PlannedAttempt } from '@switchyard/routing';
import type { PaymentsContext } from './context.ts';
import type { FallbackGateway, NewAttempt } from './payment-record.ts';

/** The attempt for the plan's entry at `position`, with a unique reference; null past the plan's end. */
export function attemptAt(
  context: PaymentsContext,
  paymentId: string,
  plan: readonly PlannedAttempt[],
  position: number,
): NewAttempt | null {
  const planned = plan[position];
  if (planned === undefined) return null;
  const { accountId, gateway } = planned;
  return { attemptId: context.newId(), position, accountId, gateway, reference: attemptReference(paymentId, position) };
}

/**
 * Our reference for an attempt: `sy`, the payment id's 32 hexadecimal digits, two digits of position. Letters and digits only,
 * 36 of them, which every gateway's rules allow.
 */
export function attemptReference(paymentId: string, position: number): string {
  return `sy${paymentId.replaceAll('-', '').toLowerCase()}${String(position).padStart(2, '0')}`;
}

/** SQL of the payment that a reference names; null for a reference that is not ours. An index has it of gateway webhooks. */
export const namedPayment = (reference: string) =>
  `CASE WHEN ${reference} ~ '^sy[0-9a-f]{32}[0-9]{2}$' THEN substr(${reference}, 3, 32)::uuid END`;

/** The documented `fallbackGateways` of the plan's unused rest. */
export function plannedFallbacks(rest: readonly PlannedAttempt[]): FallbackGateway[] {
  return rest.map(({ gateway }) => ({ name: gateway, reason: 'plan-fallback' }));
}
