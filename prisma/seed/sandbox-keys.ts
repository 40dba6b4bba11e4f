import type { DemoMerchant } from './demo-merchants.ts';

/** A key the sandbox accepts, in the format of `PUT /control/<gateway>/keys`. */
export interface SandboxKey {
  readonly gateway: string;
  readonly secretKey: string;
  readonly webhookUrl: string;
  readonly webhookSecretHash: string | null;
}

/** The sandbox's data of the demo merchants' accounts. */
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
