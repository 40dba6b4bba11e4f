import type { RoutableAccount } from '@switchyard/routing';
import type { CompiledRuleSet } from '@switchyard/routing/decide';
import type { Profile } from './profiles.ts';

/** A merchant whose past is made up. */
export interface WeekMerchant {
  readonly merchantId: string;
  readonly profile: Profile;
  /** In the order they were made; each gateway has one. */
  readonly accounts: readonly WeekAccount[];
  /** What was in force, oldest first; the first of them from the beginning, whatever its time. */
  readonly ruleSets: readonly { readonly from: number; readonly ruleSet: CompiledRuleSet }[];
  /** Minutes until a checkout ends. */
  readonly sessionMinutes: number;
}

/** An account as routing takes it, with where its gateway is. */
export interface WeekAccount {
  readonly routable: RoutableAccount;
  readonly baseUrl: string;
}

export interface WeekPlan {
  readonly seed: number;
  /** Epoch milliseconds; a whole hour. Nothing happens at or after it. */
  readonly endsAt: number;
  readonly merchants: readonly WeekMerchant[];
  /** Our own address, as gateways and customers reach it. */
  readonly publicUrl: string;
  /** Who did what people do: `staff:<id>`. */
  readonly actor: string;
}

type Cell = string | number | boolean | null | object;

/** A row as its table has it, by the names of its columns; moments in ISO 8601. */
export type Row = Readonly<Record<string, Cell>>;

/** What is to be loaded, by table. */
export interface Week {
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
  readonly reconciliation_run: readonly Row[];
  readonly reconciliation_discrepancy: readonly Row[];
}

/** A moment as rows have it. */
export function moment(at: number): string {
  return new Date(at).toISOString();
}
