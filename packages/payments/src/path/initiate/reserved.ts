import type { JsonWritable } from '@switchyard/db';
import type { Decision } from '@switchyard/routing';
import type { Cause } from '../../record/apply-gateway-result.ts';
import type { Caller, Timings } from '../../record/order.ts';
import type { NewAttempt, PaymentRecord } from '../../record/payment-record.ts';

/** A recorded payment without a checkout yet. */
export interface Reserved {
  readonly caller: Caller;
  readonly payment: PaymentRecord;
  readonly cause: Cause;
  readonly decision: Decision;
  /** The decision's inputs as they are stored. */
  readonly inputs: JsonWritable;
  readonly attempt: NewAttempt | null;
  /** True if a dead process may have called the attempt's gateway already. */
  readonly calledBefore: boolean;
  /** On the monotonic clock. */
  readonly deadline: number;
  readonly timings: Timings;
}

/** An attempt that opened no checkout as far as is known. */
export interface FailedAttempt {
  readonly attempt: Pick<NewAttempt, 'gateway' | 'accountId'>;
  readonly failure: { readonly code: string; readonly message: string };
  readonly uncertain: boolean;
  /** False when its gateway was not asked, because of a fault of ours. */
  readonly asked: boolean;
}
