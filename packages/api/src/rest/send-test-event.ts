import { sendExampleEvent } from '@switchyard/webhooks/events/send-example';
import { type TestEventRequest, testEventRequest } from './developer-requests.ts';
import { endpointWithBody } from './endpoint.ts';
import { failures, writeSuccess } from './envelope.ts';

/** `POST /v1/events/test` */
export const sendTestEvent = endpointWithBody<TestEventRequest>({
  method: 'POST',
  scope: 'payments:write',
  body: { test: testEventRequest, live: testEventRequest },
  optional: false,
  async run({ merchants }, { caller, body }) {
    if (caller.mode !== 'test') return failures.badRequest(['Authorization must be a key of test mode']);
    const { id: merchantId, merchantNumber } = caller.configuration.merchant;
    const event = await sendExampleEvent(merchants, { merchantId, merchantNumber, type: body.type });
    return { kind: 'written', statusCode: 200, body: writeSuccess('Test event sent', event) };
  },
});
