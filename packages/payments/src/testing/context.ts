import { randomBytes } from 'node:crypto';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import { openResources, type Resources } from '@switchyard/runtime/resources';
import type { PaymentsContext } from '../context.ts';
import { openPayments } from '../open-payments.ts';

export interface TestPayments extends PaymentsContext {
  readonly resources: Resources;
  readonly database: TestDatabase;
  /** Advances the clock behind `now`. */
  setClock(time: Date): void;
  /** Another process on the same database and clock. */
  beside(): Promise<PaymentsContext & { readonly resources: Resources }>;
  close(): Promise<void>;
}

const BEGIN = new Date('2026-11-20T14:00:05.000Z');

/** A payments context on its own database, with a clock and health controlled by tests. */
export async function openTestPayments(): Promise<TestPayments> {
  const database = await createTestDatabase();
  const key = randomBytes(32).toString('base64');
  const environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`,
    SWITCHYARD_KEY_PEPPER: key,
    SWITCHYARD_PUBLIC_URL: 'http://localhost',
  };
  let clock = BEGIN;
  const opened: { close(): Promise<void> }[] = [];
  const open = (): PaymentsContext & { readonly resources: Resources } => {
    const resources = openResources(environment, () => undefined, TEST_CONNECTION);
    opened.push(resources);
    return { ...openPayments(resources, { now: () => clock, healthTickMs: null }), resources };
  };
  return {
    ...open(),
    database,
    setClock(time) {
      clock = time;
    },
    async beside() {
      const other = open();
      await other.resources.configuration.refresh();
      return other;
    },
    async close() {
      for (const each of opened) await each.close();
      await database.close();
    },
  };
}
