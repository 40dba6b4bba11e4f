import { Agent, request } from 'node:http';
import { z } from 'zod';

const answerSchema = z.object({ data: z.unknown().optional(), errors: z.array(z.object({ message: z.string() })).optional() });
const TIMEOUT_MS = 60_000;

/** Plain HTTP on kept-alive connections, so that the client costs little beside the server. */
const agent = new Agent({ keepAlive: true });

/** Queries a GraphQL server over HTTP; throws with its error messages. */
export async function queryGraphql(
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
    const outgoing = request(url, {
      method: 'POST',
      agent,
      timeout: TIMEOUT_MS,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${TIMEOUT_MS / 1_000} s`)));
    outgoing.on('error', failed);
    outgoing.on('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', failed);
      response.on('end', () => done(Buffer.concat(pieces).toString()));
    });
    outgoing.end(body);
  });
}
