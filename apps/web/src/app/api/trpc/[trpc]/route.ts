import { isReportingPath } from '@switchyard/api/reporting-paths';
import { processSwitchyard } from '#/server/native/process.ts';
import { handleTrpc } from '#/server/native/trpc.ts';
import { forwardToReporting } from '#/server/reporting.ts';

export const dynamic = 'force-dynamic';

const handle = (request: Request) =>
  isReportingPath(new URL(request.url).pathname) ? forwardToReporting(request) : handleTrpc(processSwitchyard(), request);

export { handle as GET, handle as POST };
