import { disputeSupport as flutterwave } from './flutterwave/settings.ts';
import type { DisputeSupport } from './gateway.ts';
import { disputeSupport as interswitch } from './interswitch/settings.ts';
import { disputeSupport as kora } from './kora/settings.ts';
import { disputeSupport as monnify } from './monnify/settings.ts';
import type { GatewayName } from './names.ts';
import { disputeSupport as paystack } from './paystack/settings.ts';
import { disputeSupport as squad } from './squad/settings.ts';

/** Documented support of disputes by gateway, without its connector: reports load no connectors. */
export const disputeSupports: Readonly<Record<GatewayName, DisputeSupport>> = {
  paystack,
  flutterwave,
  monnify,
  squad,
  kora,
  interswitch,
};
