import { Agent, request as sendByHttp } from 'node:http';
import type { Member } from './fleet.ts';

/** An answer as it came; null when the connection was lost, refused, or silent for too long. */
export interface Heard {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Which replica, modulo their number; the next in turn when left out. */
  readonly to?: number;
}

/** All web processes, each asked in turn. */
export interface Replicas {
  readonly count: number;
  send(sent: Sent): Promise<Heard | null>;
}

const SILENCE_MS = 15_000;

export function replicasOf(members: readonly Member[]): Replicas {
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  let turn = 0;
  return {
    count: members.length,
    send({ to, ...sent }) {
      const member = members[(to ?? turn++) % members.length];
      return member === undefined ? Promise.resolve(null) : sendTo(agent, member.url, sent);
    },
  };
}

function sendTo(agent: Agent, base: string, { method, path, headers, body }: Omit<Sent, 'to'>): Promise<Heard | null> {
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
    outward.setTimeout(SILENCE_MS, () => outward.destroy());
    outward.on('error', () => resolve(null));
    outward.end(body);
  });
}
