import { facts as flutterwave } from './flutterwave/facts.ts';
import type { GatewayFacts } from './gateway.ts';
import { facts as interswitch } from './interswitch/facts.ts';
import { facts as kora } from './kora/facts.ts';
import { facts as monnify } from './monnify/facts.ts';
import { facts as nomba } from './nomba/facts.ts';
import { facts as paystack } from './paystack/facts.ts';
import { facts as squad } from './squad/facts.ts';

const registry = { paystack, flutterwave, monnify, squad, kora, interswitch, nomba } satisfies Readonly<
  Record<string, GatewayFacts>
>;

/** The name of a supported gateway, as merchants write it. */
export type GatewayName = keyof typeof registry;

/** In the order in which they are listed. */
export const gatewayNames = Object.keys(registry) as [GatewayName, ...GatewayName[]];

/** A gateway's facts without its connector; undefined when there is no such gateway. */
export function gatewayFacts(name: string): GatewayFacts | undefined {
  return new Map<string, GatewayFacts>(Object.entries(registry)).get(name);
}

/** A gateway's display name; the given name when there is no such gateway. */
export function gatewayTitle(name: string): string {
  return gatewayFacts(name)?.title ?? name;
}
