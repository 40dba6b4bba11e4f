import type { StaffSession } from '@switchyard/staff/permissions';
import type { MachineAccess } from '@switchyard/staff/token-access';
import type { Switchyard } from '../process.ts';
import { createCallerFactory } from '../trpc/procedure.ts';
import { appRouter } from '../trpc/router.ts';

const createCaller = createCallerFactory(appRouter);

/** Sends a request for a report to the process that answers reports. */
export type SendToReporting = (request: Request) => Promise<Response>;

/** Context of the tools of one request. */
export interface Agent {
  readonly switchyard: Switchyard;
  readonly access: MachineAccess;
  readonly session: StaffSession;
  /** The dashboard's procedures as the token's staff user: the same permissions, validation and audit log. */
  readonly trpc: ReturnType<typeof createCaller>;
  /** Asks the reporting process with the same token. */
  readonly askReports: (path: string, body: unknown) => Promise<Response>;
  /** Aborted when the client has gone, or the call has taken too long. */
  readonly signal: AbortSignal;
}

/** The agent of a request that was authenticated. */
export function openAgent(
  switchyard: Switchyard,
  { access, session }: Pick<Agent, 'access' | 'session'>,
  request: {
    readonly url: string;
    readonly authorization: string;
    readonly signal: AbortSignal;
    readonly askReports: SendToReporting;
  },
): Agent {
  const { url, authorization, signal, askReports } = request;
  return {
    switchyard,
    access,
    session,
    signal,
    trpc: createCaller({ switchyard, session }, { signal }),
    askReports: (path, body) => {
      const headers = { authorization, 'content-type': 'application/json' };
      return askReports(new Request(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body), signal }));
    },
  };
}
