import { isAbsolute } from 'node:path';
import { z } from 'zod';

const address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((url) => url.replace(/\/+$/, ''));

const settingsSchema = z
  .object({
    SWITCHYARD_PUBLIC_URL: address,
    SWITCHYARD_SANDBOX_URL: address,
    SWITCHYARD_DEMO_WEEK: z.enum(['0', '1'], 'must be 0 or 1').default('1'),
    SWITCHYARD_DEMO_FILE: z.string().refine(isAbsolute, 'must be an absolute path'),
  })
  .transform((environment) => ({
    webUrl: environment.SWITCHYARD_PUBLIC_URL,
    /** The address of the sandbox: its own pages, and below it the simulators, each under its name. */
    sandboxUrl: environment.SWITCHYARD_SANDBOX_URL,
    demoFile: environment.SWITCHYARD_DEMO_FILE,
    /** True if the demo merchants get generated history. */
    withWeek: environment.SWITCHYARD_DEMO_WEEK === '1',
  }));

export type SeedSettings = Readonly<z.output<typeof settingsSchema>>;

/** Reads the settings. Throws, naming every missing or invalid variable. */
export function readSeedSettings(environment: Readonly<Record<string, string | undefined>>): SeedSettings {
  const parsed = settingsSchema.safeParse(environment);
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
}
