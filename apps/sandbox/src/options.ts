import { z } from 'zod';
import { type GatewayName, gatewayNames } from './ledger/records.ts';

const port = z.coerce.number<number | string>({ error: 'must be a port number' }).int().min(0).max(65_535);
const milliseconds = z.coerce.number<number | string>({ error: 'must be a number of milliseconds' }).int().min(0).max(86_400_000);
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const optionsSchema = z.object({
  host: z.string().min(1).default('127.0.0.1'),
  port: port.default(4010),
  ports: z.object({ paystack: port.default(4011), flutterwave: port.default(4012) }).prefault({}),
  /** A folder in which the ledgers are stored, so that they survive a restart. */
  stateDir: z.string().min(1).optional(),
  accounts: z
    .object({
      paystack: z
        .object({ secretKey: z.string().default('sk_test_sandbox_paystack_demo'), webhookUrl: webUrl.optional() })
        .prefault({}),
      flutterwave: z
        .object({
          secretKey: z.string().default('FLWSECK_TEST-sandboxflutterwavedemo-X'),
          webhookUrl: webUrl.optional(),
          webhookSecretHash: z.string().default('sandbox-flutterwave-hash'),
        })
        .prefault({}),
    })
    .prefault({}),
  /** From a payment's end to its webhook: long enough for the customer to be back first, as a rule. */
  webhookDelayMs: milliseconds.default(300),
  webhookRetryMs: z.array(milliseconds).max(20).default([1_000, 5_000, 30_000]),
  webhookTimeoutMs: milliseconds.default(10_000),
  refundDelayMs: milliseconds.default(2_000),
  limits: z
    .object({
      transactions: z.int().min(1).default(100_000),
      calls: z.int().min(1).default(200_000),
      webhooks: z.int().min(1).default(100_000),
    })
    .prefault({}),
  now: z.custom<() => number>((value) => typeof value === 'function').default(() => Date.now),
});

/** How a sandbox is started; everything has a default. */
export type SandboxOptions = z.input<typeof optionsSchema>;
export type SandboxSettings = z.output<typeof optionsSchema>;

/** Fills in the defaults. Throws a ZodError that names each wrong option. */
export function settingsFrom(options: SandboxOptions): SandboxSettings {
  return optionsSchema.parse(options);
}

/** Reads the options from environment variables; an empty one counts as not set. */
export function settingsFromEnv(env: Readonly<Record<string, string | undefined>>): SandboxSettings {
  const read = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const retries = read('SANDBOX_WEBHOOK_RETRY_MS');
  return optionsSchema.parse({
    host: read('SANDBOX_HOST'),
    port: read('SANDBOX_PORT'),
    ports: { paystack: read('SANDBOX_PAYSTACK_PORT'), flutterwave: read('SANDBOX_FLUTTERWAVE_PORT') },
    stateDir: read('SANDBOX_STATE_DIR'),
    accounts: {
      paystack: { secretKey: read('SANDBOX_PAYSTACK_SECRET_KEY'), webhookUrl: read('SANDBOX_PAYSTACK_WEBHOOK_URL') },
      flutterwave: {
        secretKey: read('SANDBOX_FLUTTERWAVE_SECRET_KEY'),
        webhookUrl: read('SANDBOX_FLUTTERWAVE_WEBHOOK_URL'),
        webhookSecretHash: read('SANDBOX_FLUTTERWAVE_SECRET_HASH'),
      },
    },
    webhookDelayMs: read('SANDBOX_WEBHOOK_DELAY_MS'),
    webhookRetryMs: retries?.split(','),
    webhookTimeoutMs: read('SANDBOX_WEBHOOK_TIMEOUT_MS'),
    refundDelayMs: read('SANDBOX_REFUND_DELAY_MS'),
  });
}

/** One sentence per wrong option, for people. */
export function explainSettings(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ');
}

export function isGatewayName(name: string): name is GatewayName {
  return gatewayNames.some((known) => known === name);
}
