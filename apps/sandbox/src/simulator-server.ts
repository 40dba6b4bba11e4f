import type { Account, GatewayName } from './ledger/records.ts';
import type { Listener } from './server/listener.ts';
import type { Simulator } from './simulator.ts';

/** A simulator with its port and its accounts, as the control server uses it. */
export interface SimulatorServer {
  readonly simulator: Simulator;
  readonly listener: Listener;
  /** Registers a key, or changes what is registered for it; the ledger of a known key stays. */
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

export type SimulatorServers = Readonly<Record<GatewayName, SimulatorServer>>;
