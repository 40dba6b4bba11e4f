import { disputeSupport as flutterwave } from './flutterwave/dispute-support.ts';
import type { DisputeSupport } from './gateway.ts';
import { disputeSupport as interswitch } from './interswitch/dispute-support.ts';
import { disputeSupport as kora } from './kora/dispute-support.ts';
import { disputeSupport as monnify } from './monnify/dispute-support.ts';
import type { GatewayName } from './names.ts';
import { disputeSupport as paystack } from './paystack/dispute-support.ts';
import { disputeSupport as squad } from './squad/dispute-support.ts';

/** Documented support of disputes by gateway, without its connector: reports load no connectors. */
export const disputeSupports: Readonly<Record<GatewayName, DisputeSupport>> = {
  paystack,
  flutterwave,
  monnify,
  squad,
  kora,
  interswitch,
};
