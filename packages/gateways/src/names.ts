/**
 * Names of the supported gateways, as merchants write them, in the order in which they are listed. Apart from the registry, so that who only
 * checks a name does not load the connectors.
 */
export const gatewayNames = ['paystack', 'flutterwave', 'monnify', 'squad', 'kora', 'interswitch'] as const;

/** The name of a supported gateway. */
export type GatewayName = (typeof gatewayNames)[number];

/** How each gateway is written in sentences. */
export const gatewayTitles: Readonly<Record<GatewayName, string>> = {
  paystack: 'Paystack',
  flutterwave: 'Flutterwave',
  monnify: 'Monnify',
  squad: 'Squad',
  kora: 'Kora',
  interswitch: 'Interswitch',
};

/** A gateway's display name; the given name when there is no such gateway. */
export function gatewayTitle(name: string): string {
  return new Map<string, string>(Object.entries(gatewayTitles)).get(name) ?? name;
}
