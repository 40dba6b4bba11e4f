import type { IncomingMessage, ServerResponse } from 'node:http';
import { flutterwave } from './flutterwave/flutterwave.ts';
import { interswitch } from './interswitch/interswitch.ts';
import { kora } from './kora/kora.ts';
import type { Account } from './ledger/records.ts';
import { monnify } from './monnify/monnify.ts';
import { nomba } from './nomba/nomba.ts';
import { paystack } from './paystack/paystack.ts';
import type { GatewaySpec, Simulator } from './simulator.ts';
import { squad } from './squad/squad.ts';

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

/** Every simulator, under the name of its gateway. A new one takes its folder and a line here. */
export const simulators = {
  paystack,
  flutterwave,
  monnify,
  squad,
  kora,
  interswitch,
  nomba,
} as const satisfies Readonly<Record<string, GatewaySpec>>;

/** The name of a gateway that has a simulator. */
export type GatewayName = keyof typeof simulators;

/** In the order of {@link simulators}. */
export const gatewayNames: readonly [GatewayName, ...GatewayName[]] = Object.keys(simulators) as [GatewayName, ...GatewayName[]];

/** True if a gateway of this name has a simulator. */
export function isGatewayName(name: string): name is GatewayName {
  return Object.hasOwn(simulators, name);
}

/** A record of something of each gateway. */
export function ofEachGateway<T>(make: (name: GatewayName) => T): Readonly<Record<GatewayName, T>> {
  return Object.fromEntries(gatewayNames.map((name) => [name, make(name)])) as Record<GatewayName, T>;
}
