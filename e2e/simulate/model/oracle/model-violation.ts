import type { Violation, ViolationKind } from '../../../world/checker/violation.ts';

/** A violation in a world of the model, and the payment it is about, where it is about one. */
export interface ModelViolation {
  readonly kind: ViolationKind;
  readonly what: string;
  readonly paymentId: string | null;
}

export function modelViolation(kind: ViolationKind, what: string, paymentId: string | null = null): ModelViolation {
  return { kind, what, paymentId };
}

/** A violation that the checker of all worlds found. */
export function fromWorld({ kind, what, file }: Violation): ModelViolation {
  return { kind, what, paymentId: file?.payment.paymentId ?? null };
}
