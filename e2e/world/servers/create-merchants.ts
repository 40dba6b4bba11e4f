import { openSwitchyard } from '@switchyard/api/process';
import { migrateJobs } from '@switchyard/db/process';
import { issueKey } from '@switchyard/merchants/console/api-keys';
import { updateMerchant } from '@switchyard/merchants/console/merchants';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { createTestMerchant } from '../../harness/merchants.ts';
import type { MerchantPlan } from '../plan/plan.ts';
import type { MerchantServers } from './merchant-servers.ts';
import type { Simulators } from './simulators.ts';

/** A merchant with its API key. */
export interface DrivenMerchant {
  readonly merchantId: string;
  readonly key: string;
  /** A key that may read payments, and nothing else. */
  readonly readingKey: string;
}

const ACTOR = 'system:world';

/**
 * Creates merchants with keys, accounts, rules and endpoints by the product's own use cases. `environment` is that of our processes;
 * `write` gets the lines of the log.
 */
export async function createMerchants(
  plans: readonly MerchantPlan[],
  environment: Readonly<Record<string, string>>,
  simulators: Pick<Simulators, 'baseUrlOf' | 'register'>,
  servers: Pick<MerchantServers, 'nextUrl' | 'receive'>,
  write: (line: string) => void,
): Promise<DrivenMerchant[]> {
  const switchyard = openSwitchyard(environment, { write });
  try {
    await migrateJobs(switchyard.resources.database);
    const merchants: DrivenMerchant[] = [];
    for (const { gateways, sessionMinutes, refundDuplicates, endpoints } of plans) {
      const { merchantId, testKey } = await createTestMerchant(switchyard, simulators, [], { order: gateways });
      const changes = { sessionMinutes, refundDuplicates };
      await updateMerchant(switchyard, { merchantId, changes, actor: ACTOR });
      for (let n = 0; n < endpoints; n += 1) {
        const settings = { url: servers.nextUrl(), description: '', types: [], merchantId, mode: 'test', actor: ACTOR } as const;
        const outcome = await createEndpoint(switchyard, settings);
        if (outcome.kind !== 'created') throw new Error(`an endpoint could not be created: ${JSON.stringify(outcome)}`);
        servers.receive({ merchantId, endpointId: outcome.endpoint.id, secret: outcome.secret });
      }
      const asked = {
        merchantId,
        mode: 'test',
        name: 'reads',
        expiresAt: null,
        scopes: ['payments:read'],
        actor: ACTOR,
      } as const;
      const reading = await issueKey(switchyard, asked);
      if (reading.kind !== 'issued') throw new Error(`a key could not be issued: ${JSON.stringify(reading)}`);
      merchants.push({ merchantId, key: testKey, readingKey: reading.secretKey });
    }
    return merchants;
  } finally {
    await switchyard.close();
  }
}
