import { once } from 'node:events';
import { createServer } from 'node:http';
import type { WebhookSource } from './connectors.ts';
import { type Surroundings, UsageError } from './surroundings.ts';

const MAX_BODY_BYTES = 2 * 1024 * 1024;

type Delivery = NonNullable<Awaited<ReturnType<WebhookSource['next']>>>;

/** Webhooks that a tunnel brings to a port of this machine, and what closes it. Each is answered with 200. */
export async function listenForWebhooks(port: number): Promise<WebhookSource & { close(): Promise<void> }> {
  const came: Delivery[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      came.push({ headers: Object.fromEntries(headers), body: Buffer.concat(chunks) });
      response.end();
      for (const wake of waiting) wake();
    });
  });
  server.listen(port);
  await once(server, 'listening').catch((error: unknown) => {
    throw new UsageError(`Port ${port} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  });
  return {
    async next(withinMs) {
      if (came.length === 0) await nextOrTimeout(waiting, withinMs);
      return came.shift() ?? null;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function nextOrTimeout(waiting: Set<() => void>, withinMs: number): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      waiting.delete(end);
      done();
    };
    const timer = setTimeout(end, Math.max(0, withinMs));
    waiting.add(end);
  });
}

/** One webhook that a person pastes: headers, an empty line and the body, exactly as they came. */
export function pastedWebhook({ err, readText }: Surroundings): WebhookSource {
  let asked = false;
  return {
    async next(withinMs) {
      if (asked) return null;
      asked = true;
      err('Paste the webhook as it came: its headers, an empty line, its body. End with Ctrl-D, or a line with a dot alone.\n');
      const text = await readText(AbortSignal.timeout(Math.ceil(withinMs)));
      return text.trim() === '' ? null : readDelivery(text);
    },
  };
}

/** A request's text: an optional request line, headers, an empty line, the body. */
export function readDelivery(text: string): Delivery {
  const [head = '', ...rest] = text.replaceAll('\r\n', '\n').trimStart().split('\n\n');
  const headers = head.split('\n').flatMap((line) => {
    const match = /^([\w-]+):\s*(.*)$/.exec(line);
    return match === null ? [] : [[(match[1] ?? '').toLowerCase(), match[2] ?? ''] as const];
  });
  return { headers: Object.fromEntries(headers), body: Buffer.from(rest.join('\n\n').replace(/\n$/, ''), 'utf8') };
}
