import type { GatewayApi } from '../gateway-api.ts';
import { errorCodes } from './error-codes.ts';
import { title } from './settings.ts';
import { refusalSchema } from './wire.ts';

/** Paystack's API: the same for test and live mode, the key decides. */
export const api: GatewayApi = {
  title,
  errorCodes,
  baseUrl: 'https://api.paystack.co',
  secretFields: ['secretKey'],
  keyPrefixes: { sk_test_: 'test', sk_live_: 'live' },
  checkoutHosts: { live: ['checkout.paystack.com', 'standard.paystack.co'], test: [] },
  readRefusal: ({ json }) => refusalSchema.safeParse(json).data ?? null,
};
