import { isAbsolute } from 'node:path';
import { z } from 'zod';

const address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((url) => url.replace(/\/+$/, ''));

const environmentSchema = z.object({
  SWITCHYARD_PUBLIC_URL: address,
  SWITCHYARD_SANDBOX_URL: address,
  SWITCHYARD_SANDBOX_PAYSTACK_URL: address,
  SWITCHYARD_SANDBOX_FLUTTERWAVE_URL: address,
  SWITCHYARD_DEMO_WEEK: z.enum(['0', '1'], 'must be 0 or 1').default('1'),
  SWITCHYARD_DEMO_FILE: z.string().refine(isAbsolute, 'must be an absolute path'),
});

export interface SeedSettings {
  readonly webUrl: string;
  /** The address of the sandbox's own pages. */
  readonly sandboxUrl: string;
  /** Base addresses of the gateway simulators. */
  readonly paystackUrl: string;
  readonly flutterwaveUrl: string;
  readonly demoFile: string;
  /** Whether the demo merchants get generated history. */
  readonly withWeek: boolean;
}

/** Reads the settings. Throws, naming every missing or invalid variable. */
export function readSeedSettings(environment: Readonly<Record<string, string | undefined>>): SeedSettings {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
  }
  return {
    webUrl: parsed.data.SWITCHYARD_PUBLIC_URL,
    sandboxUrl: parsed.data.SWITCHYARD_SANDBOX_URL,
    paystackUrl: parsed.data.SWITCHYARD_SANDBOX_PAYSTACK_URL,
    flutterwaveUrl: parsed.data.SWITCHYARD_SANDBOX_FLUTTERWAVE_URL,
    demoFile: parsed.data.SWITCHYARD_DEMO_FILE,
    withWeek: parsed.data.SWITCHYARD_DEMO_WEEK === '1',
  };
}
