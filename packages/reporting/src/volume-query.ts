import type { Mode, PaymentStatus } from '@switchyard/db/client';

/** Groupings of volumes. Days, weeks (from Monday) and months are those of the query's zone. */
export type VolumeGroup =
  | 'day'
  | 'week'
  | 'month'
  | 'gateway'
  | 'account'
  | 'method'
  | 'status'
  | 'merchant'
  | 'rule'
  | 'currency';

/** A day of a payment: when it was created, paid, or paid out to the merchant. */
export type PaymentDate = 'created' | 'paid' | 'settled';

/** Selects and groups payments for a volume report. */
export interface VolumeQuery {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  /** ISO 4217; null for all, whose amounts add up only where the groups name the currency. */
  readonly currency: string | null;
  /** The date that the period, days, weeks and months are of; when they were created where it is left out. */
  readonly date?: PaymentDate;
  /** Payments from here… */
  readonly from: Date;
  /** …until just before here. */
  readonly to: Date;
  /**
   * The moment whose states are reported; null for now. Results for a past moment never change. Of payments by when they were created: the
   * other dates are those of now.
   */
  readonly asOf: Date | null;
  /** An IANA zone. */
  readonly zone: string;
  readonly groupBy: readonly VolumeGroup[];
  /** Empty for all. Names as stored; `''` means none. */
  readonly gateways: readonly string[];
  readonly accountIds: readonly string[];
  readonly methods: readonly string[];
  readonly statuses: readonly PaymentStatus[];
  readonly ruleIds: readonly string[];
}
