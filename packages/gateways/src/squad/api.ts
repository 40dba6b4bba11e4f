import type { GatewayApi } from '../gateway-api.ts';
import { errorCodes } from './error-codes.ts';
import { readRefusal } from './wire.ts';

/** Squad's API: the live service and the sandbox have hosts of their own. */
export const api: GatewayApi = {
  title: 'Squad',
  errorCodes,
  baseUrl: 'https://api-d.squadco.com',
  testBaseUrl: 'https://sandbox-api-d.squadco.com',
  secretFields: ['secretKey'],
  keyPrefixes: { sandbox_sk_: 'test', sk_: 'live' },
  checkoutHosts: { live: ['pay.squadco.com', 'pay.squadinc.co'], test: ['sandbox-pay.squadco.com'] },
  readRefusal,
};
