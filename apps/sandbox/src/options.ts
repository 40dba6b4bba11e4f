import { z } from 'zod';
import type { Timing } from './simulator.ts';
import { type GatewayName, gatewayNames, simulators } from './simulators.ts';

const port = z.coerce.number<number | string>({ error: 'must be a port number' }).int().min(0).max(65_535);
const milliseconds = z.coerce.number<number | string>({ error: 'must be a number of milliseconds' }).int().min(0).max(86_400_000);

const optionsSchema = z.object({
  host: z.string().min(1).default('127.0.0.1'),
  port: port.default(4010),
  /** Gives each simulator a port of its own besides, so that connections to one that is down are refused, and not only cut. */
  separatePorts: z.boolean().default(false),
  /** A folder in which the ledgers are stored, so that they survive a restart. */
  stateDir: z.string().min(1).optional(),
  /** Fields of the account that a simulator begins with, in place of the defaults; its webhook address among them. */
  accounts: z.partialRecord(z.enum(gatewayNames), z.record(z.string(), z.string())).default({}),
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
  /** Takes the place of the delays above where it says so. */
  timing: z.custom<Timing>((value) => typeof value === 'object' && value !== null).default({}),
  now: z.custom<() => number>((value) => typeof value === 'function').default(() => Date.now),
});

/** How a sandbox is started; everything has a default. */
export type SandboxOptions = z.input<typeof optionsSchema>;

/** The options with their defaults filled in. */
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
    separatePorts: read('SANDBOX_SEPARATE_PORTS') === '1',
    stateDir: read('SANDBOX_STATE_DIR'),
    accounts: Object.fromEntries(gatewayNames.map((name) => [name, accountFromEnv(name, read)])),
    webhookDelayMs: read('SANDBOX_WEBHOOK_DELAY_MS'),
    webhookRetryMs: retries?.split(','),
    webhookTimeoutMs: read('SANDBOX_WEBHOOK_TIMEOUT_MS'),
    refundDelayMs: read('SANDBOX_REFUND_DELAY_MS'),
  });
}

/** `SANDBOX_FLUTTERWAVE_SECRET_HASH` is the account's `secretHash` at Flutterwave. */
function accountFromEnv(name: GatewayName, read: (variable: string) => string | undefined): Record<string, string> {
  const fields = [...Object.keys(simulators[name].accountFields), 'webhookUrl'];
  const entries = fields.map((field) => {
    const variable = `SANDBOX_${name}_${field.replaceAll(/[A-Z]/g, '_$&')}`.replaceAll('-', '_').toUpperCase();
    return [field, read(variable)] as const;
  });
  return Object.fromEntries(entries.flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])));
}

/** One sentence per wrong option, for people. */
export function explainSettings(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ');
}
