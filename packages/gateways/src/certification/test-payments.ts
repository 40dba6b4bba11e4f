import type { AccountAccess, CheckoutSession } from '../gateway.ts';
import { payMonnifyByTestCard } from '../monnify/test-payment.ts';
import type { GatewayName } from '../names.ts';

/** Pays an open checkout with a published test card; otherwise says why not. */
type PayByTestCard = (account: AccountAccess, session: CheckoutSession) => Promise<string>;

/**
 * Gateways whose API takes a test card for an open checkout from every merchant's test keys. Paystack's and Flutterwave's charge calls make a
 * transaction of their own; Kora's and Interswitch's want keys that few accounts have; Squad documents none.
 */
export const payByTestCard: Readonly<Partial<Record<GatewayName, PayByTestCard>>> = { monnify: payMonnifyByTestCard };
