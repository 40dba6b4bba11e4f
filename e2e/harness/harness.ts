import { randomBytes } from 'node:crypto';
import type { Switchyard } from '@switchyard/api/process';
import { createTestDatabase, findLeaks, type TestDatabase } from '@switchyard/db/testing';
import { type Gateways, startGateways } from './gateways.ts';
import { createTestMerchant, type TestMerchant, type TestMerchantOptions } from './merchants.ts';
import type { Mount, TestRequest } from './mounts.ts';
import { freeServer, type Reply, startWorker, type WebProcess, type WebProcessOptions, webProcess } from './web-process.ts';

/** The whole product in one process, on a database of its own, with the simulators of the gateways. */
export interface Harness {
  /** Address of the Node server, also for gateways and customers. */
  readonly publicUrl: string;
  readonly switchyard: Switchyard;
  readonly database: TestDatabase;
  readonly gateways: Gateways;
  /** Tries Paystack first. */
  readonly first: TestMerchant;
  /** Tries Flutterwave first. */
  readonly second: TestMerchant;
  /** One more merchant, whose accounts' health does not depend on the other merchants. */
  merchant(options?: TestMerchantOptions): Promise<TestMerchant>;
  /** Sends a request through one of the two mounts; see {@link WebProcess.send}. */
  send(mount: Mount, method: string, path: string, request?: TestRequest): Promise<Reply>;
  /** Another web process on the same database. Closed with the harness. */
  startWebProcess(options: WebProcessOptions): Promise<WebProcess>;
  /** Every secret of the run: API keys, gateways' keys and hashes, encryption keys. */
  readonly secrets: readonly string[];
  /** Lines of the log, and headers and bodies of all answers, so far. */
  output(): readonly string[];
  /** Stops everything. Throws when a secret appears in an answer, a row or a line of the log. */
  close(): Promise<void>;
}

export interface HarnessOptions extends WebProcessOptions {
  /** False leaves webhooks stored and not followed up. */
  readonly worker?: boolean;
  /** Opens another way to the database, for all that the product sends. */
  readonly through?: (databaseUrl: string) => Promise<string>;
}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const database = await createTestDatabase();
  const server = await freeServer();
  const environment = {
    DATABASE_URL: (await options.through?.(database.url)) ?? database.url,
    SWITCHYARD_PUBLIC_URL: server.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
  };
  const secrets = [environment.SWITCHYARD_KEY_PEPPER, environment.SWITCHYARD_ENCRYPTION_KEYS.slice('k1:'.length)];
  const processes = [webProcess(server, environment, options)];
  const [main] = processes;
  if (main === undefined) throw new Error('there is no web process');
  const gateways = await startGateways();
  const worker = options.worker === false ? null : await startWorker(environment);
  const output = () => processes.flatMap(({ log, answers }) => [...log, ...answers]);
  const merchant = (merchantOptions: TestMerchantOptions = {}) =>
    createTestMerchant(main.switchyard, gateways, secrets, merchantOptions);

  return {
    publicUrl: server.url,
    switchyard: main.switchyard,
    database,
    gateways,
    first: await merchant(),
    second: await merchant({ order: ['flutterwave', 'paystack'] }),
    merchant,
    send: main.send,
    async startWebProcess(other) {
      const process = webProcess(await freeServer(), environment, other);
      processes.push(process);
      return process;
    },
    secrets,
    output,
    async close() {
      await gateways.close();
      await worker?.stop();
      for (const process of processes) await process.close();
      const leaks = await findLeaks(database, secrets, output());
      await database.close();
      if (leaks.length > 0) throw new Error(`secrets have leaked:\n${leaks.join('\n')}`);
    },
  };
}
