import type { RuntimeContext } from '@switchyard/runtime';

/** Dependencies of the use cases of settlements. */
export interface SettlementContext extends RuntimeContext<'auditKeys' | 'configuration' | 'database' | 'openAccount'> {
  /** Called with errors of background work that no caller waits for. */
  readonly onError: (error: unknown, doing: string) => void;
  /** True if all that is done will be undone, and is to be seen by nothing else. */
  readonly isRehearsal?: boolean;
}

/** An account of a merchant. */
export interface AccountKey {
  readonly merchantId: string;
  readonly accountId: string;
}
