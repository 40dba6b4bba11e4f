import { clientSample } from './client.ts';
import { initiateSample } from './initiate.ts';
import { receiveWebhookSample } from './receive-webhook.ts';
import { retrySample } from './retry.ts';
import { verifySample } from './verify.ts';

export { type Language, SAMPLE_URL } from './languages.ts';

/** Every sample of the documentation, by name. */
export const samples = {
  client: clientSample,
  initiate: initiateSample,
  verify: verifySample,
  receiveWebhook: receiveWebhookSample,
  retry: retrySample,
} as const;
