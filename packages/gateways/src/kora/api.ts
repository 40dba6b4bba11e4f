import type { GatewayApi } from '../gateway-api.ts';
import { errorCodes } from './error-codes.ts';
import { refusalSchema } from './wire.ts';

/** Kora's API: the same for test and live mode, the key decides. */
export const api: GatewayApi = {
  title: 'Kora',
  errorCodes,
  baseUrl: 'https://api.korapay.com/merchant/api/v1',
  secretFields: ['secretKey'],
  keyPrefixes: { sk_test_: 'test', sk_live_: 'live' },
  checkoutHosts: { live: ['checkout.korapay.com'], test: ['.korapay.com'] },
  readRefusal: ({ json }) => refusalSchema.safeParse(json).data ?? null,
};
