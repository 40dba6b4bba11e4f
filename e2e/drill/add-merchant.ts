import { newId } from '@switchyard/db';
import type { Resources } from '@switchyard/runtime';
import { gatewayNames, simulators } from '@switchyard/sandbox';
import { z } from 'zod';
import type { GatewayName } from '../harness/gateways.ts';
import { createTestMerchant, type TestMerchant } from '../harness/merchants.ts';
import type { SandboxControl } from '../harness/sandbox-control.ts';

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
