import type { Account, GatewayName } from './ledger/records.ts';
import type { Listener } from './server/listener.ts';
import type { Desk } from './simulator.ts';

/** A stand-in with its port and its keeper of accounts: what the control server works on. */
export interface Station {
  readonly desk: Desk;
  readonly listener: Listener;
  /** Registers a key, or changes what is registered for it; the books of a known key stay its own. */
  register(registration: Registration): Account;
  /** Forgets transactions, refunds, calls and webhooks. */
  forget(): void;
  close(): Promise<void>;
}

/** What is left out stays as it was; null takes it away. */
export interface Registration {
  readonly secretKey: string;
  readonly webhookUrl?: string | null | undefined;
  readonly webhookSecretHash?: string | null | undefined;
  readonly refundWebhooks?: boolean | undefined;
}

export type Stations = Readonly<Record<GatewayName, Station>>;
