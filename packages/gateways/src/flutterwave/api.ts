import type { GatewayApi } from '../gateway-api.ts';
import { gatewayTitles } from '../names.ts';
import { refusalSchema } from './wire.ts';

/** Flutterwave's v3 API: the same for test and live mode, the key decides. Test links lead to development hosts. */
export const api: GatewayApi = {
  title: gatewayTitles.flutterwave,
  baseUrl: 'https://api.flutterwave.com/v3',
  secretFields: ['secretKey', 'secretHash'],
  keyPrefixes: { 'FLWSECK_TEST-': 'test', 'FLWSECK-': 'live' },
  checkoutHosts: { live: ['checkout.flutterwave.com'], test: ['.dev-flutterwave.com', 'ravemodal-dev.herokuapp.com'] },
  readRefusal: ({ json }) => refusalSchema.safeParse(json).data ?? null,
};
