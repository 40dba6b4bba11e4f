import { publishedSettlement as flutterwave } from './flutterwave/settings.ts';
import type { PublishedSettlement } from './gateway.ts';
import { publishedSettlement as interswitch } from './interswitch/settings.ts';
import { publishedSettlement as kora } from './kora/settings.ts';
import { publishedSettlement as monnify } from './monnify/settings.ts';
import type { GatewayName } from './names.ts';
import { publishedSettlement as paystack } from './paystack/settings.ts';
import { publishedSettlement as squad } from './squad/settings.ts';

/** When each gateway pays out, without its connector: reports load no connectors. */
export const publishedSettlements: Readonly<Record<GatewayName, PublishedSettlement>> = {
  paystack,
  flutterwave,
  monnify,
  squad,
  kora,
  interswitch,
};
