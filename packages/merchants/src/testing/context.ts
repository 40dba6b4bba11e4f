import { randomBytes } from 'node:crypto';
import { newId, openConfiguration, openVault } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import type { MerchantsContext } from '../context.ts';
import { createMerchant } from '../create-merchant.ts';

export interface TestContext extends MerchantsContext {
  readonly database: TestDatabase;
  /** Sets the clock of everything that asks `now`; null for the machine's own. */
  setClock(time: Date | null): void;
  close(): Promise<void>;
}

/** A context on a database of its own. */
export async function openTestContext(): Promise<TestContext> {
  const database = await createTestDatabase();
  const configuration = openConfiguration(database, { onError: () => undefined });
  const vault = openVault(`k1:${randomBytes(32).toString('base64')}`);
  let clock: Date | null = null;
  return {
    database,
    resources: {
      database,
      configuration,
      vault,
      keyPepper: randomBytes(32),
      publicUrl: 'http://127.0.0.1:3000',
      close: async () => undefined,
    },
    now: () => clock ?? new Date(),
    newId,
    setClock(time) {
      clock = time;
    },
    async close() {
      configuration.close();
      await database.close();
    },
  };
}

/** A merchant to try things with. Returns its id. */
export async function testMerchant(context: MerchantsContext, name = 'Balogun Books'): Promise<string> {
  const outcome = await createMerchant(context, { name, actor: 'system:test' });
  if (outcome.kind !== 'created') throw new Error(`no merchant was created: ${outcome.kind}`);
  return outcome.merchant.id;
}
