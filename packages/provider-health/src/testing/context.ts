import { randomBytes } from 'node:crypto';
import { newId } from '@switchyard/db';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import { openResources, type Resources } from '@switchyard/runtime/resources';
import { createConfigurationFaultMonitor } from '../configuration-faults/configuration-fault-monitor.ts';
import type { HealthContext } from '../context.ts';
import { createHealthMonitor } from '../monitor/health-monitor.ts';

export interface TestHealth extends HealthContext {
  readonly resources: Resources;
  readonly database: TestDatabase;
  /** Sets the clock behind `now`. */
  setClock(time: Date): void;
  /** Opens the context of another process on the same database and clock. */
  beside(): Promise<HealthContext>;
  close(): Promise<void>;
}

const BEGIN = new Date('2026-11-20T14:00:05.000Z');

/** A health context on a database of its own, whose clock and health change only when a test changes them. */
export async function openTestHealth(): Promise<TestHealth> {
  const database = await createTestDatabase();
  const key = randomBytes(32).toString('base64');
  const environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`,
    SWITCHYARD_KEY_PEPPER: key,
    SWITCHYARD_PUBLIC_URL: 'http://localhost',
  };
  let clock = BEGIN;
  const now = () => clock;
  const opened: { close(): Promise<void> }[] = [];
  const open = (): HealthContext & { readonly resources: Resources } => {
    const resources = openResources(environment, () => undefined, TEST_CONNECTION);
    opened.push(resources);
    const onError = () => undefined;
    return {
      resources,
      health: createHealthMonitor({ resources, now, newId, onError, tickMs: null }),
      configurationFaults: createConfigurationFaultMonitor({ resources, now, newId, onError }),
      onError,
      now,
      newId,
    };
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
