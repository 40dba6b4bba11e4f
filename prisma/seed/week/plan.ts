import type { FeeSchedule, RoutableAccount } from '@switchyard/routing';
import type { CompiledRuleSet } from '@switchyard/routing/decide';
import type { Profile } from './profiles.ts';

/** A merchant with generated history. */
export interface WeekMerchant {
  readonly merchantId: string;
  readonly profile: Profile;
  /** In order of creation; one per gateway. */
  readonly accounts: readonly WeekAccount[];
  /** The versions in force, oldest first; the first one from the beginning, whatever its time. */
  readonly ruleSets: readonly { readonly from: number; readonly ruleSet: CompiledRuleSet }[];
  /** Minutes until a checkout expires. */
  readonly sessionMinutes: number;
}

/** An account as routing uses it, with its gateway's address. */
export interface WeekAccount {
  readonly routable: RoutableAccount;
  readonly baseUrl: string;
  /** Times in which the gateway charges otherwise than agreed. */
  readonly wrongFees: readonly WrongFees[];
}

/** A time in which a gateway charges by another schedule; epoch milliseconds, the end exclusive. */
export interface WrongFees {
  readonly from: number;
  readonly to: number;
  readonly schedule: FeeSchedule;
}

export interface WeekPlan {
  readonly seed: number;
  /** Epoch milliseconds; a whole hour. Nothing happens at or after it. */
  readonly endsAt: number;
  readonly merchants: readonly WeekMerchant[];
  /** Our own public URL, for gateways and customers. */
  readonly publicUrl: string;
  /** The actor of staff changes: `staff:<id>`. */
  readonly actor: string;
}

type Cell = string | number | boolean | null | undefined | object;

/** A table row under the names of the product's fields. Times, whose names end in `At`, are epoch milliseconds or dates. */
export type Row = Readonly<Record<string, Cell>>;

/** Rows to load, by table. */
export interface Week {
  readonly account_snapshot: readonly Row[];
  readonly payment_check: readonly Row[];
  readonly payment: readonly Row[];
  readonly attempt: readonly Row[];
  readonly timeline_event: readonly Row[];
  readonly refund: readonly Row[];
  readonly duplicate_charge: readonly Row[];
  readonly merchant_event: readonly Row[];
  readonly gateway_webhook: readonly Row[];
  readonly health_bucket: readonly Row[];
  readonly health_event: readonly Row[];
  readonly health_status: readonly Row[];
}

/** Bytes as rows of text have them. */
export function bytea(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
