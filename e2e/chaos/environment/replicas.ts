import { Agent, request as sendByHttp } from 'node:http';
import type { ManagedProcess } from './managed-process.ts';

/** An answer as it came; null when the connection was lost, refused, or silent for too long. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface ReplicaRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Which replica, modulo their number; the next in turn when left out. */
  readonly to?: number;
}

/** All web processes, in turn. */
export interface Replicas {
  readonly count: number;
  send(request: ReplicaRequest): Promise<HttpReply | null>;
}

const TIMEOUT_MS = 15_000;

export function replicasOf(processes: readonly ManagedProcess[]): Replicas {
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  let turn = 0;
  return {
    count: processes.length,
    send({ to, ...request }) {
      const managed = processes[(to ?? turn++) % processes.length];
      return managed === undefined ? Promise.resolve(null) : sendTo(agent, managed.url, request);
    },
  };
}

function sendTo(
  agent: Agent,
  base: string,
  { method, path, headers, body }: Omit<ReplicaRequest, 'to'>,
): Promise<HttpReply | null> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outward = sendByHttp(base + path, { method, agent, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', () => resolve(null));
      answer.on('close', () => resolve(null));
      answer.on('end', () => {
        const named = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
        resolve({
          status: answer.statusCode ?? 0,
          headers: Object.fromEntries(named),
          text: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    outward.setTimeout(TIMEOUT_MS, () => outward.destroy());
    outward.on('error', () => resolve(null));
    outward.end(body);
  });
}
