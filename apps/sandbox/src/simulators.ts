import { flutterwave } from './flutterwave/flutterwave.ts';
import { interswitch } from './interswitch/interswitch.ts';
import { kora } from './kora/kora.ts';
import { monnify } from './monnify/monnify.ts';
import { paystack } from './paystack/paystack.ts';
import type { GatewaySpec } from './simulator.ts';
import { squad } from './squad/squad.ts';

/** Every simulator, under the name of its gateway. A new one takes its folder and a line here. */
export const simulators = {
  paystack,
  flutterwave,
  monnify,
  squad,
  kora,
  interswitch,
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
