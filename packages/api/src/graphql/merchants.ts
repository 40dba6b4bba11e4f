import type { Switchyard } from '../process.ts';

/** Every merchant of this installation, from memory. */
export async function knownMerchants({ resources: { configuration } }: Switchyard): Promise<string[]> {
  await configuration.ready();
  return configuration.merchants().map(({ merchant }) => merchant.id);
}
