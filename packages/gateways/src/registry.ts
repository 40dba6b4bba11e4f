import { flutterwave } from './flutterwave/flutterwave.ts';
import type { Gateway } from './gateway.ts';
import { interswitch } from './interswitch/interswitch.ts';
import { kora } from './kora/kora.ts';
import { monnify } from './monnify/monnify.ts';
import { type GatewayName, gatewayNames } from './names.ts';
import { observable } from './observe-gateway.ts';
import { paystack } from './paystack/paystack.ts';
import { squad } from './squad/squad.ts';

const connectors: Readonly<Record<GatewayName, Gateway>> = { paystack, flutterwave, monnify, squad, kora, interswitch };

/** Every supported gateway, in the order of their names. */
export const gateways: readonly Gateway[] = gatewayNames.map((name) => observable(connectors[name]));

/** The gateway of that name, or null. Names are case-sensitive. */
export function findGateway(name: string): Gateway | null {
  return gateways.find((gateway) => gateway.name === name) ?? null;
}

/** Credentials as a gateway's own schema parsed them, or their problems. */
export type ParsedCredentials =
  | { readonly ok: true; readonly credentials: Readonly<Record<string, string>> }
  /** Each names a field of the credentials and the rule it breaks, never the value. */
  | { readonly ok: false; readonly problems: readonly { readonly field: string; readonly message: string }[] };

/** Checks the submitted configuration of a gateway account. Unknown fields are dropped. */
export function parseCredentials(gateway: Gateway, input: unknown): ParsedCredentials {
  const parsed = gateway.credentials.safeParse(input);
  if (parsed.success) return { ok: true, credentials: parsed.data };
  return {
    ok: false,
    problems: parsed.error.issues.map(({ path, message }) => ({ field: path.join('.') || 'credentials', message })),
  };
}
