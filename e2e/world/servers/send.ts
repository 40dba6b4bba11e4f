/** A web process, by where it listens. */
export interface Replica {
  readonly url: string;
}

/** An answer as it came. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request to a web process. Null when the connection was lost, refused, or silent for too long. */
export type Send = (path: string, request?: RequestInit) => Promise<HttpReply | null>;

const TIMEOUT_MS = 15_000;

/** Sends to all web processes in turn, so that requests sent together and retries reach different ones. */
export function sendInTurn(webs: readonly Replica[]): Send {
  let turn = 0;
  return async (path, request) => {
    const web = webs[turn++ % webs.length];
    return web === undefined ? null : sendTo(web, path, request);
  };
}

export async function sendTo({ url }: Replica, path: string, request: RequestInit = {}): Promise<HttpReply | null> {
  try {
    const answer = await fetch(url + path, { ...request, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch {
    return null;
  }
}
