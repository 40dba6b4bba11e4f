import type { ManagedProcess } from './managed-process.ts';

/** An answer as it came. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface ReplicaRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer<ArrayBuffer>;
  /** Which replica, modulo their number; the next in turn when left out. */
  readonly to?: number;
}

/** All web processes, in turn. */
export interface Replicas {
  readonly count: number;
  /** Null when the connection was lost, refused, or silent for too long. */
  send(request: ReplicaRequest): Promise<HttpReply | null>;
}

const TIMEOUT_MS = 15_000;

export function replicasOf(processes: readonly ManagedProcess[]): Replicas {
  let turn = 0;
  return {
    count: processes.length,
    async send({ to, path, ...request }) {
      const managed = processes[(to ?? turn++) % processes.length];
      if (managed === undefined) return null;
      try {
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        const answer = await fetch(managed.url + path, { ...request, redirect: 'manual', signal });
        return { status: answer.status, headers: answer.headers, text: await answer.text() };
      } catch {
        return null;
      }
    },
  };
}
