import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startChild } from '../chaos/environment/managed-process.ts';

/** A server of a cluster. */
export interface ClusterServer {
  /** Address of the product's database on it. */
  readonly url: string;
  /** Its first process. */
  readonly pid: number;
}

/** A Citus cluster on this machine with an empty database. */
export interface Cluster {
  /** The coordinator, its nodes, then spare servers. */
  servers(): readonly [ClusterServer, ...ClusterServer[]];
  /** Ends a server as a crash would; resolves when it is back, after so long. */
  restart(server: number, awayMs: number): Promise<void>;
  /** Makes a spare server a node. */
  addNode(spare: number): Promise<void>;
  close(): Promise<void>;
}

export interface ClusterOptions {
  readonly workers: number;
  readonly spare?: number;
  /** Parts of each table. */
  readonly shards: number;
  /** Settings of every server, in place of those of a cluster that has to outlive nothing. */
  readonly settings?: Readonly<Record<string, string>>;
  /** File for what it prints. */
  readonly log: string;
}

const PROGRAM = fileURLToPath(new URL('../../scripts/testing/citus/restartable-cluster.ts', import.meta.url));
const CLOSE_MS = 30_000;
const serverSchema = z.object({ url: z.string(), pid: z.int() });
const stateSchema = z.object({ servers: z.tuple([serverSchema], serverSchema) });

/** Starts a cluster, which ends with this process at the latest. */
export async function startCluster({ workers, spare = 0, shards, settings = {}, log }: ClusterOptions): Promise<Cluster> {
  const options = JSON.stringify({ workers, spare, shards, settings });
  const child = startChild(PROGRAM, { ...process.env, CLUSTER: options }, log);
  let { servers } = stateSchema.parse(await child.answer());
  const order = async (message: object): Promise<void> => {
    const answer = child.answer();
    child.process.send(message);
    ({ servers } = stateSchema.parse(await answer));
  };
  return {
    servers: () => servers,
    restart: (server, awayMs) => order({ restart: server, awayMs }),
    addNode: (add) => order({ add }),
    async close() {
      child.process.disconnect();
      await Promise.race([child.ended, pause(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
