import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account } from './ledger/records.ts';
import type { Simulator } from './simulator.ts';
import type { GatewayName } from './simulators.ts';

/** A simulator with its connections and its accounts, as the control server uses it. */
export interface SimulatorServer {
  readonly simulator: Simulator;
  /** Answers a request whose target is given without the gateway's name; cuts its connection while the gateway is down. */
  answer(target: string, request: IncomingMessage, response: ServerResponse): void;
  /** Cuts every open connection and those to come. A port of its own is closed, so that connections there are refused. */
  goDown(): Promise<void>;
  comeUp(): Promise<void>;
  /** Registers an account, or changes what is registered for its key; the ledger of a known key stays. */
  register(registration: Registration): Account;
  /** Deletes transactions, refunds, calls and webhooks. */
  forget(): void;
  close(): Promise<void>;
}

/** Settings of an account. Those left out stay as they were; null removes one. */
export interface Registration {
  /** By the names of the gateway's account fields, the key among them. */
  readonly credentials: Readonly<Record<string, string | null | undefined>>;
  readonly webhookUrl?: string | null | undefined;
  readonly refundWebhooks?: boolean | undefined;
}

/** The servers of all simulators by gateway. */
export type SimulatorServers = Readonly<Record<GatewayName, SimulatorServer>>;
