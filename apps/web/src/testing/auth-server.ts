import { afterEach, beforeEach, vi } from 'vitest';

interface Answer {
  readonly status?: number;
  readonly body?: unknown;
}

/** The sign-in routes as a component sees them: answers given by the test, and a record of what was posted. */
export interface AuthServer {
  /** Answers a path under `/api/auth` from now on. */
  readonly on: (path: string, answer: Answer) => void;
  /** Bodies posted, in order. */
  readonly posted: () => readonly { readonly path: string; readonly body: unknown }[];
}

/** Answers `fetch` in the suite's tests; a path without an answer is not found. */
export function openAuthServer(): AuthServer {
  const answers = new Map<string, Answer>();
  let posted: { path: string; body: unknown }[] = [];
  beforeEach(() => {
    answers.clear();
    posted = [];
    vi.stubGlobal('fetch', async (url: string, { body }: { readonly body: string }) => {
      const path = url.replace('/api/auth', '');
      posted.push({ path, body: JSON.parse(body) });
      const { status = 200, body: answer = {} } = answers.get(path) ?? { status: 404 };
      return new Response(JSON.stringify(answer), { status, headers: { 'content-type': 'application/json' } });
    });
  });
  afterEach(() => vi.unstubAllGlobals());
  return { on: (path, answer) => void answers.set(path, answer), posted: () => posted };
}
