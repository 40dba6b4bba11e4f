import { randomBytes } from 'node:crypto';
import type { Switchyard } from '@switchyard/api/process';
import { migrateJobs } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { type Gateways, startGateways } from './gateways.ts';
import { findLeaks } from './leaks.ts';
import { createTestMerchant, type HouseMerchant, type MerchantWishes } from './merchants.ts';
import type { HouseRequest, Mount } from './mounts.ts';
import { freeServer, type Reply, type WebProcess, type WebProcessWishes, webProcess } from './web-process.ts';
import { startWorker } from './worker.ts';

/** The whole product in one process, on a database of its own, with both gateways' stand-ins on the other side of the wire. */
export interface House {
  /** Address of the Node server, which is also what gateways and customers are told. */
  readonly publicUrl: string;
  readonly switchyard: Switchyard;
  readonly database: TestDatabase;
  readonly gateways: Gateways;
  /** Tries Paystack first. */
  readonly first: HouseMerchant;
  /** Tries Flutterwave first. */
  readonly second: HouseMerchant;
  /** One more merchant: nothing that befell the others' gateways counts against its own accounts. */
  merchant(wishes?: MerchantWishes): Promise<HouseMerchant>;
  /** Sends a request through one of the two mounts; see {@link WebProcess.send}. */
  send(mount: Mount, method: string, path: string, request?: HouseRequest): Promise<Reply>;
  /** Another web process on the same database. Closed with the house. */
  beside(wishes: WebProcessWishes): Promise<WebProcess>;
  /** Every secret the house knows: API keys, gateways' keys and hashes, its own encryption keys. */
  readonly secrets: readonly string[];
  /** Lines of the log, and headers and bodies of all answers, so far. */
  heard(): readonly string[];
  /** Ends everything. Throws when a secret the house used shows in an answer, a row or a line of the log. */
  close(): Promise<void>;
}

export interface HouseWishes extends WebProcessWishes {
  /** False leaves webhooks stored and not followed up. */
  readonly worker?: boolean;
}

export async function startHouse(wishes: HouseWishes = {}): Promise<House> {
  const database = await createTestDatabase();
  await migrateJobs(database);
  const server = await freeServer();
  const environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_PUBLIC_URL: server.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
  };
  const secrets = [environment.SWITCHYARD_KEY_PEPPER, environment.SWITCHYARD_ENCRYPTION_KEYS.slice('k1:'.length)];
  const processes = [webProcess(server, environment, wishes)];
  const [main] = processes;
  if (main === undefined) throw new Error('there is no web process');
  const gateways = await startGateways();
  const worker = wishes.worker === false ? null : await startWorker(environment);
  const heard = () => processes.flatMap(({ log, answers }) => [...log, ...answers]);
  const merchant = (asked: MerchantWishes = {}) => createTestMerchant(main.switchyard, gateways, secrets, asked);

  return {
    publicUrl: server.url,
    switchyard: main.switchyard,
    database,
    gateways,
    first: await merchant(),
    second: await merchant({ order: ['flutterwave', 'paystack'] }),
    merchant,
    send: main.send,
    async beside(other) {
      const process = webProcess(await freeServer(), environment, other);
      processes.push(process);
      return process;
    },
    secrets,
    heard,
    async close() {
      await gateways.close();
      await worker?.stop();
      for (const process of processes) await process.close();
      const leaks = await findLeaks(database, secrets, heard());
      await database.close();
      if (leaks.length > 0) throw new Error(`secrets have leaked:\n${leaks.join('\n')}`);
    },
  };
}
