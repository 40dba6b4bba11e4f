import { newId } from '@switchyard/db';
import { createTestMerchant, type TestMerchant } from '@switchyard/e2e/merchants';
import type { SandboxControl } from '@switchyard/e2e/sandbox-control';
import type { Resources } from '@switchyard/runtime';
import { type GatewayName, gatewayNames, simulators } from '@switchyard/sandbox';
import { z } from 'zod';

/** Adds a merchant with accounts at the sandbox's gateways to a running product. */
export async function addMerchant(resources: Resources, control: SandboxControl): Promise<TestMerchant> {
  const context = { resources, now: () => new Date(), newId };
  const { gateways: running } = healthSchema.parse(await control('GET', 'health'));
  const gateways = {
    baseUrlOf: (gateway: GatewayName) => `${running[gateway].url}${simulators[gateway].apiPath}`,
    register: async (gateway: GatewayName, account: object) => {
      await control('PUT', `${gateway}/keys`, account);
    },
  };
  return createTestMerchant(context, gateways, [], {});
}

const healthSchema = z.object({ gateways: z.record(z.enum(gatewayNames), z.object({ url: z.string() })) });
