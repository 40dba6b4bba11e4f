/**
 * Names of the supported gateways, as merchants write them, in the order in which they are listed. Apart from the registry, so that who only
 * checks a name does not load the connectors.
 */
export const gatewayNames = ['paystack', 'flutterwave', 'monnify', 'squad', 'kora', 'interswitch'] as const;

/** The name of a supported gateway. */
export type GatewayName = (typeof gatewayNames)[number];
