import type { DemoMerchant } from './demo-merchants.ts';

/** A key the sandbox must take, as `PUT /control/<gateway>/keys` wants it beside the gateway's name. */
export interface SandboxKey {
  readonly gateway: string;
  readonly secretKey: string;
  readonly webhookUrl: string;
  readonly webhookSecretHash: string | null;
}

/** What the sandbox has to know of the demo merchants' accounts. */
export function sandboxKeys(webUrl: string, merchants: readonly DemoMerchant[]): SandboxKey[] {
  return merchants.flatMap(({ plan, paystackId, flutterwaveId }) => [
    sandboxKey(webUrl, plan.paystack, paystackId),
    sandboxKey(webUrl, plan.flutterwave, flutterwaveId),
  ]);
}

function sandboxKey(webUrl: string, account: DemoMerchant['plan']['paystack'], accountId: string): SandboxKey {
  const { gateway, credentials } = account;
  return {
    gateway,
    secretKey: credentials.secretKey ?? '',
    webhookUrl: `${webUrl}/webhooks/${gateway}/${accountId}`,
    webhookSecretHash: credentials.secretHash ?? null,
  };
}
