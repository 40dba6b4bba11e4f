import { isUnavailable } from '@switchyard/db';
import { receiveGatewayWebhook } from '@switchyard/payments/gateway-webhooks';
import type { PlainRequest, PlainResponse } from '../http/plain.ts';
import type { Switchyard } from '../process.ts';

const PATH = /^\/webhooks\/([a-z0-9-]{1,40})\/([^/]{1,64})$/;

/**
 * `POST /webhooks/{gateway}/{accountId}`: receives gateway webhooks. 200 once the webhook is stored, 400 when its event is too old,
 * 401 for an invalid signature, 404 for an address we never issued, 503 when the gateway must retry.
 */
export async function serveGatewayWebhook(switchyard: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  const [, gateway, accountId] = PATH.exec(request.path) ?? [];
  if (gateway === undefined || accountId === undefined) return answer(404, 'Not found');
  if (request.method !== 'POST') return answer(405, 'Method not allowed', { allow: 'POST' });
  if (request.body.kind === 'too_large') return answer(413, 'Too large');
  const delivery = { headers: request.headers, body: request.body.bytes };
  try {
    await switchyard.resources.configuration.ready();
    const receipt = await receiveGatewayWebhook(switchyard.payments, { gateway, accountId, delivery });
    switch (receipt.kind) {
      case 'accepted':
        return answer(200, 'OK');
      case 'refused':
        return answer(401, 'Signature refused');
      case 'stale':
        return answer(400, 'Too old');
      case 'unknown_account':
        return answer(404, 'Not found');
      case 'unreadable_account':
        return TRY_AGAIN;
      default:
        return receipt satisfies never;
    }
  } catch (error) {
    switchyard.log.error({ gateway, accountId, error }, 'a webhook could not be stored');
    return isUnavailable(error) ? TRY_AGAIN : answer(500, 'Internal error');
  }
}

const TRY_AGAIN = answer(503, 'Try again', { 'retry-after': '2' });

function answer(status: number, message: string, headers: Record<string, string> = {}): PlainResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify({ message }),
  };
}
