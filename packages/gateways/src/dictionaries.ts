import { texts as flutterwave } from './flutterwave/dictionary.ts';
import type { GatewayTexts } from './gateway-texts.ts';
import { texts as interswitch } from './interswitch/dictionary.ts';
import { texts as kora } from './kora/dictionary.ts';
import { texts as monnify } from './monnify/dictionary.ts';
import { texts as paystack } from './paystack/dictionary.ts';
import { texts as squad } from './squad/dictionary.ts';

/**
 * Texts of the gateways for the first dictionaries, the most frequent last. What was packed with a dictionary can be read with the same only:
 * neither these texts nor their order ever change once payments are stored. A further gateway needs a dictionary of the next number.
 */
export const GATEWAY_TEXTS_1: readonly GatewayTexts[] = [interswitch, squad, kora, monnify, flutterwave, paystack];
