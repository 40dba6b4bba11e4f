import { Agent, request } from 'node:http';
import { z } from 'zod';

const answerSchema = z.object({ data: z.unknown().optional(), errors: z.array(z.object({ message: z.string() })).optional() });
const PATIENCE_MS = 60_000;

/** Plain HTTP on connections that stay: what is measured is the server, and asking costs as little as it can. */
const agent = new Agent({ keepAlive: true });

/** Asks a GraphQL server over HTTP; throws with what it says went wrong. */
export async function askGraphql(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
): Promise<unknown> {
  const { data, errors } = answerSchema.parse(JSON.parse(await post(url, headers, JSON.stringify(body))));
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('; '));
  return data;
}

function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<string> {
  return new Promise((done, failed) => {
    const asked = request(url, {
      method: 'POST',
      agent,
      timeout: PATIENCE_MS,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    });
    asked.on('timeout', () => asked.destroy(new Error(`no answer in ${PATIENCE_MS / 1_000} s`)));
    asked.on('error', failed);
    asked.on('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', failed);
      response.on('end', () => done(Buffer.concat(pieces).toString()));
    });
    asked.end(body);
  });
}
